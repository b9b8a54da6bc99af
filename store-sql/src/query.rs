//! One statement, one text, two forms: a row at a time, or a set of rows in one JSON parameter.
//!
//! A query's file is written once. `:name` and `@name` are parameters, numbered by first
//! appearance. A *set* query has a marker where its rows come in:
//!
//! | in the file | a row at a time (native, prepared and looped) | a set (D1, one JSON array of arrays) |
//! |---|---|---|
//! | `:name`, the k-th parameter | `?k` | `(input.value->>(k-1))` |
//! | `@name`, the k-th parameter, the same in every row | `?k` | `(?1->>'$[0][k-1]')`, evaluated once, said in the first row only |
//! | `{unhex:name}`, `{unhex:@name}` | the parameter, as bytes | `unhex(` the parameter `)` |
//! | `{hex:column}` | `column`, bytes | `hex(column)` |
//! | `{each}` | nothing | *each row* `cross join` |
//! | `{from_each}` | `where true` | `from` *each row* `where true` |
//! | `{values_each}` … `{end_each}` | `values (` … `)` | `select` … `from` *each row* `where true` |
//! | `{values_together}` … `{end_each}` | the same, and in a text for [`SEVERAL_ROWS`] so many of them | the same |
//! | `{rows_only}` … `{end_only}` | … | nothing |
//! | `{sets_only}` … `{end_only}` | nothing | … |
//! | `{pack}` … `{end_pack}` | … | `json_array(json_array(` … `)) as packed`, on D1 also where the query is scalar |
//!
//! | `{pack_all}` … `{end_pack}` | … | `json_array(` … `) as packed`, the query in one that makes one text of all rows |
//!
//! *Each row* is `EACH_ROW`: a row of the JSON parameter, read once. Reading values from `json_each`
//! itself would write and parse the row's text again for every one of them, which takes two to three
//! times as long; `limit -1` keeps SQLite from doing just that.
//!
//! `insert … select` of one row would do as well as `insert … values`, but SQLite cannot tell that
//! it is one: it keeps a copy of each page that the row touches, to undo the row alone. Several rows in one
//! statement take a quarter less than one by one, since what finds the place in each index stays open; but for the
//! same reason only where the statement is `or fail`.
//!
//! A query without a marker that takes rows is *scalar*: it takes one row at a time, bound as `?1, ?2, …`, on
//! every host. Only native hosts run it for several. Texts that several files share, such as lists of columns, are written
//! `{name}` too; see [`crate::columns`].
//!
//! Every returned column has a unique name that is a plain word. D1 returns a row as a JavaScript object:
//! of two equal names it would keep one value, and names that look like integers would come first. A
//! column named `packed` holds whole rows as a JSON array of arrays, which passes through D1's layers as
//! one value instead of twenty or a thousand. Drivers unpack these rows
//! ([`Rows`](crate::driver::Rows), [`unpack`](crate::driver::unpack)). A query packs all its rows into one
//! text if that text always stays under D1's limit of 2,000,000 bytes for a value.

use std::ops::Range;

use crate::columns;

/// So many rows a query inserts at once where it takes rows together.
pub const SEVERAL_ROWS: usize = 20;

/// The rows of a set.
const EACH_ROW: &str = "(select jsonb(value) as value from json_each(?1) limit -1) as input";

/// How the names of queries begin that read what an account sees, for the console.
const CONSOLE: &str = "console_";

/// The account of the console's reader, and of an API key.
const READER: &str = "(select id from accounts where public_id = {unhex:account})";
const KEY_READER: &str = "(select account_id from api_keys where digest = :key and revoked_at is null)";

/// A query in both forms.
#[derive(Debug)]
pub struct Query {
    /// The name of its file, for logs and tests.
    pub name: &'static str,
    /// The text for one row of bound parameters.
    pub row_sql: String,
    /// The text for [`SEVERAL_ROWS`] rows of bound parameters, row after row; `None` for a query that does not
    /// take several rows at once. If a row is refused, the rows before it stay written, so the owner of the
    /// transaction must roll it back.
    pub several_sql: Option<String>,
    /// The text for a set of rows in one JSON parameter; `None` for a scalar query.
    pub set_sql: Option<String>,
    /// The text for one row of bound parameters where bytes are digits and rows come packed (D1); `None`
    /// for a query of which it is the same, or that takes a set.
    pub packed_sql: Option<String>,
    /// The parameters' names in the order of their numbers.
    pub parameters: Vec<String>,
    /// Which parameters are the same in every row, so that a set says them once.
    pub(crate) constants: Vec<bool>,
}

impl Query {
    /// Parses the text of a query's file. Lines that begin with `--` are comments and are dropped: D1
    /// receives the text with every request.
    #[must_use]
    pub fn parse(name: &'static str, text: &str) -> Self {
        let text: String = text.split_inclusive('\n').filter(|line| !line.starts_with("--")).collect();
        let text =
            columns::expand(&text).replace("{reader}", if name.starts_with(CONSOLE) { READER } else { KEY_READER });
        let mut query = Self {
            name,
            row_sql: String::new(),
            several_sql: None,
            set_sql: None,
            packed_sql: None,
            parameters: Vec::new(),
            constants: Vec::new(),
        };
        let (mut set_sql, mut packed_sql) = (String::new(), String::new());
        let (mut is_set, mut is_one_text) = (false, false);
        let (mut in_rows, mut in_sets) = (true, true);
        // Where in the row's text the row is, which begins at the first and ends at the second.
        let mut together = None;
        let mut rest = text.as_str();
        while let Some(first) = rest.chars().next() {
            let length = token_length(rest, first);
            let (token, after) = rest.split_at(length);
            rest = after;
            match (first, token) {
                (_, "{rows_only}") => in_sets = false,
                (_, "{sets_only}") => in_rows = false,
                (_, "{end_only}") => (in_rows, in_sets) = (true, true),
                (_, "{pack}" | "{pack_all}" | "{end_pack}") => {
                    is_one_text |= token == "{pack_all}";
                    let text = match token {
                        "{pack}" => "json_array(json_array(",
                        "{pack_all}" => "json_array(",
                        _ if is_one_text => ") as packed",
                        _ => ")) as packed",
                    };
                    set_sql.push_str(text);
                    packed_sql.push_str(text);
                }
                (_, "{each}") => {
                    is_set = true;
                    set_sql.push_str(&format!("{EACH_ROW} cross join"));
                }
                (_, "{from_each}") => {
                    is_set = true;
                    query.row_sql.push_str("where true");
                    set_sql.push_str(&format!("from {EACH_ROW} where true"));
                }
                (_, "{values_each}" | "{values_together}") => {
                    is_set = true;
                    query.row_sql.push_str("values ");
                    together = (token == "{values_together}").then_some(query.row_sql.len()..0);
                    query.row_sql.push('(');
                    set_sql.push_str("select");
                }
                (_, "{end_each}") => {
                    query.row_sql.push(')');
                    together = together.map(|row| row.start..query.row_sql.len());
                    set_sql.push_str(&format!("from {EACH_ROW} where true"));
                }
                (':' | '@', _) if length > 1 => {
                    let index = query.number(token.trim_start_matches([':', '@']), first == '@');
                    let bound = format!("?{}", index + 1);
                    let set = if first == ':' {
                        format!("(input.value->>{index})")
                    } else {
                        format!("(?1->>'$[0][{index}]')")
                    };
                    query.row_sql.push_str(if in_rows { &bound } else { "" });
                    set_sql.push_str(if in_sets { &set } else { "" });
                    packed_sql.push_str(if in_sets { &bound } else { "" });
                }
                (_, _) if token.starts_with("{unhex:") => {
                    let name = argument(token);
                    let index = query.number(name.trim_start_matches('@'), name.starts_with('@'));
                    let bound = format!("?{}", index + 1);
                    let set = match name.starts_with('@') {
                        true => format!("unhex(?1->>'$[0][{index}]')"),
                        false => format!("unhex(input.value->>{index})"),
                    };
                    query.row_sql.push_str(if in_rows { &bound } else { "" });
                    set_sql.push_str(if in_sets { &set } else { "" });
                    packed_sql.push_str(&if in_sets { format!("unhex({bound})") } else { String::new() });
                }
                (_, _) if token.starts_with("{hex:") => {
                    let column = argument(token);
                    query.row_sql.push_str(if in_rows { column } else { "" });
                    let hex = if in_sets { format!("hex({column})") } else { String::new() };
                    set_sql.push_str(&hex);
                    packed_sql.push_str(&hex);
                }
                _ => {
                    query.row_sql.push_str(if in_rows { token } else { "" });
                    set_sql.push_str(if in_sets { token } else { "" });
                    packed_sql.push_str(if in_sets { token } else { "" });
                }
            }
        }
        if is_one_text {
            packed_sql = format!("select '[' || ifnull(group_concat(packed), '') || ']' as packed from ({packed_sql})");
        }
        query.several_sql = together.and_then(|row| several(&query.row_sql, row, query.parameters.len()));
        query.set_sql = is_set.then_some(set_sql);
        query.packed_sql = (!is_set && packed_sql != query.row_sql).then_some(packed_sql);
        query
    }

    /// The text for one row of bound parameters on D1.
    #[must_use]
    pub fn scalar_sql(&self) -> &str {
        self.packed_sql.as_deref().unwrap_or(&self.row_sql)
    }

    /// The text that D1 runs: for a set if the query takes one.
    #[must_use]
    pub fn d1_sql(&self) -> &str {
        self.set_sql.as_deref().unwrap_or_else(|| self.scalar_sql())
    }

    /// The place of a parameter among the parameters, added at its first appearance. It is a
    /// constant if it is one wherever it appears.
    fn number(&mut self, name: &str, is_constant: bool) -> usize {
        let known = self.parameters.iter().position(|known| known == name);
        let index = known.unwrap_or_else(|| {
            self.parameters.push(name.to_owned());
            self.constants.push(true);
            self.parameters.len() - 1
        });
        if let Some(constant) = self.constants.get_mut(index) {
            *constant &= is_constant;
        }
        index
    }
}

/// The text for several rows of so many parameters each, of that for one row and where in it the row is.
fn several(row_sql: &str, row: Range<usize>, parameters: usize) -> Option<String> {
    let [before, values, after] = [row_sql.get(..row.start)?, row_sql.get(row.clone())?, row_sql.get(row.end..)?];
    let rows: Vec<_> = (0..SEVERAL_ROWS).map(|number| numbered_from(values, number * parameters)).collect();
    Some([before, &rows.join(", "), after].concat())
}

/// The text with each parameter's number so much higher.
fn numbered_from(text: &str, start: usize) -> String {
    let mut pieces = text.split('?');
    let mut numbered = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let after = piece.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let number: usize = piece.trim_end_matches(after).parse().unwrap_or_default();
        numbered.push_str(&format!("?{}{after}", start + number));
    }
    numbered
}

/// The part of a marker after its colon.
fn argument(marker: &str) -> &str {
    marker.split_once(':').map_or("", |(_, argument)| argument.trim_end_matches('}'))
}

/// The length in bytes of the first token of a text: a string, a marker, a parameter, or the plain SQL
/// before the next of them.
fn token_length(text: &str, first: char) -> usize {
    let up_to = |end: &str| text.get(1..).and_then(|rest| rest.find(end)).map_or(text.len(), |at| 1 + at + end.len());
    match first {
        '\'' => up_to("'"),
        '{' => up_to("}"),
        ':' | '@' => {
            let name = text.bytes().skip(1).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
            1 + name.count()
        }
        other => {
            let plain = text.get(other.len_utf8()..).unwrap_or_default();
            other.len_utf8() + plain.find(['\'', '{', ':', '@']).unwrap_or(plain.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, row_sql: &str, set_sql: Option<&str>) {
        let query = Query::parse("example", text);
        assert_eq!(query.row_sql, row_sql);
        assert_eq!(query.set_sql.as_deref(), set_sql);
    }

    #[test]
    fn a_scalar_query_may_pack_its_rows() {
        let query = Query::parse("example", "select {pack}a, b{end_pack} from t where c = :c");
        assert_eq!(query.row_sql, "select a, b from t where c = ?1");
        assert_eq!(query.d1_sql(), "select json_array(json_array(a, b)) as packed from t where c = ?1");
        assert_eq!(query.set_sql, None);
        let query = Query::parse("example", "select {pack_all}a, b{end_pack} from t where c = :c");
        assert_eq!(query.row_sql, "select a, b from t where c = ?1");
        assert_eq!(
            query.d1_sql(),
            "select '[' || ifnull(group_concat(packed), '') || ']' as packed from \
             (select json_array(a, b) as packed from t where c = ?1)"
        );
    }

    #[test]
    fn rows_that_are_taken_together_have_parameters_of_their_own() {
        let query = Query::parse("example", "insert into t {values_together} :b, f(:a, :b) {end_each} on conflict");
        assert_eq!(query.row_sql, "insert into t values ( ?1, f(?2, ?1) ) on conflict");
        let several = query.several_sql.unwrap();
        assert!(several.starts_with("insert into t values ( ?1, f(?2, ?1) ), ( ?3, f(?4, ?3) ), ("), "{several}");
        assert!(several.ends_with("( ?39, f(?40, ?39) ) on conflict"), "{several}");
        assert_eq!(Query::parse("example", "insert into t {values_each} :b {end_each}").several_sql, None);
    }

    #[test]
    fn no_query_contains_a_comment() {
        for query in crate::queries::all() {
            assert!(!query.row_sql.contains("--"), "{}: a comment takes a line of its own", query.name);
        }
    }

    #[test]
    fn one_text_has_two_forms() {
        check("select :b, :a, ':a', :b - 1", "select ?1, ?2, ':a', ?1 - 1", None);
        check(
            "select x from {each} t where t.a = @a and t.b = :b",
            "select x from  t where t.a = ?1 and t.b = ?2",
            Some(
                "select x from (select jsonb(value) as value from json_each(?1) limit -1) as input cross join t where t.a = (?1->>'$[0][0]') \
                 and t.b = (input.value->>1)",
            ),
        );
        check(
            "update t set a = :a {from_each} and b = 1",
            "update t set a = ?1 where true and b = 1",
            Some(
                "update t set a = (input.value->>0) from (select jsonb(value) as value from json_each(?1) limit -1) \
                 as input where true and b = 1",
            ),
        );
        check(
            "insert into t {values_each} :a {end_each}",
            "insert into t values ( ?1 )",
            Some(
                "insert into t select (input.value->>0) from (select jsonb(value) as value from json_each(?1) \
                 limit -1) as input where true",
            ),
        );
    }
}
