//! An account as rows: its export, and its import elsewhere (rules O30 to O36).

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::Serialize;
use uuid::Uuid;

use super::{request::OperatorRequest, unexpected};
use crate::{
    api::{
        error::{ApiError, ErrorCode},
        json_body,
        query::Query,
        response::Response,
    },
    json::{Malformed, Scanner, push_text},
    key::KeySecretCheck,
    platform::Platform,
    store::{
        AccountImport, AccountImportState, ExportHead, ExportPage, OperatorAnswer, OperatorCommand, OperatorStore,
        TransferDigest,
    },
};

/// The version of the form of an export.
const FORM: &str = "1";

/// The most rows of an import in one request.
const ROWS_MAX: usize = 500;

const OTHER_SECRET: &str = "The account's keys were made with a key secret that this service does not have, so it would \
                            refuse them all. Start it with that secret, or import with revoke_keys (on the command \
                            line, --revoke-keys).";

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
    let [head_text, row_count, digest, revoke_keys] =
        members(&request.text, ["head", "row_count", "digest", "revoke_keys"])
            .ok_or_else(|| ApiError::invalid("The body is not a JSON object."))?;
    let row_count = row_count.parse::<u32>().ok().filter(|count| *count > 0);
    let row_count = row_count.ok_or_else(|| ApiError::invalid("row_count must be a number of rows, at least 1."))?;
    let digest = TransferDigest::parse(plain_text(digest))
        .ok_or_else(|| ApiError::invalid("digest must be 64 hexadecimal digits."))?;
    let head = members(head_text, ["matterbook_account", "account", "key_secrets", "is_suspended", "tables", "row"]);
    let [form, head_account, key_secrets, is_suspended, tables, row] =
        head.ok_or_else(|| ApiError::invalid("head is not the first line of the export of an account."))?;
    if form != FORM || Uuid::try_parse(plain_text(head_account)) != Ok(account) {
        return Err(ApiError::invalid("head is of another account, or was made by a newer version of the service."));
    }
    let revoke_keys = flag(revoke_keys).ok_or_else(|| ApiError::invalid("revoke_keys must be true or false."))?;
    let is_suspended =
        flag(is_suspended).ok_or_else(|| ApiError::invalid("is_suspended of head must be true or false."))?;
    let named = elements(key_secrets).ok_or_else(|| ApiError::invalid("head has no key_secrets."))?;
    let mut key_secrets = Vec::new();
    for secret in named.into_iter().filter(|_| !revoke_keys) {
        let secret = KeySecretCheck::from_text(plain_text(secret).into());
        if !request.key_secrets.checks().any(|known| *known == secret) {
            return Err(ApiError::new(ErrorCode::Conflict, OTHER_SECRET));
        }
        // Each once, however often it is named.
        if !key_secrets.contains(&secret) {
            key_secrets.push(secret);
        }
    }
    let import = AccountImport {
        head: ExportHead { tables: tables.to_owned(), row: row.to_owned(), is_suspended },
        head_digest: TransferDigest::of_head(head_text),
        digest,
        row_count: i64::from(row_count),
        key_secrets,
        revokes_keys: revoke_keys,
    };
    state(request, OperatorCommand::BeginAccountImport { account, import: Box::new(import) }).await
}

/// Saves rows of an import (rule O34).
pub(super) async fn rows<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let account = request.path.account;
    let [from, rows] =
        members(&request.text, ["from", "rows"]).ok_or_else(|| ApiError::invalid("The body is not a JSON object."))?;
    let (Ok(from), Some(rows)) = (from.parse::<u32>(), elements(rows)) else {
        return Err(ApiError::invalid("The body needs from, a number, and rows, an array of rows of the export."));
    };
    if rows.is_empty() || rows.len() > ROWS_MAX {
        return Err(ApiError::invalid(format!("rows must have 1 to {ROWS_MAX} rows.")));
    }
    let rows = rows.into_iter().map(str::to_owned).collect();
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

/// The texts of the members with these names of an object; empty for those that it lacks. `None` if the text is none.
///
/// Texts, not values: the digest is that of the text, and the Worker's module has no room for a reader of each type.
fn members<'a, const N: usize>(text: &'a str, names: [&str; N]) -> Option<[&'a str; N]> {
    let mut found = [""; N];
    let mut scanner = Scanner::of_object(text).ok()?;
    let read = |scanner: &mut Scanner<'a>, member: &str| {
        let value = skipped(scanner)?;
        found.iter_mut().zip(names).filter(|(_, name)| *name == member).for_each(|(place, _)| *place = value);
        Ok(())
    };
    json_body::go_through(&mut scanner, read).ok()?;
    Some(found)
}

/// The texts of the elements of an array; `None` if the text is none.
fn elements(text: &str) -> Option<Vec<&str>> {
    let mut scanner = Scanner::new(text);
    let mut found = Vec::new();
    scanner.array(|scanner| skipped(scanner).map(|text| found.push(text))).ok()?;
    scanner.end().ok()?;
    Some(found)
}

/// Skips a value. Returns its text.
fn skipped<'a>(scanner: &mut Scanner<'a>) -> Result<&'a str, Malformed> {
    scanner.peek();
    let start = scanner.clone();
    scanner.skip()?;
    Ok(start.text_to(scanner))
}

/// A flag; off where the member is absent. `None` for any other value.
fn flag(text: &str) -> Option<bool> {
    match text {
        "" | "false" => Some(false),
        "true" => Some(true),
        _ => None,
    }
}

/// A text without escapes, without its quotes.
fn plain_text(text: &str) -> &str {
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default()
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
