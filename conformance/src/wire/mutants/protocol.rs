//! Mutants of the protocol: who is let in, what is read, which headers come back.

use super::{
    Mutant, after, at, count_one_less, drop_header, header, set_header, tell, with_status, with_target, without_header,
};
use crate::wire::{Body, Request, Service as _};

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "answers a POST with 201",
        caught_by: "clients_post.a_new_client_is_created_and_a_known_one_updated",
        exchange: |broken, request| match request.method.as_str() {
            "POST" => with_status(broken, request, 200, 201),
            _ => broken.service.exchange(request),
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
        name: "lets the viewer's page run anything",
        caught_by: "viewer.the_page_may_run_and_ask_for_nothing_from_elsewhere",
        exchange: |broken, request| after(broken, request, |answer| drop_header(answer, "content-security-policy")),
    },
    Mutant {
        name: "does not say how the viewer's files are coded",
        caught_by: "viewer.what_the_page_names_is_there_and_may_be_kept",
        exchange: |broken, request| after(broken, request, |answer| drop_header(answer, "content-encoding")),
    },
    Mutant {
        name: "answers a trailing slash like the viewer's page",
        caught_by: "viewer.beside_the_viewer_there_is_nothing",
        exchange: |broken, request| {
            let is_page = request.target == "/docs/";
            broken.service.exchange(&if is_page { at(request, "/docs") } else { request.clone() })
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
        name: "tells a revoked key that the limit is used up",
        caught_by: "just_used.a_key_revoked_at_its_limit_is_401_not_429",
        exchange: |broken, request| {
            after(broken, request, |answer| {
                if answer.status == 401 {
                    tell(answer, 429, "rate_limited");
                }
            })
        },
    },
    Mutant {
        name: "tells a revoked key what is wrong with its parameters",
        caught_by: "just_used.a_key_revoked_after_a_use_is_401_whatever_is_asked",
        exchange: |broken, request| {
            after(broken, request, |answer| {
                if answer.status == 401 && request.target.contains("limit=0") {
                    tell(answer, 400, "invalid_request");
                }
            })
        },
    },
    Mutant {
        name: "says what is left of a revoked key's limit",
        caught_by: "just_used.a_key_revoked_after_a_use_is_401_whatever_is_asked",
        exchange: |broken, request| {
            after(broken, request, |answer| {
                if answer.status == 401 {
                    set_header(answer, "ratelimit", "\"default\";r=119;t=60");
                }
            })
        },
    },
    Mutant {
        name: "goes by the access of a moment ago where the body is wrong",
        caught_by: "just_used.an_account_suspended_after_a_use_is_told_so_first",
        exchange: |broken, request| {
            after(broken, request, |answer| {
                let is_wrong = matches!(&request.body, Body::Whole(body) if body == b"not json");
                if answer.status == 403 && is_wrong {
                    tell(answer, 400, "invalid_request");
                }
            })
        },
    },
    Mutant {
        name: "goes by the bundle of a moment ago where the parameters are wrong",
        caught_by: "just_used.a_withdrawn_bundle_is_reported_before_wrong_parameters",
        exchange: |broken, request| {
            after(broken, request, |answer| {
                if answer.at("/error/code") == "bundle_required" && request.target.contains('?') {
                    tell(answer, 400, "invalid_request");
                }
            })
        },
    },
    Mutant {
        name: "does not count a request that was refused for lost access",
        caught_by: "just_used.requests_before_and_after_a_change_count_alike",
        exchange: |broken, request| {
            after(broken, request, |answer| {
                if answer.status == 403 {
                    count_one_less(answer);
                }
            })
        },
    },
    Mutant {
        name: "checks the parameters before the bundle",
        caught_by: "access_order.bundle_comes_after_the_path_and_before_the_parameters",
        exchange: |broken, request| {
            let answer = broken.service.exchange(request)?;
            if answer.at("/error/code") == "bundle_required" && request.target.contains("limit=0") {
                return with_target(broken, request, "/prospects", "/clients");
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
                    count_one_less(answer);
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
        exchange: |broken, request| broken.service.exchange(&at(request, request.target.trim_end_matches('/'))),
    },
    Mutant {
        name: "forgets Allow",
        caught_by: "errors.a_wrong_method_is_405_with_allow",
        exchange: |broken, request| after(broken, request, |answer| drop_header(answer, "allow")),
    },
    Mutant {
        name: "takes the first of two values",
        caught_by: "parameters.a_known_parameter_given_twice_is_400",
        exchange: |broken, request| with_target(broken, request, "limit=5&limit=5", "limit=5"),
    },
    Mutant {
        name: "calls a large body malformed",
        caught_by: "body.over_the_limit_is_413_and_delivered",
        exchange: |broken, request| with_status(broken, request, 413, 400),
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
];
