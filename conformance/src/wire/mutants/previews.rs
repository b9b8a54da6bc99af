//! Mutants of dry runs and explanations.

use serde_json::{Value, json};

use super::{
    Broken, Mutant, after, at, count_one_less, header, with_json, with_status, with_target, with_text, without_header,
};
use crate::wire::{Answer, Request};

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "ignores dry_run",
        caught_by: "dry_run.a_batch_is_answered_as_it_would_be",
        exchange: |broken, request| broken.service.exchange(&for_real(request)),
    },
    Mutant {
        name: "answers a dry run as it should, and saves",
        caught_by: "dry_run.nothing_is_saved",
        exchange: |broken, request| {
            let answer = broken.service.exchange(request)?;
            if is_tried(request) && answer.status == 200 {
                broken.service.exchange(&for_real(request))?;
            }
            Ok(answer)
        },
    },
    Mutant {
        name: "gives an id to whom a dry run would create",
        caught_by: "dry_run.ids_are_those_of_clients_who_exist",
        exchange: |broken, request| {
            with_results(broken, request, |result| {
                if is_tried(request) && result["status"] == "created" {
                    result["id"] = json!(NOBODY);
                }
            })
        },
    },
    Mutant {
        name: "hides the ids of saved clients in a dry run",
        caught_by: "dry_run.ids_are_those_of_clients_who_exist",
        exchange: |broken, request| {
            with_results(broken, request, |result| {
                if is_tried(request) {
                    remove(result, &["id"]);
                }
            })
        },
    },
    Mutant {
        name: "answers the dry run of a conflict with 200",
        caught_by: "dry_run.a_settled_case_is_answered_as_it_would_be",
        exchange: |broken, request| {
            if is_tried(request) { with_status(broken, request, 409, 200) } else { broken.service.exchange(request) }
        },
    },
    Mutant {
        name: "answers a dry run without a plan",
        caught_by: "plans.a_dry_run_has_a_plan_and_a_request_for_real_has_none",
        exchange: |broken, request| after(broken, request, |answer| remove(&mut answer.json, &["plan"])),
    },
    Mutant {
        name: "saves whatever the plan says",
        caught_by: "plans.a_plan_whose_results_have_changed_saves_nothing_and_shows_those_of_now",
        exchange: |broken, request| with_target(broken, request, "?plan=", "?x="),
    },
    Mutant {
        name: "refuses a plan without the results of now",
        caught_by: "plans.a_plan_whose_results_have_changed_saves_nothing_and_shows_those_of_now",
        exchange: |broken, request| {
            after(broken, request, |answer| {
                if answer.status == 409 {
                    remove(&mut answer.json, &["results"]);
                }
            })
        },
    },
    Mutant {
        name: "replays a saved answer to a dry run",
        caught_by: "dry_run.an_idempotency_key_is_checked_and_not_used",
        exchange: |broken, request| {
            let is_keyed = header(request, "idempotency-key").is_some();
            broken.service.exchange(&if is_keyed { for_real(request) } else { request.clone() })
        },
    },
    Mutant {
        name: "does not look at the Idempotency-Key of a dry run",
        caught_by: "dry_run.an_idempotency_key_is_checked_and_not_used",
        exchange: |broken, request| {
            let without = without_header(request, "idempotency-key");
            broken.service.exchange(if is_tried(request) { &without } else { request })
        },
    },
    Mutant {
        name: "does not count a dry run",
        caught_by: "dry_run.it_counts_toward_the_rate_limit",
        exchange: |broken, request| {
            after(broken, request, |answer| {
                if is_tried(request) && !broken.once() {
                    count_one_less(answer);
                }
            })
        },
    },
    Mutant {
        name: "reads dry_run=1 as a request for real",
        caught_by: "parameters.dry_run_and_explain_are_true_or_false",
        exchange: |broken, request| with_target(broken, request, "dry_run=1", "dry_run=false"),
    },
    Mutant {
        name: "ignores dry_run where it has no effect",
        caught_by: "parameters.dry_run_and_explain_are_refused_where_they_have_no_effect",
        exchange: |broken, request| {
            let is_get = request.method == "GET";
            broken.service.exchange(&if is_get { for_real(request) } else { request.clone() })
        },
    },
    Mutant {
        name: "ignores dry_run in a body, and saves",
        caught_by: "parameters.dry_run_and_explain_are_refused_where_they_have_no_effect",
        exchange: |broken, request| {
            broken.service.exchange(&with_text(request, |text| text.replace("\"dry_run\":", "\"x\":")))
        },
    },
    Mutant {
        name: "explains unasked",
        caught_by: "explain.nobody_who_does_not_ask_is_told",
        exchange: |broken, request| with_target(broken, request, "explain=false", "explain=true"),
    },
    Mutant {
        name: "says of everybody that the id found it",
        caught_by: "explain.it_says_by_what_a_client_was_found",
        exchange: |broken, request| {
            with_results(broken, request, |result| {
                if result["matched_by"].is_string() {
                    result["matched_by"] = json!("external_id");
                }
            })
        },
    },
    Mutant {
        name: "lists what was sent as what changed",
        caught_by: "explain.it_says_what_changed",
        exchange: |broken, request| {
            with_results(broken, request, |result| {
                if result["status"] == "updated" && result["changed"] == json!([]) {
                    result["changed"] = json!(["external_id"]);
                }
            })
        },
    },
    Mutant {
        name: "lists changes by the alphabet",
        caught_by: "explain.it_says_what_changed",
        exchange: |broken, request| {
            with_array(broken, request, "changed", |changed| changed.sort_by_key(Value::to_string))
        },
    },
    Mutant {
        name: "says what a number was sent as in the words of a text",
        caught_by: "explain.it_says_what_was_repaired",
        exchange: |broken, request| {
            with_results(broken, request, |result| {
                for (_, repair) in result["repaired"].as_object_mut().into_iter().flatten() {
                    if repair["from"].is_number() {
                        repair["from"] = json!(repair["from"].to_string());
                    }
                }
            })
        },
    },
    Mutant {
        name: "tells nothing of the repairs of an error",
        caught_by: "explain.an_error_has_the_repairs_of_what_can_be_read",
        exchange: |broken, request| {
            with_results(broken, request, |result| {
                if result["status"] == "error" && result["repaired"].is_object() {
                    result["repaired"] = json!({});
                }
            })
        },
    },
    Mutant {
        name: "names one of those in the way",
        caught_by: "explain.a_conflict_names_who_is_in_the_way_the_oldest_first",
        exchange: |broken, request| with_array(broken, request, "candidates", |all| all.truncate(1)),
    },
    Mutant {
        name: "names the youngest in the way first",
        caught_by: "explain.a_conflict_names_who_is_in_the_way_the_oldest_first",
        exchange: |broken, request| with_array(broken, request, "candidates", |all| all.reverse()),
    },
    Mutant {
        name: "names no possible duplicates",
        caught_by: "similar.an_explanation_names_possible_duplicates_until_they_are_two_people",
        exchange: |broken, request| with_results(broken, request, |result| remove(result, &["similar"])),
    },
    Mutant {
        name: "names in a dry run whom it would create",
        caught_by: "explain.a_dry_run_explains_and_names_only_who_exists",
        exchange: |broken, request| {
            with_array(broken, request, "candidates", |all| {
                if is_tried(request) {
                    all.push(json!(NOBODY));
                }
            })
        },
    },
    Mutant {
        name: "does not explain a settled case that is in conflict",
        caught_by: "explain.a_settled_case_is_explained_in_a_conflict_too",
        exchange: |broken, request| {
            after(broken, request, |answer| {
                if answer.status == 409 {
                    let members = ["matched_by", "changed", "repaired", "candidates"];
                    results(&mut answer.json).into_iter().for_each(|result| remove(result, &members));
                }
            })
        },
    },
    Mutant {
        name: "replays an answer without its explanation",
        caught_by: "explain_replays.an_explained_answer_is_replayed_as_it_was",
        exchange: |broken, request| {
            after(broken, request, |answer| {
                if answer.header("idempotent-replayed").is_some() {
                    let members = ["matched_by", "changed", "repaired"];
                    results(&mut answer.json).into_iter().for_each(|result| remove(result, &members));
                }
            })
        },
    },
    Mutant {
        name: "takes a request with and without explain for one",
        caught_by: "explain_replays.an_explained_answer_is_replayed_as_it_was",
        exchange: |broken, request| {
            let is_told = header(request, "idempotency-key") == Some("told");
            let target = request.target.replace("?explain=true", "") + "?explain=true";
            broken.service.exchange(&if is_told { at(request, target) } else { request.clone() })
        },
    },
];

/// An id that no client has.
const NOBODY: &str = "00000000-0000-7000-8000-000000000000";

fn is_tried(request: &Request) -> bool {
    request.target.contains("dry_run=true")
}

fn for_real(request: &Request) -> Request {
    at(request, request.target.replace("dry_run=", "x="))
}

/// The results of an answer to either POST.
fn results(json: &mut Value) -> Vec<&mut Value> {
    let Some(object) = json.as_object_mut() else { return Vec::new() };
    object
        .iter_mut()
        .flat_map(|(name, value)| match (name.as_str(), value) {
            ("results", Value::Array(results)) => results.iter_mut().collect(),
            ("result", result) => vec![result],
            _ => Vec::new(),
        })
        .collect()
}

/// The answer to the request, each of its results altered.
fn with_results(broken: &Broken<'_>, request: &Request, alter: impl Fn(&mut Value)) -> Result<Answer, String> {
    with_json(broken, request, |json| results(json).into_iter().for_each(alter))
}

/// The answer to the request, that array of each of its results altered.
fn with_array(
    broken: &Broken<'_>,
    request: &Request,
    member: &str,
    alter: impl Fn(&mut Vec<Value>),
) -> Result<Answer, String> {
    with_results(broken, request, |result| {
        if let Some(Value::Array(array)) = result.get_mut(member) {
            alter(array);
        }
    })
}

fn remove(result: &mut Value, members: &[&str]) {
    if let Some(object) = result.as_object_mut() {
        object.retain(|member, _| !members.contains(&member.as_str()));
    }
}
