//! A change of an account's clients: what an undo of it would do, and the undo (rules Q1 to Q6).

use uuid::Uuid;

use super::{
    request::{OperatorRequest, PathParameters},
    unexpected,
};
use crate::{
    api::{endpoints::client_history, error::ApiError, query::Query, response::Response},
    json::{push_optional_text, push_text},
    platform::Platform,
    store::{OperatorAnswer, OperatorCommand, OperatorStore},
    undo::{Left, TurnedItem, UndoReport},
};

/// Shows a change with what an undo of it would do.
pub(super) async fn show<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let query = Query::parse(request.context.head.uri.query(), &["cursor"])?;
    run(request, &query, true).await
}

/// Takes a change back, or with `dry_run` tells what that would do.
pub(super) async fn undo<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let query = Query::parse(request.context.head.uri.query(), &["cursor", "dry_run"])?;
    let dry_run = query.flag("dry_run")?;
    run(request, &query, dry_run).await
}

async fn run<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
    query: &Query,
    dry_run: bool,
) -> Result<Response, ApiError> {
    let PathParameters { account, id, .. } = request.path;
    let client_delay_seconds = request.settings.client_delay_seconds;
    let after = query
        .text("cursor")
        .map(|text| Uuid::try_parse(text).map_err(|_| ApiError::invalid(format!("{}.", crate::cursor::CursorError))));
    let after = after.transpose()?;
    let command = OperatorCommand::UndoChange { account, change: id, after, client_delay_seconds, dry_run };
    match request.run(command, "change.undo", id.to_string()).await? {
        OperatorAnswer::Undone(report) => Ok(Response::ok_json(body(&report, dry_run))),
        _ => unexpected(),
    }
}

fn body(report: &UndoReport, dry_run: bool) -> String {
    let change = &report.change;
    let mut json = format!("{{\"change\":{{\"request_id\":\"{}\",\"import_id\":", change.request_id);
    push_optional_text(&mut json, change.import_id.map(|id| id.to_string()).as_deref());
    json.push_str(",\"at\":\"");
    change.at.push(&mut json);
    json.push_str("\",\"by\":");
    client_history::push_author(&mut json, &change.by);
    json.push_str(&format!(
        ",\"created\":{},\"changed\":{}}},\"undo\":{{\"dry_run\":{dry_run},\"clients\":[",
        change.created, change.changed
    ));
    for (id, action, fields) in report.clients() {
        separate(&mut json);
        json.push_str(&format!("{{\"id\":\"{id}\",\"action\":\"{action}\",\"changed\":"));
        client_history::push_changed(&mut json, &fields);
        json.push('}');
    }
    json.push_str("],\"left\":[");
    for Left { client, field, reason } in &report.undo.left {
        separate(&mut json);
        json.push_str(&format!("{{\"id\":\"{client}\",\"field\":"));
        push_optional_text(&mut json, field.map(|field| field.name()));
        json.push_str(",\"reason\":");
        push_text(&mut json, reason.name());
        json.push('}');
    }
    json.push_str("],\"review\":");
    match report.undo.item {
        Some(TurnedItem { id, waits }) => json.push_str(&format!("{{\"id\":\"{id}\",\"waits\":{waits}}}")),
        None => json.push_str("null"),
    }
    json.push_str("},\"next_cursor\":");
    push_optional_text(&mut json, report.next.map(|id| id.to_string()).as_deref());
    json.push('}');
    json
}

fn separate(json: &mut String) {
    if json.ends_with('}') {
        json.push(',');
    }
}
