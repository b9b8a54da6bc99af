//! An account as rows: its export, and its import elsewhere (rules O30 to O36).

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use smol_str::SmolStr;
use uuid::Uuid;

use super::{request::OperatorRequest, unexpected};
use crate::{
    api::{
        error::{ApiError, ErrorCode},
        query::Query,
        response::Response,
    },
    json::push_text,
    key::KeySecretCheck,
    platform::Platform,
    store::{
        AccountImport, AccountImportState, ExportHead, ExportPage, OperatorAnswer, OperatorCommand, OperatorStore,
        TransferDigest,
    },
};

/// The version of the form of an export.
const FORM: u32 = 1;

/// The most rows of an import in one request.
const ROWS_MAX: usize = 500;

const OTHER_SECRET: &str = "The account's keys were made with a key secret that this service does not have, so it would \
                            refuse them all. Start it with that secret, or import with revoke_keys.";

/// The first line of an export.
#[derive(Deserialize)]
struct HeadBody<'a> {
    matterbook_account: u32,
    account: Uuid,
    key_secrets: Vec<SmolStr>,
    is_suspended: bool,
    #[serde(borrow)]
    tables: &'a RawValue,
    #[serde(borrow)]
    row: &'a RawValue,
}

#[derive(Deserialize)]
struct BeginBody<'a> {
    #[serde(borrow)]
    head: &'a RawValue,
    row_count: u32,
    digest: SmolStr,
    #[serde(default)]
    revoke_keys: bool,
}

#[derive(Deserialize)]
struct RowsBody<'a> {
    from: u32,
    #[serde(borrow)]
    rows: Vec<&'a RawValue>,
}

#[derive(Serialize)]
struct ImportBody {
    import: ImportMember,
}

#[derive(Serialize)]
struct ImportMember {
    account: Uuid,
    digest: String,
    row_count: i64,
    received_rows: i64,
    is_done: bool,
}

/// A page of the account's rows (rule O30).
pub(super) async fn export<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let account = request.path.account;
    let query = Query::parse(request.context.head.uri.query(), &["cursor"])?;
    let after = query.text("cursor").map(place).transpose()?;
    let command = OperatorCommand::ExportAccount { account, after };
    match request.run(command, "account.export", account.to_string()).await? {
        OperatorAnswer::Exported(page) => Ok(Response::ok_json(page_body(request, account, &page))),
        _ => unexpected(),
    }
}

/// Begins an import, or tells how far it has come (rules O32 and O33).
pub(super) async fn begin<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let account = request.path.account;
    let BeginBody { head, row_count, digest, revoke_keys } = serde_json::from_str(&request.text)
        .map_err(|_| ApiError::invalid("The body needs head, row_count and digest, as the export has them."))?;
    let head_digest = TransferDigest::of_head(head.get());
    let head: HeadBody<'_> = serde_json::from_str(head.get())
        .map_err(|_| ApiError::invalid("head is not the first line of the export of an account."))?;
    if head.matterbook_account != FORM || head.account != account {
        return Err(ApiError::invalid("head is of another account, or was made by a newer version of the service."));
    }
    if row_count == 0 {
        return Err(ApiError::invalid("row_count must be at least 1."));
    }
    let digest =
        TransferDigest::parse(&digest).ok_or_else(|| ApiError::invalid("digest must be 64 hexadecimal digits."))?;
    let key_secrets: Vec<_> = head.key_secrets.into_iter().map(KeySecretCheck::from_text).collect();
    let is_known = |secret: &KeySecretCheck| request.key_secrets.checks().any(|known| known == secret);
    if !revoke_keys && !key_secrets.iter().all(is_known) {
        return Err(ApiError::new(ErrorCode::Conflict, OTHER_SECRET));
    }
    let import = AccountImport {
        head: ExportHead {
            tables: head.tables.get().to_owned(),
            row: head.row.get().to_owned(),
            is_suspended: head.is_suspended,
        },
        head_digest,
        digest,
        row_count: i64::from(row_count),
        key_secrets: if revoke_keys { Vec::new() } else { key_secrets },
        revokes_keys: revoke_keys,
    };
    state(request, OperatorCommand::BeginAccountImport { account, import: Box::new(import) }).await
}

/// Saves rows of an import (rule O34).
pub(super) async fn rows<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let account = request.path.account;
    let RowsBody { from, rows } = serde_json::from_str(&request.text)
        .map_err(|_| ApiError::invalid("The body needs from, a number, and rows, an array of rows of the export."))?;
    if rows.is_empty() || rows.len() > ROWS_MAX {
        return Err(ApiError::invalid(format!("rows must have 1 to {ROWS_MAX} rows.")));
    }
    let rows = rows.into_iter().map(|row| row.get().to_owned()).collect();
    state(request, OperatorCommand::ImportAccountRows { account, from: i64::from(from), rows }).await
}

/// Deletes rows of an import that has not ended (rule O36).
pub(super) async fn discard<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    state(request, OperatorCommand::DiscardAccountImport { account: request.path.account }).await
}

async fn state<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
    command: OperatorCommand,
) -> Result<Response, ApiError> {
    let is_discard = matches!(command, OperatorCommand::DiscardAccountImport { .. });
    let action = if is_discard { "account.discard" } else { "account.import" };
    match request.run(command, action, request.path.account.to_string()).await? {
        OperatorAnswer::AccountImport(AccountImportState { account, digest, row_count, received_rows, is_done }) => {
            let digest = digest.to_text();
            Response::ok(&ImportBody { import: ImportMember { account, digest, row_count, received_rows, is_done } })
        }
        _ => unexpected(),
    }
}

/// The place of a cursor, which the store reads.
fn place(cursor: &str) -> Result<String, ApiError> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).ok();
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    text.ok_or_else(|| ApiError::invalid("The cursor is not one of this export."))
}

fn page_body<S, P>(request: &OperatorRequest<'_, S, P>, account: Uuid, page: &ExportPage) -> String {
    let length: usize = page.rows.iter().map(|row| row.len() + 1).sum();
    let mut json = String::with_capacity(1_000 + length);
    json.push_str("{\"export\":{\"version\":");
    push_text(&mut json, &page.version);
    json.push_str(",\"head\":");
    match &page.head {
        None => json.push_str("null"),
        Some(ExportHead { tables, row, is_suspended }) => {
            let secrets: Vec<_> = request.key_secrets.checks().map(KeySecretCheck::as_str).collect();
            // Texts of base64url.
            let secrets = secrets.join("\",\"");
            json.push_str(&format!(
                "{{\"matterbook_account\":{FORM},\"account\":\"{account}\",\"key_secrets\":[\"{secrets}\"],\
                 \"is_suspended\":{is_suspended},\"tables\":{tables},\"row\":{row}}}"
            ));
        }
    }
    json.push_str(",\"rows\":[");
    json.push_str(&page.rows.join(","));
    json.push_str("]},\"next_cursor\":");
    match &page.next {
        None => json.push_str("null"),
        Some(next) => push_text(&mut json, &URL_SAFE_NO_PAD.encode(next)),
    }
    json.push('}');
    json
}
