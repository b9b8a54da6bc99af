//! What several queries share: the lists of columns, and a few conditions.
//!
//! In a query's file, where `list` is one of [`LISTS`]:
//!
//! | written | becomes |
//! |---|---|
//! | `{columns:list}`, `{columns:list:alias}` | `a, b`, `alias.a, alias.b` |
//! | `{parameters:list}` | `:a, :b` |
//! | `{assignments:list}` | `a = :a, b = :b` |
//! | `{kept:list}` | `a = coalesce(:a, a), b = coalesce(:b, b)` |
//! | a name of [`TEXTS`] | its text |

use matterbook_core::{client::MEMBERS, prospect::IMPORT_FIELDS};

/// The fields of a client, in the order of [`matterbook_core::client::ClientFields`].
pub const CLIENT_FIELDS: &[&str] = {
    let [_id, fields @ .., _created_at, _updated_at] = &MEMBERS;
    fields
};

/// The fields of a client that no index holds.
pub const PLAIN_CLIENT_FIELDS: &[&str] = {
    let [_id, _external_id, plain @ .., _created_at, _updated_at] = &MEMBERS;
    plain
};

/// The fields of a client that the settlements feed shows, but for its `do_not_mail`.
pub const SETTLEMENT_CLIENT_FIELDS: &[&str] =
    &["external_id", "first_name", "last_name", "address_line1", "address_line2", "city", "state", "zip", "case_type"];

/// The fields of a prospect, in the order of [`matterbook_core::prospect::ProspectFields`].
pub const PROSPECT_FIELDS: &[&str] = &IMPORT_FIELDS;

/// The fields of a prospect that no index holds.
pub const PLAIN_PROSPECT_FIELDS: &[&str] = &[
    "first_name",
    "last_name",
    "address_line1",
    "address_line2",
    "city",
    "state",
    "zip",
    "email",
    "phone",
    "person_type",
    "injury_severity",
    "transported",
    "crash_time",
    "crash_city",
    "crash_state",
    "crash_county",
    "crash_report_number",
    "manner_of_collision",
    "vehicle_year",
    "vehicle_make",
    "vehicle_model",
    "vehicle_towed",
    "hit_and_run",
];

/// The lists by name.
pub const LISTS: &[(&str, &[&str])] = &[
    ("client_fields", CLIENT_FIELDS),
    ("plain_client_fields", PLAIN_CLIENT_FIELDS),
    ("settlement_client_fields", SETTLEMENT_CLIENT_FIELDS),
    ("prospect_fields", PROSPECT_FIELDS),
    ("plain_prospect_fields", PLAIN_PROSPECT_FIELDS),
];

/// The shared conditions by name.
///
/// - `account`: the account to read. Its number identifies it, if the unit already knows it, and otherwise a live key,
///   so that it is resolved in the same atomic unit (S1).
/// - `commit_at`: the time of the commit. In the row form it is a bound value, because no other writer can
///   commit meanwhile; otherwise it is the time that `begin_commit` set.
/// - `matched_client`: the columns that a lookup reads of a matched client. The row ends before the fields if
///   the key has the client's fingerprint. `settlements`: its settlements as a JSON array, if the request
///   needs them. `||` keeps it a text: within a packed row it would become an array.
/// - `horizon`, `prospect_horizon`: [`View::horizon`](matterbook_core::store::View::horizon), which
///   depends on the last commit, evaluated in the unit that reads.
/// - `one_client_page`: the rest of a page that one client is on at most, after where it is now was found.
/// - `stale`: rows where something that a decision saw, or would see now, has changed since. Who may
///   call is a part of what it saw.
/// - `prospect_streams`: the counties and crash years that the grants of the reader's account open; for both orders.
///   A host whose account has a database of its own binds the grants as
///   [`GRANTS_GIVEN`](crate::queries::GRANTS_GIVEN).
/// - `reader`: that account: a live key's, or in a query whose name begins with `console_` the one that is given.
/// - `client_is_found`, `prospect_is_found`: what a search of the console asks of a row.
/// - `session_is_open`: the session that is given, unless it has ended by itself.
pub const TEXTS: &[(&str, &str)] = &[
    ("matched_client", include_str!("../texts/matched_client.sql")),
    (
        "settlements",
        "case when @settles then (select json_group_array(json_array(hex(settlement.id), settlement.settled_on, \
         json(settlement.former_dates), settlement.begun_at, settlement.changed_at)) from settlements as settlement \
         where settlement.account_id = client.account_id and settlement.client_id = client.id) || '' end",
    ),
    ("account", "coalesce(@account_id, (select account_id from api_keys where digest = @key and revoked_at is null))"),
    (
        "commit_at",
        "{rows_only}coalesce(@commit_at, {end_only}(select last_commit_at from accounts where id = @account_id)\
         {rows_only}){end_only}",
    ),
    ("horizon", "case when account.last_commit_at > :trusted_until then :everything else :delayed end"),
    (
        "prospect_horizon",
        "(select case when last_change_at > :trusted_until then :everything else :delayed end \
         from prospect_clock where id = 1)",
    ),
    ("one_client_page", include_str!("../texts/one_client_page.sql")),
    ("stale", include_str!("../texts/stale.sql")),
    ("prospect_streams", include_str!("../texts/prospect_streams.sql")),
    ("client_is_found", include_str!("../texts/client_is_found.sql")),
    ("prospect_is_found", include_str!("../texts/prospect_is_found.sql")),
    ("session_is_open", include_str!("../texts/session_is_open.sql")),
];

/// A query's text with everything shared written out. Hosts do this while their first request waits, so the
/// text is gone through once.
pub(crate) fn expand(text: &str) -> String {
    let mut expanded = String::with_capacity(4 * text.len());
    push_expanded(&mut expanded, text);
    expanded
}

fn push_expanded(expanded: &mut String, text: &str) {
    let mut rest = text;
    while let Some((before, (marker, after))) =
        rest.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    {
        expanded.push_str(before);
        if let Some((_, shared)) = TEXTS.iter().find(|(name, _)| *name == marker) {
            push_expanded(expanded, shared);
        } else if push_list(expanded, marker).is_none() {
            // A marker of the query's two forms.
            for part in ["{", marker, "}"] {
                expanded.push_str(part);
            }
        }
        rest = after;
    }
    expanded.push_str(rest);
}

/// Writes a list of columns out; `None` for a marker that names none.
fn push_list(expanded: &mut String, marker: &str) -> Option<()> {
    let mut words = marker.split(':');
    let (form, name, alias) = (words.next()?, words.next()?, words.next());
    let (_, list) = LISTS.iter().find(|(known, _)| *known == name)?;
    for (index, column) in list.iter().enumerate() {
        let separator = if index > 0 { ", " } else { "" };
        let parts: &[&str] = match (form, &alias) {
            ("columns", None) => &[separator, column],
            ("columns", Some(alias)) => &[separator, alias, ".", column],
            ("parameters", None) => &[separator, ":", column],
            ("assignments", None) => &[separator, column, " = :", column],
            ("kept", None) => &[separator, column, " = coalesce(:", column, ", ", column, ")"],
            _ => return None,
        };
        for part in parts {
            expanded.push_str(part);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_lists_are_the_whole_lists_without_what_indexes_hold() {
        let without = |list: &[&'static str], indexed: &[&str]| {
            list.iter().filter(|column| !indexed.contains(column)).copied().collect::<Vec<_>>()
        };
        assert_eq!(PLAIN_CLIENT_FIELDS, without(CLIENT_FIELDS, &["external_id"]));
        assert_eq!(PLAIN_PROSPECT_FIELDS, without(PROSPECT_FIELDS, &["source_id", "crash_date", "crash_county_fips"]));
    }

    #[test]
    fn shared_texts_are_written_out() {
        assert_eq!(
            expand("select {columns:settlement_client_fields:c}"),
            "select c.external_id, c.first_name, c.last_name, c.address_line1, c.address_line2, c.city, c.state, \
             c.zip, c.case_type"
        );
        assert!(expand("{parameters:client_fields}").starts_with(":external_id, :first_name"));
        assert!(expand("{assignments:plain_client_fields}").starts_with("first_name = :first_name, "));
    }
}
