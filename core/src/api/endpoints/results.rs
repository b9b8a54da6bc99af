//! The results of a request's clients in JSON (rules H27 and H28), with explanations on request, and
//! without the ids that a dry run does not assign (rules X1 to X12 and X19).

use uuid::Uuid;

use super::upsert_status::UpsertStatus;
use crate::{
    client::{DO_NOT_MAIL_NOT_SAVED, Reading, Repair, SentValue, StoredValue},
    json::{push_optional_text, push_text},
    order,
    plan::{Explanation, MatchedBy, Plan, UpsertResult},
    store::{SIMILAR_SHOWN_MAX, SimilarClient},
};

/// The length of a result without a message and an explanation, in bytes.
const RESULT_BYTES: usize = 90;

/// A plan, to be shown to the caller.
pub(in crate::api) struct ResultsWriter<'p> {
    plan: &'p Plan,
    /// In a dry run, the ids that it does not assign, in ascending order.
    ids_of_nobody: Option<Vec<Uuid>>,
    /// One for each client, if the plan is explained.
    readings: Option<&'p [Reading]>,
    /// The possible duplicates that an explanation may name.
    similar: &'p [SimilarClient],
}

impl<'p> ResultsWriter<'p> {
    pub(in crate::api) fn new(plan: &'p Plan, dry_run: bool, readings: Option<&'p [Reading]>) -> Self {
        let created = || order::distinct(plan.change_set.created.iter().map(|client| client.id));
        Self { plan, ids_of_nobody: dry_run.then(created), readings, similar: &[] }
    }

    /// The same results, whose explanations name these possible duplicates, which are sorted by the ids of both.
    pub(in crate::api) fn with_similar(self, similar: &'p [SimilarClient]) -> Self {
        Self { similar, ..self }
    }

    /// About the length of an answer with these results, in bytes.
    pub(in crate::api) fn bytes(&self) -> usize {
        16 + RESULT_BYTES * self.plan.results.len()
    }

    /// In the order sent.
    pub(super) fn upsert_results(&self) -> &'p [UpsertResult] {
        &self.plan.results
    }

    /// Writes the JSON of one result. An answer has up to 500 of them, and only a message and an explanation
    /// need escapes.
    pub(super) fn push(&self, json: &mut String, index: usize, outcome: &UpsertResult) {
        let (status, id) = match outcome {
            UpsertResult::Created(id) => (UpsertStatus::Created, Some(id)),
            UpsertResult::Updated(id) => (UpsertStatus::Updated, Some(id)),
            UpsertResult::Conflict(_) => (UpsertStatus::Conflict, None),
            UpsertResult::Invalid(_) | UpsertResult::Nameless { .. } => (UpsertStatus::Error, None),
        };
        for part in ["{\"index\":", itoa::Buffer::new().format(index), ",\"status\":\"", status.name(), "\""] {
            json.push_str(part);
        }
        if let Some(id) = id.filter(|id| self.is_somebody(id)) {
            json.push_str(",\"id\":\"");
            json.push_str(id.hyphenated().encode_lower(&mut Uuid::encode_buffer()));
            json.push('"');
        }
        if id.is_none() {
            json.push_str(",\"message\":");
            push_text(json, &message(outcome));
        }
        if let Some(reading) = self.readings.and_then(|readings| readings.get(index)) {
            let explanation = self.plan.explanations.get(index).unwrap_or(&UNEXPLAINED);
            self.push_explanation(json, status, explanation, reading);
            if let Some(id) = id {
                self.push_similar(json, *id);
            }
        }
        json.push('}');
    }

    #[cold]
    #[inline(never)]
    fn push_explanation(&self, json: &mut String, status: UpsertStatus, explanation: &Explanation, reading: &Reading) {
        json.push_str(",\"matched_by\":");
        push_optional_text(json, explanation.matched_by.map(MatchedBy::name));
        json.push_str(",\"changed\":[");
        push_list(json, &explanation.changed, |json, field| push_text(json, field.name()));
        json.push_str("],\"repaired\":{");
        push_list(json, &reading.repairs, push_repair);
        json.push('}');
        if !reading.problems.is_empty() {
            json.push_str(",\"problems\":[");
            push_list(json, &reading.problems, |json, problem| {
                // None of these texts needs an escape.
                for (name, text) in [
                    ("{\"field", problem.field),
                    (",\"code", problem.kind.name()),
                    (",\"value_kind", problem.value_kind),
                ] {
                    [name, "\":\"", text, "\""].iter().for_each(|part| json.push_str(part));
                }
                json.push('}');
            });
            json.push(']');
        }
        if !reading.ignored.is_empty() {
            json.push_str(",\"ignored\":[");
            push_list(json, &reading.ignored, |json, name| push_text(json, name));
            json.push(']');
        }
        if explanation.line2_differs {
            json.push_str(LINE2_DIFFERS);
        }
        if status == UpsertStatus::Conflict {
            let candidates = explanation.candidates.iter().filter(|id| self.is_somebody(id));
            json.push_str(",\"candidates\":[");
            push_list(json, candidates, |json, id| push_text(json, &id.to_string()));
            json.push(']');
        }
    }

    /// Writes the possible duplicates of a client, with why each is one (rule X19).
    #[cold]
    fn push_similar(&self, json: &mut String, client: Uuid) {
        let similar = order::of_key(self.similar, &client, |similar| similar.client);
        if similar.is_empty() {
            return;
        }
        json.push_str(",\"similar\":[");
        push_list(json, similar.iter().take(SIMILAR_SHOWN_MAX), |json, similar| {
            json.push_str("{\"id\":");
            push_text(json, &similar.other.to_string());
            json.push_str(",\"reasons\":[");
            push_list(json, &similar.reasons, |json, reason| push_text(json, reason.name()));
            json.push_str("]}");
        });
        json.push(']');
    }

    /// Whether a client has this id after the request.
    fn is_somebody(&self, id: &Uuid) -> bool {
        self.ids_of_nobody.as_ref().is_none_or(|ids| ids.binary_search(id).is_err())
    }
}

/// What an explanation says of second lines that differ.
const LINE2_DIFFERS: &str = ",\"note\":\"line 2 differs\"";

/// The explanation of an outcome without one.
static UNEXPLAINED: Explanation =
    Explanation { matched_by: None, changed: Vec::new(), line2_differs: false, candidates: Vec::new() };

/// The message of a client that is not saved.
#[cold]
#[inline(never)]
pub(in crate::api) fn message(outcome: &UpsertResult) -> String {
    let (message, asked_do_not_mail) = match outcome {
        UpsertResult::Created(_) | UpsertResult::Updated(_) => return String::new(),
        UpsertResult::Conflict(conflict) => return conflict.to_string(),
        UpsertResult::Invalid(error) => return error.to_string(),
        UpsertResult::Nameless { has_external_id: true, do_not_mail } => {
            ("No client has this external_id yet; send first_name or last_name to add one.", *do_not_mail)
        }
        UpsertResult::Nameless { has_external_id: false, do_not_mail } => {
            ("A client needs first_name or last_name, or the external_id of a saved client.", *do_not_mail)
        }
    };
    [message, if asked_do_not_mail { DO_NOT_MAIL_NOT_SAVED } else { "" }].concat()
}

fn push_list<T>(json: &mut String, list: impl IntoIterator<Item = T>, push: impl Fn(&mut String, T)) {
    for (place, element) in list.into_iter().enumerate() {
        if place > 0 {
            json.push(',');
        }
        push(json, element);
    }
}

fn push_repair(json: &mut String, repair: &Repair) {
    push_text(json, repair.field.name());
    json.push_str(":{\"from\":");
    match &repair.from {
        SentValue::Text(text) => push_text(json, text),
        SentValue::Number(token) => json.push_str(token),
    }
    json.push_str(",\"to\":");
    match &repair.to {
        StoredValue::Text(text) => push_text(json, text),
        StoredValue::Bool(value) => json.push_str(if *value { "true" } else { "false" }),
    }
    json.push('}');
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{
        client::{ClientFields, Reading},
        matching::PersonHash,
        normalize::Field,
        plan::Conflict,
        store::{ChangeSet, NewClient},
    };

    const SAVED: Uuid = Uuid::from_u128(1);
    const MINTED: Uuid = Uuid::from_u128(2);

    /// A plan that creates one client and has this outcome.
    fn plan(outcome: UpsertResult, explanation: Option<Explanation>) -> Plan {
        let fields = ClientFields::default();
        let (person, fingerprint) = (PersonHash::default(), fields.fingerprint());
        let created = vec![NewClient { id: MINTED, fields, person, fingerprint }];
        Plan {
            results: vec![outcome],
            explanations: explanation.into_iter().collect(),
            change_set: ChangeSet { created, ..ChangeSet::default() },
        }
    }

    fn check(results: &ResultsWriter<'_>, index: usize, expected: &Value) {
        let mut json = String::new();
        results.push(&mut json, index, &results.upsert_results()[0]);
        assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), *expected, "{json}");
    }

    #[test]
    fn a_result_is_json_whatever_its_message_says() {
        let conflict = Conflict::with_one(SAVED, "A \\ 1\"\nis taken");
        let message = conflict.to_string();
        let plan = plan(UpsertResult::Conflict(conflict), None);
        check(
            &ResultsWriter::new(&plan, false, None),
            7,
            &json!({"index": 7, "status": "conflict", "message": message}),
        );
    }

    #[test]
    fn a_result_that_nobody_asked_about_has_its_three_members() {
        let plan = plan(UpsertResult::Created(MINTED), None);
        let mut json = String::new();
        ResultsWriter::new(&plan, false, None).push(&mut json, 0, &plan.results[0]);
        assert_eq!(json, r#"{"index":0,"status":"created","id":"00000000-0000-0000-0000-000000000002"}"#);
    }

    #[test]
    fn a_dry_run_gives_ids_of_saved_clients_only() {
        for (outcome, expected) in [
            (UpsertResult::Created(MINTED), json!({"index": 0, "status": "created"})),
            (UpsertResult::Updated(MINTED), json!({"index": 0, "status": "updated"})),
            (UpsertResult::Updated(SAVED), json!({"index": 0, "status": "updated", "id": SAVED})),
        ] {
            let plan = plan(outcome, None);
            check(&ResultsWriter::new(&plan, true, None), 0, &expected);
        }
    }

    #[test]
    fn an_explanation_is_json_whatever_was_sent() {
        let sent = Reading::of(r#"{"first_name": " \"A\"\t", "zip": 2134, "do_not_mail": "yes"}"#);
        let explanation = Explanation {
            matched_by: Some(MatchedBy::NameAddressZip),
            changed: vec![Field::FirstName, Field::DoNotMail],
            line2_differs: false,
            candidates: Vec::new(),
        };
        let plan = plan(UpsertResult::Updated(SAVED), Some(explanation));
        check(
            &ResultsWriter::new(&plan, false, Some(&[sent])),
            0,
            &json!({
                "index": 0, "status": "updated", "id": SAVED, "matched_by": "name_address_zip",
                "changed": ["first_name", "do_not_mail"],
                "repaired": {
                    "first_name": {"from": " \"A\"\t", "to": "\"A\""},
                    "zip": {"from": 2134, "to": "02134"},
                    "do_not_mail": {"from": "yes", "to": true},
                },
            }),
        );
    }

    #[test]
    fn a_conflict_names_who_is_in_the_way_and_in_a_dry_run_who_exists_of_them() {
        let explanation = Explanation { candidates: vec![SAVED, MINTED], ..Explanation::default() };
        let conflict = Conflict::with_one(SAVED, "A-1");
        let message = conflict.to_string();
        let plan = plan(UpsertResult::Conflict(conflict), Some(explanation));
        for (dry_run, candidates) in [(false, json!([SAVED, MINTED])), (true, json!([SAVED]))] {
            check(
                &ResultsWriter::new(&plan, dry_run, Some(&[Reading::default()])),
                0,
                &json!({
                    "index": 0, "status": "conflict", "message": message, "matched_by": null, "changed": [],
                    "repaired": {}, "candidates": candidates,
                }),
            );
        }
    }
}
