//! `limit` and `cursor` of the operator API's lists (rule O22).

use uuid::Uuid;

use crate::{
    api::{error::ApiError, limits::PAGE_LIMIT_DEFAULT, query::Query, request_context::RequestContext},
    cursor::{Cursor, Listing},
    store::Position,
};

/// The cursor to continue after, and the number of rows.
pub(super) fn place(
    context: &RequestContext<'_>,
    listing: Listing,
    account: Uuid,
) -> Result<(Option<Cursor>, u32), ApiError> {
    let query = Query::parse(context.head.uri.query(), &["limit", "cursor"])?;
    let limit = query.limit(PAGE_LIMIT_DEFAULT)?;
    let cursor = query.text("cursor").map(|text| Cursor::parse(text, listing, account)).transpose();
    let cursor = cursor.map_err(|error| ApiError::invalid(format!("{error}.")))?;
    Ok((cursor, limit))
}

/// The cursor of the next page.
pub(super) fn next_cursor(next: Option<Position>, listing: Listing, account: Uuid) -> Option<String> {
    next.map(|position| Cursor::new(listing, account, position).to_text())
}
