//! Services broken on purpose, each with the case that must notice: what holds the suite itself.
//!
//! A mutant stands between a case and a good service and alters requests or answers. State that
//! only a store could break has its mutants beside the store suite.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use http::{HeaderName, HeaderValue};
use serde_json::{Value, json};

use super::{Answer, Body, Facts, Request, Service};

/// One way to be wrong.
pub struct Mutant {
    /// What it does wrong.
    pub name: &'static str,
    /// The name of the case that must fail.
    pub caught_by: &'static str,
    exchange: fn(&Broken<'_>, &Request) -> Result<Answer, String>,
}

/// A good service with a mutant in front of it.
pub struct Broken<'s> {
    service: &'s dyn Service,
    mutant: &'static Mutant,
    erred: AtomicBool,
}

impl<'s> Broken<'s> {
    /// That service, broken in that way.
    #[must_use]
    pub fn new(service: &'s dyn Service, mutant: &'static Mutant) -> Self {
        Self { service, mutant, erred: AtomicBool::new(false) }
    }

    /// Whether this is the first time that this is asked.
    fn once(&self) -> bool {
        !self.erred.swap(true, Ordering::SeqCst)
    }
}

impl Service for Broken<'_> {
    fn exchange(&self, request: &Request) -> Result<Answer, String> {
        (self.mutant.exchange)(self, request)
    }

    fn elapse(&self, duration: Duration) {
        self.service.elapse(duration);
    }

    fn clock(&self) -> Duration {
        self.service.clock()
    }

    fn facts(&self) -> &Facts {
        self.service.facts()
    }
}

/// Every mutant.
pub const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "answers a POST with 201",
        caught_by: "clients_post.a_new_client_is_created_and_a_known_one_updated",
        exchange: |broken, request| {
            after(broken, request, |answer| {
                if request.method == "POST" && answer.status == 200 {
                    answer.status = 201;
                }
            })
        },
    },
    Mutant {
        name: "lets answers be cached",
        caught_by: "headers.every_answer_is_json_uncached_and_has_a_request_id",
        exchange: |broken, request| after(broken, request, |answer| drop_header(answer, "cache-control")),
    },
    Mutant {
        name: "gives every request the same id",
        caught_by: "headers.request_ids_differ",
        exchange: |broken, request| after(broken, request, |answer| set_header(answer, "x-request-id", "1")),
    },
    Mutant {
        name: "does not know HEAD",
        caught_by: "headers.head_answers_like_get_without_a_body",
        exchange: |broken, request| {
            after(broken, request, |answer| {
                if request.method == "HEAD" {
                    answer.status = 405;
                }
            })
        },
    },
    Mutant {
        name: "sends a body to HEAD",
        caught_by: "headers.head_answers_like_get_without_a_body",
        exchange: |broken, request| {
            let mut answer = broken
                .service
                .exchange(&Request { method: request.method.replace("HEAD", "GET"), ..request.clone() })?;
            answer.sent = request.to_string();
            Ok(answer)
        },
    },
    Mutant {
        name: "forgets the realm",
        caught_by: "auth.no_key_is_401_with_the_realm_alone",
        exchange: |broken, request| {
            after(broken, request, |answer| {
                if answer.status == 401 {
                    set_header(answer, "www-authenticate", "Bearer");
                }
            })
        },
    },
    Mutant {
        name: "calls a missing key invalid",
        caught_by: "auth.no_key_is_401_with_the_realm_alone",
        exchange: |broken, request| {
            let bad = request.clone().bearer("x");
            if header(request, "authorization").is_some() {
                broken.service.exchange(request)
            } else {
                broken.service.exchange(&bad)
            }
        },
    },
    Mutant {
        name: "wants Bearer in this letter case",
        caught_by: "auth.the_scheme_is_read_in_any_case",
        exchange: |broken, request| {
            let other = header(request, "authorization").is_some_and(|value| !value.starts_with("Bearer "));
            broken.service.exchange(&if other { without_header(request, "authorization") } else { request.clone() })
        },
    },
    Mutant {
        name: "leaves revoked keys alive",
        caught_by: "auth.a_revoked_key_is_401_from_the_next_request_on",
        exchange: |broken, request| {
            if request.method == "DELETE" && request.target.contains("/keys/") {
                return broken.service.exchange(&Request {
                    method: "GET".to_owned(),
                    target: "/operator/v1/settings".to_owned(),
                    ..request.clone()
                });
            }
            broken.service.exchange(request)
        },
    },
    Mutant {
        name: "checks the parameters before the bundle",
        caught_by: "access_order.bundle_comes_after_the_path_and_before_the_parameters",
        exchange: |broken, request| {
            let answer = broken.service.exchange(request)?;
            if answer.at("/error/code") == "bundle_required" && request.target.contains("limit=0") {
                return broken.service.exchange(&Request {
                    target: request.target.replace("/prospects", "/clients"),
                    ..request.clone()
                });
            }
            Ok(answer)
        },
    },
    Mutant {
        name: "reads the body before the key",
        caught_by: "auth.the_body_of_a_stranger_is_not_read",
        exchange: |broken, request| match request.body {
            Body::Withheld { .. } => Err("no answer in time".to_owned()),
            _ => broken.service.exchange(request),
        },
    },
    Mutant {
        name: "forgets RateLimit on a 404",
        caught_by: "rate_limit.every_answer_to_a_live_key_says_what_is_left",
        exchange: |broken, request| {
            after(broken, request, |answer| {
                if answer.status == 404 {
                    drop_header(answer, "ratelimit");
                }
            })
        },
    },
    Mutant {
        name: "does not count a 404",
        caught_by: "rate_limit.what_is_left_goes_down_by_one",
        exchange: |broken, request| {
            after(broken, request, |answer| {
                if answer.status == 404 {
                    let left = super::firm::rate_left(answer);
                    if let Some((left, seconds)) = left {
                        set_header(answer, "ratelimit", &format!("\"default\";r={};t={seconds}", left + 1));
                    }
                }
            })
        },
    },
    Mutant {
        name: "lets one more through",
        caught_by: "rate_limit.of_300_parallel_requests_exactly_the_limit_is_let_through",
        exchange: |broken, request| {
            after(broken, request, |answer| {
                if answer.status == 429 && broken.once() {
                    answer.status = 200;
                }
            })
        },
    },
    Mutant {
        name: "forgets Retry-After",
        caught_by: "rate_limit.a_429_says_when_to_come_back_and_holds_it",
        exchange: |broken, request| after(broken, request, |answer| drop_header(answer, "retry-after")),
    },
    Mutant {
        name: "forgives a trailing slash",
        caught_by: "errors.a_trailing_slash_is_another_path",
        exchange: |broken, request| {
            broken
                .service
                .exchange(&Request { target: request.target.trim_end_matches('/').to_owned(), ..request.clone() })
        },
    },
    Mutant {
        name: "forgets Allow",
        caught_by: "errors.a_wrong_method_is_405_with_allow",
        exchange: |broken, request| after(broken, request, |answer| drop_header(answer, "allow")),
    },
    Mutant {
        name: "ignores dry_run, and saves",
        caught_by: "parameters.dry_run_and_explain_are_reserved",
        exchange: |broken, request| {
            broken.service.exchange(&Request { target: request.target.replace("dry_run=", "x="), ..request.clone() })
        },
    },
    Mutant {
        name: "takes the first of two values",
        caught_by: "parameters.a_known_parameter_given_twice_is_400",
        exchange: |broken, request| {
            let target = request.target.replace("limit=5&limit=5", "limit=5");
            broken.service.exchange(&Request { target, ..request.clone() })
        },
    },
    Mutant {
        name: "calls a large body malformed",
        caught_by: "body.over_the_limit_is_413_and_delivered",
        exchange: |broken, request| {
            after(broken, request, |answer| {
                if answer.status == 413 {
                    answer.status = 400;
                }
            })
        },
    },
    Mutant {
        name: "reads only application/json",
        caught_by: "body.json_and_text_and_missing_media_types_are_read",
        exchange: |broken, request| {
            let other = header(request, "content-type").is_some_and(|value| value.starts_with("text/"));
            broken.service.exchange(&if other {
                without_header(request, "content-type").header("Content-Type", "image/png")
            } else {
                request.clone()
            })
        },
    },
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
            with_json(broken, request, |json| {
                if let Some(client) = json.get_mut("client") {
                    client["updated_at"] = client["created_at"].clone();
                }
            })
        },
    },
    Mutant {
        name: "turns do_not_mail off again",
        caught_by: "clients_post.do_not_mail_goes_on_and_never_off",
        exchange: |broken, request| {
            with_json(broken, request, |json| {
                if let Some(client) = json.get_mut("client") {
                    client["do_not_mail"] = json!(false);
                }
            })
        },
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
        caught_by: "matching.a_conflict_saves_nothing_and_says_who_stood_in_the_way",
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
                broken.service.elapse(Duration::from_secs(broken.facts().client_delay_seconds));
                // For the case, no time has passed.
                return broken.service.exchange(request);
            }
            broken.service.exchange(request)
        },
    },
    Mutant {
        name: "leaves out what it does not know",
        caught_by: "clients_get.a_record_has_every_key_and_null_where_unknown",
        exchange: |broken, request| {
            with_json(broken, request, |json| {
                for row in json.get_mut("clients").and_then(Value::as_array_mut).into_iter().flatten() {
                    if let Some(members) = row.as_object_mut() {
                        members.retain(|_, value| !value.is_null());
                    }
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
        exchange: |broken, request| {
            broken.service.exchange(&Request {
                target: request.target.replace("external_id=A", "external_id=a"),
                ..request.clone()
            })
        },
    },
    Mutant {
        name: "starts again at a cursor it cannot read",
        caught_by: "cursors.an_altered_cursor_is_400",
        exchange: |broken, request| {
            let answer = broken.service.exchange(request)?;
            match request.target.split_once("?cursor=") {
                Some((path, _)) if answer.status == 400 => {
                    broken.service.exchange(&Request { target: path.to_owned(), ..request.clone() })
                }
                _ => Ok(answer),
            }
        },
    },
    Mutant {
        name: "ignores a filter beside a cursor",
        caught_by: "cursors.a_filter_that_is_present_must_be_equal",
        exchange: |broken, request| match request.target.split_once("&updated_since=") {
            Some((start, _)) if start.contains("cursor=") => {
                broken.service.exchange(&Request { target: start.to_owned(), ..request.clone() })
            }
            _ => broken.service.exchange(request),
        },
    },
    Mutant {
        name: "shows null where the account may not look",
        caught_by: "prospects.email_and_phone_come_only_with_contact_enrichment",
        exchange: |broken, request| {
            with_json(broken, request, |json| {
                for row in json.get_mut("prospects").and_then(Value::as_array_mut).into_iter().flatten() {
                    if let Some(members) = row.as_object_mut() {
                        members.entry("email").or_insert(Value::Null);
                    }
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
                return broken.service.exchange(&Request { target: "/api/v1/prospects".to_owned(), ..request.clone() });
            }
            Ok(answer)
        },
    },
    Mutant {
        name: "ignores Idempotency-Key",
        caught_by: "idempotency.the_same_request_again_gets_the_saved_answer",
        exchange: |broken, request| broken.service.exchange(&without_header(request, "idempotency-key")),
    },
    Mutant {
        name: "does not say that it replays",
        caught_by: "idempotency.a_replay_saves_nothing",
        exchange: |broken, request| after(broken, request, |answer| drop_header(answer, "idempotent-replayed")),
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
        name: "needs no operator token",
        caught_by: "operator_access.without_the_token_every_path_is_401",
        exchange: |broken, request| {
            let open = request.target.starts_with("/operator/") && header(request, "authorization").is_none();
            broken.service.exchange(&if open {
                request.clone().bearer(&broken.facts().operator_token)
            } else {
                request.clone()
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
            with_json(broken, request, |json| {
                if let Some(client) = json.get_mut("client")
                    && client["first_name"] == "Other"
                {
                    client["do_not_mail"] = json!(false);
                }
            })
        },
    },
    Mutant {
        name: "hides corrections",
        caught_by: "settlements_feed.a_correction_appears_again_under_the_same_id",
        exchange: |broken, request| {
            with_json(broken, request, |json| {
                for row in json.get_mut("settlements").and_then(Value::as_array_mut).into_iter().flatten() {
                    row["changed_at"] = row["begun_at"].clone();
                }
            })
        },
    },
];

fn header<'r>(request: &'r Request, name: &str) -> Option<&'r str> {
    request.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

fn without_header(request: &Request, name: &str) -> Request {
    let mut request = request.clone();
    request.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
    request
}

/// The request with its body's text altered.
fn with_text(request: &Request, alter: impl Fn(&str) -> String) -> Request {
    let mut request = request.clone();
    if let Body::Whole(bytes) = &request.body
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        request.body = Body::Whole(alter(text).into_bytes());
    }
    request
}

/// A settled case whose `new_settlement`, where not given, is that.
fn settled_with(request: &Request, new_settlement: bool) -> Request {
    with_text(request, |text| match serde_json::from_str::<Value>(text) {
        Ok(mut body) if request.target == "/api/v1/cases/settled" && body["new_settlement"].is_null() => {
            body["new_settlement"] = json!(new_settlement);
            body.to_string()
        }
        _ => text.to_owned(),
    })
}

/// The answer to the request, altered.
fn after(broken: &Broken<'_>, request: &Request, alter: impl FnOnce(&mut Answer)) -> Result<Answer, String> {
    let mut answer = broken.service.exchange(request)?;
    alter(&mut answer);
    Ok(answer)
}

/// The answer to the request, its JSON altered.
fn with_json(broken: &Broken<'_>, request: &Request, alter: impl FnOnce(&mut Value)) -> Result<Answer, String> {
    after(broken, request, |answer| alter(&mut answer.json))
}

fn drop_header(answer: &mut Answer, name: &str) {
    answer.headers.remove(name);
}

fn set_header(answer: &mut Answer, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        answer.headers.insert(HeaderName::from_static(name), value);
    }
}
