//! What waits for review in an account (rules J1 to J5).

use super::{listing, request::OperatorRequest, unexpected};
use crate::{
    api::{endpoints::client_history::push_author, error::ApiError, response::Response},
    cursor::Listing,
    json::{push_optional_text, push_text},
    platform::Platform,
    store::{NewReviewItem, OperatorAnswer, OperatorCommand, OperatorStore, ReviewItem},
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
