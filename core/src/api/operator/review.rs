//! What waits for review in an account (rules J1 to J5).

use uuid::Uuid;

use super::{
    input::fields,
    listing, refusal,
    request::{OperatorRequest, PathParameters},
    unexpected,
};
use crate::{
    api::{endpoints::client_history::push_author, error::ApiError, response::Response},
    client::push_client,
    cursor::Listing,
    json::{push_optional_text, push_text},
    normalize::{self, FieldValue},
    platform::Platform,
    store::{NewReviewItem, OperatorAnswer, OperatorCommand, OperatorStore, Refusal, ReviewDecision, ReviewItem},
};

pub(super) async fn list<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let account = request.path.account;
    let (before, limit) = listing::place(request.context, Listing::Review, account)?;
    let before = before.map(|cursor| cursor.position);
    let seen_since = request.settings.retention.review_since(request.context.now);
    let command = OperatorCommand::ListReview { account, seen_since, before, limit };
    match request.run(command, "review.list", account.to_string()).await? {
        OperatorAnswer::Review(items, next) => {
            let mut json = "{\"review\":[".to_owned();
            for (place, item) in items.iter().enumerate() {
                json.push_str(if place > 0 { "," } else { "" });
                push_item(&mut json, item);
            }
            json.push_str("],\"next_cursor\":");
            push_optional_text(&mut json, listing::next_cursor(next, Listing::Review, account).as_deref());
            json.push('}');
            Ok(Response::ok_json(json))
        }
        _ => unexpected(),
    }
}

/// Decides about an item.
pub(super) async fn resolve<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let (decision, client) = fields(&request.text, &["decision", "client"], |reader| {
        let text = |value: &FieldValue<'_>| normalize::text(value, 200);
        (reader.read("decision", text), reader.read("client", text))
    })?;
    let decision = match (decision.as_deref(), client.as_deref()) {
        (Some("same"), Some(client)) => {
            ReviewDecision::Same(Uuid::try_parse(client).map_err(|_| refusal::answer(Refusal::NoClient))?)
        }
        (Some("same"), None) => {
            return Err(ApiError::invalid("client is missing; send the id of the client that it is."));
        }
        (Some("another" | "leave"), Some(_)) => {
            return Err(ApiError::invalid("client is only for the decision same."));
        }
        (Some("another"), None) => ReviewDecision::Another,
        (Some("leave"), None) => ReviewDecision::Leave,
        _ => return Err(ApiError::invalid("decision must be same, another or leave.")),
    };
    let PathParameters { account, id: item, .. } = request.path;
    let (mint, client_delay_seconds) = (request.context.mint, request.settings.client_delay_seconds);
    let command = OperatorCommand::ResolveReview { account, item, decision, mint, client_delay_seconds };
    match request.run(command, "review.decide", item.to_string()).await? {
        OperatorAnswer::Resolved(client) => {
            let mut json = format!("{{\"review\":{{\"id\":\"{item}\",\"client\":");
            match client {
                Some(client) => push_client(&mut json, &client.borrowed()),
                None => json.push_str("null"),
            }
            json.push_str(&format!(",\"request_id\":\"{}\"}}}}", request.context.request_id));
            Ok(Response::ok_json(json))
        }
        _ => unexpected(),
    }
}

fn push_item(json: &mut String, review: &ReviewItem) {
    let NewReviewItem { id, status, message, sent, candidates, .. } = &review.item;
    json.push_str(&format!("{{\"id\":\"{id}\",\"status\":\"{}\",\"message\":", status.name()));
    push_text(json, message);
    // It was written as a JSON object.
    json.push_str(",\"sent\":");
    json.push_str(sent.as_deref().unwrap_or("null"));
    json.push_str(",\"candidates\":[");
    for (place, id) in candidates.iter().enumerate() {
        json.push_str(if place > 0 { "," } else { "" });
        push_text(json, &id.to_string());
    }
    json.push_str("],\"by\":");
    push_author(json, &review.by);
    json.push_str(&format!(",\"request_id\":\"{}\",\"import_id\":", review.request_id));
    push_optional_text(json, review.import_id.map(|id| id.to_string()).as_deref());
    for (name, time) in [("first_seen_at", review.first_seen_at), ("last_seen_at", review.last_seen_at)] {
        json.push_str(&format!(",\"{name}\":\""));
        time.push(json);
        json.push('"');
    }
    json.push('}');
}
