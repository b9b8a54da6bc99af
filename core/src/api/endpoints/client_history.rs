//! `GET /clients/{id}/history`: what changed of one client, by whom and when (rules V15 to V17).

use uuid::Uuid;

use crate::{
    api::{
        Api, access, caller::Caller, error::ApiError, limits::PAGE_LIMIT_DEFAULT, query::Query,
        request_context::RequestContext, response::Response,
    },
    cursor::{Cursor, Listing},
    json::{push_optional_text, push_text},
    key::KeyScope,
    normalize::Field,
    plan::MatchedBy,
    platform::Platform,
    rate_limiter::RateLimiter,
    store::{ChangeAuthor, ClientChange, ClientHistory, FieldChange, HistoryQuery, Position, Store, View},
    time::Timestamp,
};

impl<S: Store, L: RateLimiter, P: Platform> Api<S, L, P> {
    pub(in crate::api) async fn client_history(
        &self,
        context: &RequestContext<'_>,
        caller: &mut Caller,
        id: &str,
    ) -> Result<Response, ApiError> {
        // A text that is no id is the id of no client. The key is checked all the same.
        let client = Uuid::try_parse(id).unwrap_or_default();
        let (before, limit) = place(context, caller.account, client)?;
        let view = View { now: context.now, delay_seconds: self.settings.client_delay_seconds };
        let query = HistoryQuery { client, view, before, limit };
        let page = self.store.history(&caller.key, &query).await?;
        let page = self.live(caller, page)?;
        caller.note_last_use(&page.key_owner);
        access::check_access(&page.key_owner)?;
        access::check_scope(&page.key_owner, KeyScope::Clients)?;
        let history = page.history.ok_or_else(ApiError::no_shown_client)?;
        Ok(Response::ok_json(body(&history, caller.account, client)))
    }
}

/// The time before which a page begins, and its length.
pub(in crate::api) fn place(
    context: &RequestContext<'_>,
    account: Uuid,
    client: Uuid,
) -> Result<(Option<Timestamp>, u32), ApiError> {
    let query = Query::parse(context.head.uri.query(), &["limit", "cursor"])?;
    let limit = query.limit(PAGE_LIMIT_DEFAULT)?;
    let Some(text) = query.text("cursor") else { return Ok((None, limit)) };
    let cursor = Cursor::parse(text, Listing::History, account).ok().filter(|cursor| cursor.position.id == client);
    let cursor = cursor.ok_or_else(|| ApiError::invalid(format!("{}.", crate::cursor::CursorError)))?;
    Ok((Some(cursor.position.at), limit))
}

/// The JSON of a page.
pub(in crate::api) fn body(history: &ClientHistory, account: Uuid, client: Uuid) -> String {
    let mut json = "{\"changes\":[".to_owned();
    for change in &history.changes {
        if json.ends_with('}') {
            json.push(',');
        }
        push_change(&mut json, change);
    }
    json.push_str("],\"next_cursor\":");
    let next = history.next.map(|at| Cursor::new(Listing::History, account, Position { at, id: client }).to_text());
    push_optional_text(&mut json, next.as_deref());
    json.push('}');
    json
}

fn push_change(json: &mut String, change: &ClientChange) {
    json.push_str("{\"at\":\"");
    change.at.push(json);
    json.push_str("\",\"by\":");
    match &change.by {
        None => json.push_str("null"),
        Some(by) => push_author(json, by),
    }
    for (name, id) in [("request_id", change.request_id), ("import_id", change.import_id)] {
        json.push_str(&format!(",\"{name}\":"));
        push_optional_text(json, id.map(|id| id.to_string()).as_deref());
    }
    json.push_str(",\"matched_by\":");
    push_optional_text(json, change.matched_by.map(MatchedBy::name));
    json.push_str(",\"changed\":");
    push_changed(json, &change.fields());
    json.push('}');
}

/// Who made a change.
pub(in crate::api) fn push_author(json: &mut String, by: &ChangeAuthor) {
    json.push_str("{\"kind\":");
    push_text(json, by.kind.name());
    json.push_str(",\"label\":");
    push_optional_text(json, by.label.as_deref());
    json.push('}');
}

/// Fields, each with both values.
pub(in crate::api) fn push_changed(json: &mut String, changed: &[FieldChange]) {
    json.push('[');
    for FieldChange { field, from, to } in changed {
        if json.ends_with('}') {
            json.push(',');
        }
        json.push_str("{\"field\":");
        push_text(json, field.name());
        for (name, value) in [("from", from), ("to", to)] {
            json.push_str(&format!(",\"{name}\":"));
            match value.as_deref() {
                Some(flag) if *field == Field::DoNotMail => json.push_str(if flag == "yes" { "true" } else { "false" }),
                text => push_optional_text(json, text),
            }
        }
        json.push('}');
    }
    json.push(']');
}
