//! Possible duplicates among the clients of an account (rules Y5 to Y8).

use super::{
    input::fields,
    listing,
    request::{OperatorRequest, PathParameters},
    unexpected,
};
use crate::{
    api::{error::ApiError, query::Query, response::Response},
    client::push_client,
    cursor::{Cursor, Listing},
    json::{push_optional_text, push_text},
    normalize::{self, FieldValue},
    platform::Platform,
    similar::{CompareError, Compared, Comparison, Nicknames, compare},
    store::{
        ClientPair, OperatorAnswer, OperatorCommand, OperatorStore, SimilarDecision, SimilarFilter, SimilarPage,
        SimilarPair,
    },
    time::Timestamp,
};

pub(super) async fn list<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let account = request.path.account;
    let query = Query::parse(request.context.head.uri.query(), &["limit", "cursor", "letters", "decided"])?;
    let (cursor, limit) = listing::place(request.context, Listing::Similar, account)?;
    let place = cursor.as_ref().and_then(Cursor::pair);
    // A cursor keeps the flags of its list (rule C4).
    let flag = |name: &str, of_cursor: Option<bool>| match (query.flag(name)?, of_cursor) {
        (given, Some(kept)) if given != kept && query.text(name).is_some() => {
            Err(ApiError::invalid(format!("{name} differs from that of the cursor; leave it out.")))
        }
        (given, of_cursor) => Ok(of_cursor.unwrap_or(given)),
    };
    let filter = SimilarFilter {
        decided: flag("decided", place.map(|(_, filter)| filter.decided))?,
        letters: flag("letters", place.map(|(_, filter)| filter.letters))?,
    };
    let command = OperatorCommand::ListSimilar { account, filter, after: place.map(|(pair, _)| pair), limit };
    match request.run(command, "similar.list", account.to_string()).await? {
        OperatorAnswer::Similar(SimilarPage { pairs, compared_at, next }) => {
            let mut json = "{\"similar\":[".to_owned();
            for (place, pair) in pairs.iter().enumerate() {
                json.push_str(if place > 0 { "," } else { "" });
                push_pair(&mut json, pair);
            }
            json.push(']');
            push_time(&mut json, "compared_at", compared_at);
            json.push_str(",\"next_cursor\":");
            let next = next.map(|pair| Cursor::of_pair(account, pair, filter).to_text());
            push_optional_text(&mut json, next.as_deref());
            json.push('}');
            Ok(Response::ok_json(json))
        }
        _ => unexpected(),
    }
}

/// Compares the clients of the account now.
pub(super) async fn find<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let account = request.path.account;
    let (names, clients_max) = (request.platform.nicknames(), request.platform.compared_clients_max());
    let comparison = Comparison { nicknames: Nicknames::parse(&names), clients_max };
    match compare(request.store, account, &comparison, request.context.now).await {
        Ok(Compared { clients, is_complete, pairs, at }) => {
            let mut json = format!("{{\"compared\":{clients},\"is_complete\":{is_complete},\"pairs\":{pairs}");
            push_time(&mut json, "compared_at", Some(at));
            json.push('}');
            Ok(Response::ok_json(json))
        }
        Err(CompareError::Refused(refusal)) => Err(super::refusal::answer(refusal)),
        Err(CompareError::Failed(error)) => Err(error.into()),
    }
}

/// Decides about a pair, or takes a decision back.
pub(super) async fn decide<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let decision = fields(&request.text, &["decision"], |reader| {
        reader.read("decision", |value: &FieldValue<'_>| normalize::text(value, 200))
    })?;
    let decision = match decision.as_deref() {
        Some("open") => None,
        Some(name) if SimilarDecision::of_name(name).is_some() => SimilarDecision::of_name(name),
        _ => return Err(ApiError::invalid("decision must be same, different or open.")),
    };
    let PathParameters { account, id, other, .. } = request.path;
    let pair = ClientPair::of(id, other);
    let command = OperatorCommand::DecideSimilar { account, pair, decision };
    match request.run(command, "similar.decide", pair.to_string()).await? {
        OperatorAnswer::SimilarPair(pair) => {
            let mut json = "{\"similar\":".to_owned();
            push_pair(&mut json, &pair);
            json.push('}');
            Ok(Response::ok_json(json))
        }
        _ => unexpected(),
    }
}

fn push_pair(json: &mut String, pair: &SimilarPair) {
    json.push_str("{\"clients\":[");
    for (place, client) in pair.clients.iter().enumerate() {
        json.push_str(if place > 0 { "," } else { "" });
        push_client(json, &client.borrowed());
    }
    json.push_str("],\"reasons\":[");
    for (place, reason) in pair.reasons.iter().enumerate() {
        json.push_str(if place > 0 { "," } else { "" });
        push_text(json, reason.name());
    }
    json.push(']');
    push_time(json, "found_at", Some(pair.found_at));
    let decided = pair.decided.as_ref();
    json.push_str(",\"decision\":");
    push_optional_text(json, decided.map(|decided| decided.decision.name()));
    push_time(json, "decided_at", decided.map(|decided| decided.at));
    json.push_str(",\"decided_by\":");
    push_optional_text(json, decided.map(|decided| decided.by.as_str()));
    json.push('}');
}

/// A further member with a time, or null.
fn push_time(json: &mut String, name: &str, time: Option<Timestamp>) {
    json.push_str(&format!(",\"{name}\":"));
    push_optional_text(json, time.map(|time| time.to_string()).as_deref());
}
