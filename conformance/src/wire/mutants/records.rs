//! Mutants of what is said about clients, settlements, prospects and pages of them.

use serde_json::{Value, json};

use super::{Broken, Mutant, at, settled_with, with_json, with_rows, with_target, with_text, without_header};
use crate::wire::{Answer, Request, Service as _};

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "rounds large integers",
        caught_by: "normalizing.external_id_keeps_every_digit",
        exchange: |broken, request| {
            broken.service.exchange(&with_text(request, |text| text.replace("9007199254740993", "9007199254740992")))
        },
    },
    Mutant {
        name: "names one error only",
        caught_by: "clients_post.every_error_of_a_client_is_in_one_message_in_order",
        exchange: |broken, request| {
            with_json(broken, request, |json| {
                if let Some(Value::String(message)) = json.pointer_mut("/results/0/message") {
                    message.truncate(60);
                }
            })
        },
    },
    Mutant {
        name: "answers results in another order",
        caught_by: "clients_post.results_are_in_the_order_sent",
        exchange: |broken, request| {
            with_json(broken, request, |json| {
                if let Some(Value::Array(results)) = json.get_mut("results") {
                    results.reverse();
                    for (index, result) in results.iter_mut().enumerate() {
                        result["index"] = json!(index);
                    }
                }
            })
        },
    },
    Mutant {
        name: "keeps updated_at still",
        caught_by: "clients_post.a_changed_client_moves_updated_at_and_keeps_created_at",
        exchange: |broken, request| {
            with_client(broken, request, |client| client["updated_at"] = client["created_at"].clone())
        },
    },
    Mutant {
        name: "turns do_not_mail off again",
        caught_by: "clients_post.do_not_mail_goes_on_and_never_off",
        exchange: |broken, request| with_client(broken, request, |client| client["do_not_mail"] = json!(false)),
    },
    Mutant {
        name: "gives a conflict an id",
        caught_by: "matching.a_match_with_another_id_is_a_conflict",
        exchange: |broken, request| {
            with_json(broken, request, |json| {
                if let Some(result) = json.pointer_mut("/results/0")
                    && result["status"] == "conflict"
                {
                    result["id"] = json!("00000000-0000-7000-8000-000000000000");
                }
            })
        },
    },
    Mutant {
        name: "answers a conflict without a result",
        caught_by: "conflicts.a_conflict_saves_nothing_and_says_who_stood_in_the_way",
        exchange: |broken, request| {
            with_json(broken, request, |json| {
                if let Some(members) = json.as_object_mut().filter(|members| members.contains_key("error")) {
                    members.remove("result");
                }
            })
        },
    },
    Mutant {
        name: "corrects where it should begin",
        caught_by: "settlements.settling_on_another_date_begins_another_by_default",
        exchange: |broken, request| broken.service.exchange(&settled_with(request, false)),
    },
    Mutant {
        name: "begins on a late retry",
        caught_by: "settlements.a_late_retry_changes_nothing",
        exchange: |broken, request| {
            with_json(broken, request, |json| {
                // As if every look at the feed showed one letter more.
                if let Some(Value::Array(rows)) = json.get_mut("settlements")
                    && !broken.once()
                {
                    let again = rows.clone();
                    rows.extend(again);
                }
            })
        },
    },
    Mutant {
        name: "shows changes at once",
        caught_by: "delayed_view.a_new_client_is_not_shown_before_the_delay_and_is_soon_after",
        exchange: |broken, request| {
            if request.method == "GET" && request.target.starts_with("/api/v1/clients") {
                broken.elapse_unseen(broken.facts().client_delay_seconds);
            }
            broken.service.exchange(request)
        },
    },
    Mutant {
        name: "leaves out what it does not know",
        caught_by: "clients_get.a_record_has_every_key_and_null_where_unknown",
        exchange: |broken, request| {
            with_rows(broken, request, "clients", |row| {
                if let Some(members) = row.as_object_mut() {
                    members.retain(|_, value| !value.is_null());
                }
            })
        },
    },
    Mutant {
        name: "takes updated_since as after",
        caught_by: "clients_get.updated_since_is_inclusive",
        exchange: |broken, request| {
            with_json(broken, request, |json| {
                if let Some((_, since)) = request.target.split_once("updated_since=")
                    && let Some(Value::Array(rows)) = json.get_mut("clients")
                {
                    rows.retain(|row| row["updated_at"] != since);
                }
            })
        },
    },
    Mutant {
        name: "compares external_id in any letter case",
        caught_by: "clients_get.external_id_filters_exactly",
        exchange: |broken, request| with_target(broken, request, "external_id=A", "external_id=a"),
    },
    Mutant {
        name: "starts again at a cursor it cannot read",
        caught_by: "cursors.an_altered_cursor_is_400",
        exchange: |broken, request| {
            let answer = broken.service.exchange(request)?;
            match request.target.split_once("?cursor=") {
                Some((path, _)) if answer.status == 400 => broken.service.exchange(&at(request, path)),
                _ => Ok(answer),
            }
        },
    },
    Mutant {
        name: "ignores a filter beside a cursor",
        caught_by: "cursors.a_filter_that_is_present_must_be_equal",
        exchange: |broken, request| match request.target.split_once("&updated_since=") {
            Some((start, _)) if start.contains("cursor=") => broken.service.exchange(&at(request, start)),
            _ => broken.service.exchange(request),
        },
    },
    Mutant {
        name: "shows null where the account may not look",
        caught_by: "prospects.email_and_phone_come_only_with_contact_enrichment",
        exchange: |broken, request| {
            with_rows(broken, request, "prospects", |row| {
                if let Some(members) = row.as_object_mut() {
                    members.entry("email").or_insert(Value::Null);
                }
            })
        },
    },
    Mutant {
        name: "gives newest a cursor",
        caught_by: "prospects.newest_is_the_other_way_round_and_has_no_cursor",
        exchange: |broken, request| {
            with_json(broken, request, |json| {
                if request.target.contains("order=newest") && json["next_cursor"].is_null() {
                    json["next_cursor"] = json!("x");
                }
            })
        },
    },
    Mutant {
        name: "goes on under changed grants",
        caught_by: "prospects_access.any_change_of_the_grants_makes_a_cursor_stale",
        exchange: |broken, request| {
            let answer = broken.service.exchange(request)?;
            if answer.at("/error/code") == "cursor_stale" {
                return broken.service.exchange(&at(request, "/api/v1/prospects"));
            }
            Ok(answer)
        },
    },
    Mutant {
        name: "creates twice at once",
        caught_by: "parallel.forty_eight_posts_of_one_new_person_create_one_client",
        exchange: |broken, request| {
            with_json(broken, request, |json| {
                if let Some(result) = json.pointer_mut("/results/0")
                    && result["status"] == "updated"
                    && broken.once()
                {
                    result["status"] = json!("created");
                }
            })
        },
    },
    Mutant {
        name: "logs nobody's name",
        caught_by: "operator_log.every_action_is_logged_with_its_actor_subject_and_request",
        exchange: |broken, request| broken.service.exchange(&without_header(request, "matterbook-actor")),
    },
    Mutant {
        name: "says it erased and did not",
        caught_by: "erasure.an_erased_client_is_gone_from_every_view_at_once",
        exchange: |broken, request| {
            if request.method != "DELETE" || !request.target.contains("/clients/") {
                return broken.service.exchange(request);
            }
            let mut answer = broken.service.exchange(&Request { method: "GET".to_owned(), ..request.clone() })?;
            if answer.status == 200 {
                answer.json = json!({"client": {"id": answer.at("/client/id"), "erased": true}});
            }
            Ok(answer)
        },
    },
    Mutant {
        name: "forgets who did not want mail",
        caught_by: "erasure.a_client_made_again_by_its_id_keeps_do_not_mail",
        exchange: |broken, request| {
            with_client(broken, request, |client| {
                if client["first_name"] == "Other" {
                    client["do_not_mail"] = json!(false);
                }
            })
        },
    },
    Mutant {
        name: "hides corrections",
        caught_by: "settlements_feed.a_correction_appears_again_under_the_same_id",
        exchange: |broken, request| {
            with_rows(broken, request, "settlements", |row| row["changed_at"] = row["begun_at"].clone())
        },
    },
];

/// The answer to the request, its client altered.
fn with_client(broken: &Broken<'_>, request: &Request, alter: impl Fn(&mut Value)) -> Result<Answer, String> {
    with_json(broken, request, |json| json.get_mut("client").into_iter().for_each(alter))
}
