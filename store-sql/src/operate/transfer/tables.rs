//! What an account consists of: each table with its columns, in one definition from which the queries of export,
//! import and discard are made (decision 0130).

use std::sync::LazyLock;

use crate::query::Query;

/// A table of an account.
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Its columns in an export: all but the account's number in the database.
    pub columns: Vec<Column>,
    /// The columns by which an export goes through it.
    pub key: Vec<&'static str>,
    /// How many rows a page of an export has at most.
    pub page_rows: u32,
    /// Reads a page.
    pub export: Query,
    /// Inserts rows.
    pub import: Query,
    /// Deletes rows and returns one for each; `None` for the log, whose entries stay.
    pub discard: Option<Query>,
}

/// A column of a table.
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What its values are.
    pub kind: Kind,
    /// Whether it may be `NULL`.
    pub is_optional: bool,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number.
    Integer,
    /// A text.
    Text,
    /// Bytes, in JSON their hexadecimal digits.
    Bytes,
    /// The id of a login, which belongs to no other account.
    Login,
}

/// How a table is defined.
struct Definition {
    name: &'static str,
    export: &'static str,
    import: &'static str,
    discard: &'static str,
    /// The index that has the key's order; none for the primary key.
    index: &'static str,
    key: &'static [&'static str],
    page_rows: u32,
    /// Names, each with `:` and the first letter of its kind, and `?` if it is optional.
    columns: &'static str,
}

macro_rules! table {
    ($name:literal, $index:literal, [$($key:literal),*], $page_rows:literal, $columns:expr) => {
        Definition {
            name: $name,
            export: concat!("export_", $name),
            import: concat!("import_", $name),
            discard: concat!("discard_", $name),
            index: $index,
            key: &[$($key),*],
            page_rows: $page_rows,
            columns: $columns,
        }
    };
}

/// The fields of a client and its `created_at`.
macro_rules! client {
    ($head:literal, $tail:literal) => {
        concat!(
            $head,
            " external_id:t? first_name:t? last_name:t? address_line1:t? address_line2:t? city:t? state:t? zip:t? \
             email:t? phone:t? case_type:t? opened_on:t? settled_on:t? do_not_mail:i created_at:i",
            $tail
        )
    };
}

/// The one that is the account itself comes first, logins before what names them, and the log last. A row of
/// `removed_clients` deletes the client, which may have come back since, so those rows come before the clients.
const DEFINITIONS: &[Definition] = &[
    table!(
        "accounts",
        "",
        ["number"],
        1,
        "number:i email:t api_enabled:i suspended:i digital_bundle:i contact_enrichment:i created_at:i \
         last_commit_at:i last_erasure_at:i? last_alias_at:i? compared_at:i? compared_until:i?"
    ),
    table!("logins", "logins_by_account", ["created_at", "id"], 500, "id:b email:t role:t created_at:i"),
    table!(
        "passkeys",
        "passkeys_by_login",
        ["login_id", "created_at", "id"],
        100,
        "credential_id:b id:b login_id:l state:b name:t created_at:i last_used_at:i?"
    ),
    table!(
        "api_keys",
        "api_keys_by_account",
        ["created_at", "id"],
        500,
        "id:b login_id:l digest:t last_four:t label:t? scope:t? ends_at:i? created_at:i last_used_at:i? revoked_at:i?"
    ),
    table!("county_grants", "", ["county_fips"], 500, "county_fips:t from_date:t"),
    table!("removed_clients", "", ["id"], 500, client!("id:b removed_at:i", "")),
    table!(
        "clients",
        "",
        ["id"],
        500,
        client!(
            "id:b",
            " updated_at:i request_id:b? matched_by:i? previous_period:i? previous_updated_at:i? name_hash:i? \
             street_hash:i? unit_hash:i zip5:i? fingerprint:b"
        )
    ),
    table!(
        "client_states",
        "",
        ["period", "updated_at", "id"],
        500,
        client!(
            "period:i updated_at:i id:b superseded_at:i request_id:b? matched_by:i? previous_period:i? \
             previous_updated_at:i?",
            ""
        )
    ),
    table!(
        "former_addresses",
        "",
        ["client_id", "superseded_at"],
        500,
        "client_id:b superseded_at:i street_hash:i unit_hash:i zip5:i"
    ),
    table!("client_aliases", "", ["client_id", "added_in"], 500, "client_id:b added_in:b external_id:t removed_in:b?"),
    table!(
        "similar_pairs",
        "",
        ["client_id", "other_id"],
        500,
        "client_id:b other_id:b reasons:t found_at:i decision:t? decided_at:i? decided_by:t?"
    ),
    table!(
        "settlements",
        "",
        ["client_id", "id"],
        500,
        "client_id:b id:b settled_on:t former_dates:t begun_at:i changed_at:i"
    ),
    table!(
        "commits",
        "",
        ["request_id"],
        500,
        "request_id:b attempt:i at:i period:i? api_key_id:b? login_id:b? import_id:b? created:i changed:i"
    ),
    table!(
        "imports",
        "imports_by_account",
        ["started_at", "id"],
        50,
        "id:b login_id:l file_name:t digest:t row_count:i mapping:t sent_rows:i created:i updated:i unchanged:i \
         refused:i started_at:i ended_at:i?"
    ),
    table!(
        "review_items",
        "",
        ["id"],
        50,
        "id:b number:i status:t message:t sent:t? content:b candidates:t name_hash:i? request_id:b api_key_id:b? \
         login_id:b? import_id:b? first_seen_at:i last_seen_at:i waits:i decided_in:b?"
    ),
    table!("letters_on", "", ["client_id", "at"], 500, "client_id:b at:i actor:t reason:t?"),
    table!(
        "saved_answers",
        "",
        ["idempotency_key"],
        25,
        "idempotency_key:t request_digest:t status:i body:t saved_at:i"
    ),
    table!("client_tombstones", "", ["identity"], 500, "identity:b do_not_mail:i"),
    table!(
        "operator_log",
        "operator_log_by_account",
        ["at", "id"],
        500,
        "at:i id:b actor:t action:t subject:t request_id:b"
    ),
];

/// The tables of an account. The first is the account itself.
///
/// ```
/// use matterbook_store_sql::account_tables::TABLES;
/// let settlements = TABLES.iter().find(|table| table.name == "settlements");
/// assert!(settlements.is_some_and(|table| table.columns.iter().any(|column| column.name == "settled_on")));
/// ```
pub static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| DEFINITIONS.iter().map(Definition::table).collect());

/// The account by its id, in a statement of one row, and in one of a set.
const ACCOUNT: &str = "(select id from accounts where public_id = {unhex:account})";
const ACCOUNT_OF_ALL: &str = "(select id from accounts where public_id = {unhex:@account})";

impl Definition {
    fn table(&self) -> Table {
        let columns: Vec<_> = self.columns.split_whitespace().map(Column::parse).collect();
        let names = columns.iter().map(|column| column.name).collect::<Vec<_>>().join(", ");
        let read = columns.iter().map(Column::read).collect::<Vec<_>>().join(", ");
        let from = if self.index.is_empty() {
            self.name.to_owned()
        } else {
            format!("{} indexed by {}", self.name, self.index)
        };
        // Which rows are the account's, the column that says so, and its value.
        let (scope, own, owner) = match self.name {
            "accounts" => ("public_id = {unhex:account}".to_owned(), "public_id, ", "{unhex:@account}, ".to_owned()),
            "passkeys" => {
                (format!("login_id in (select id from logins where account_id = {ACCOUNT})"), "", String::new())
            }
            _ => (format!("account_id = {ACCOUNT}"), "account_id, ", format!("{ACCOUNT_OF_ALL}, ")),
        };
        let key = self.key.join(", ");
        let after = self.key.iter().map(|name| {
            let is_bytes = columns.iter().any(|column| column.name == *name && column.kind.is_bytes());
            if is_bytes { format!("{{unhex:{name}}}") } else { format!(":{name}") }
        });
        let after = after.collect::<Vec<_>>().join(", ");
        let bound = columns.iter().map(Column::bound).collect::<Vec<_>>().join(", ");
        let is_log = self.name == "operator_log";
        let on_conflict = match self.name {
            // What an import brought before it was discarded.
            "operator_log" => " on conflict do nothing".to_owned(),
            "accounts" => {
                let set = columns.iter().map(|column| format!("{0} = excluded.{0}", column.name));
                format!(" on conflict (public_id) do update set {}", set.collect::<Vec<_>>().join(", "))
            }
            _ => String::new(),
        };
        let export = format!(
            "select {{pack}}{read}{{end_pack}} from {from} where {scope} and ({key}) > ({after}) order by {key} limit :rows"
        );
        let import = format!(
            "insert into {} ({own}{names}) {{values_each}} {owner}{bound} {{end_each}}{on_conflict}",
            self.name
        );
        let discard = format!(
            "delete from {} where {scope} and ({key}) in (select {key} from {from} where {scope} limit :rows) \
             returning 1 as deleted",
            self.name
        );
        Table {
            name: self.name,
            columns,
            key: self.key.to_vec(),
            page_rows: self.page_rows,
            export: Query::parse(self.export, &export),
            import: Query::parse(self.import, &import),
            discard: (!is_log && self.name != "accounts").then(|| Query::parse(self.discard, &discard)),
        }
    }
}

impl Column {
    fn parse(text: &'static str) -> Self {
        let (name, kind) = text.split_once(':').unwrap_or((text, ""));
        let is_optional = kind.ends_with('?');
        let kind = match kind.trim_end_matches('?') {
            "t" => Kind::Text,
            "b" => Kind::Bytes,
            "l" => Kind::Login,
            _ => Kind::Integer,
        };
        Self { name, kind, is_optional }
    }

    /// How it is selected.
    fn read(&self) -> String {
        if self.kind.is_bytes() { format!("{{hex:{}}}", self.name) } else { self.name.to_owned() }
    }

    /// How a value of it is inserted.
    fn bound(&self) -> String {
        let name = self.name;
        match self.kind {
            Kind::Integer | Kind::Text => format!(":{name}"),
            Kind::Bytes => format!("{{unhex:{name}}}"),
            Kind::Login => format!(
                "(select {{unhex:{name}}} where not exists (select 1 from logins \
                 where id = {{unhex:{name}}} and account_id <> {ACCOUNT_OF_ALL}))"
            ),
        }
    }
}

impl Kind {
    /// Whether a value is bytes.
    pub const fn is_bytes(self) -> bool {
        matches!(self, Self::Bytes | Self::Login)
    }
}
