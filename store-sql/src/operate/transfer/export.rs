//! The export of an account: a page of rows at a time (rules O30 and O31).

use matterbook_core::{
    order,
    store::{ExportHead, ExportPage, OperatorAnswer, Refusal, StoreError},
};
use uuid::Uuid;

use super::tables::{Kind, TABLES, Table};
use crate::{
    bind,
    driver::{Driver, Statement, Value},
    operate::command::{Command, CommandResult},
    queries,
    read::{Row, unexpected},
    value::json_text,
};

/// Where a page begins: in which table, and after which values of its key.
struct Place {
    table: &'static Table,
    after: Vec<Value>,
}

pub(in crate::operate) async fn export<D: Driver>(
    command: &Command<'_, D>,
    account: Uuid,
    after: Option<&str>,
) -> CommandResult {
    let mut tables = TABLES.iter();
    let (Some(head), Some(first)) = (tables.next(), tables.next()) else { return Err(Refusal::NoTransfer.into()) };
    let place = match after {
        Some(text) => Place::parse(text).ok_or(Refusal::NoPlace)?,
        None => Place::start(first),
    };
    let version = queries::EXPORT_VERSION.bind([("account", bind::id(account))]);
    let mut batch = vec![version, place.read(account)];
    batch.extend(after.is_none().then(|| Place::start(head).read(account)));
    let mut results = command.read(&batch).await?;
    let mut row = results.row().ok_or(Refusal::NoAccount)?;
    let (is_suspended, last_commit_at) = (row.flag()?, row.integer()?);
    let (last_entry_at, entries) = (row.optional_integer()?.unwrap_or_default(), row.integer()?);
    if row.flag()? {
        return Err(Refusal::Importing.into());
    }
    let version = format!("{last_commit_at}-{last_entry_at}-{entries}");
    let rows = results.rows().map(|row| place.table.values(row)).collect::<Result<Vec<_>, _>>()?;
    let next = place.next(&rows);
    let head = match results.row() {
        Some(row) => Some(ExportHead { tables: columns(), row: head.text(&head.values(row)?), is_suspended }),
        None => None,
    };
    let rows = rows.iter().map(|values| place.table.text(values)).collect();
    Ok(OperatorAnswer::Exported(ExportPage { version, head, rows, next }))
}

/// The columns of each table, as JSON. The tables are in the order of their names, as most writers of JSON have them.
pub(super) fn columns() -> String {
    let table = |table: &Table| {
        let names: Vec<_> = table.columns.iter().map(|column| column.name).collect();
        format!("\"{}\":[\"{}\"]", table.name, names.join("\",\""))
    };
    let mut tables: Vec<_> = TABLES.iter().map(table).collect();
    order::sort_by(&mut tables, Ord::cmp);
    format!("{{{}}}", tables.join(","))
}

impl Place {
    /// Before the first row of a table.
    fn start(table: &'static Table) -> Self {
        let least = |name: &&str| match table.kind(name) {
            Kind::Integer => Value::Integer(-1),
            Kind::Text => Value::from(""),
            Kind::Bytes | Kind::Login => Value::from([].as_slice()),
        };
        Self { table, after: table.key.iter().map(least).collect() }
    }

    fn parse(text: &str) -> Option<Self> {
        let mut row =
            crate::driver::unpack(&format!("[{text}]")).ok().filter(|rows| rows.len() == 1)?.pop()?.into_iter();
        let Some(Value::Text(name)) = row.next() else { return None };
        let table = TABLES.iter().skip(1).find(|table| table.name == name)?;
        let after: Vec<_> = row.collect();
        if after.is_empty() {
            return Some(Self::start(table));
        }
        if after.len() != table.key.len() {
            return None;
        }
        let after = table.key.iter().zip(after).map(|(name, value)| table.kind(name).value(value)).collect();
        Some(Self { table, after: Option::<Vec<_>>::from_iter::<Vec<Option<Value>>>(after)? })
    }

    fn read(&self, account: Uuid) -> Statement {
        let mut names = vec![("account", bind::id(account)), ("rows", self.table.page_rows.into())];
        names.extend(self.table.key.iter().copied().zip(self.after.iter().cloned()));
        self.table.export.bind(names)
    }

    /// The place after these rows; `None` after the last row of the last table.
    fn next(&self, rows: &[Vec<Value>]) -> Option<String> {
        let is_full = rows.len() >= usize::try_from(self.table.page_rows).unwrap_or(usize::MAX);
        if let Some(last) = rows.last().filter(|_| is_full) {
            let mut text = format!("[\"{}\"", self.table.name);
            for name in &self.table.key {
                let place = self.table.columns.iter().position(|column| column.name == *name);
                text.push(',');
                place.and_then(|place| last.get(place)).unwrap_or(&Value::Null).push_json(&mut text);
            }
            return Some(text + "]");
        }
        let mut following = TABLES.iter().skip_while(|table| table.name != self.table.name).skip(1);
        following.next().map(|table| format!("[\"{}\"]", table.name))
    }
}

impl Table {
    fn kind(&self, name: &str) -> Kind {
        self.columns.iter().find(|column| column.name == name).map_or(Kind::Integer, |column| column.kind)
    }

    /// The values of a row, bytes as bytes whatever the driver has them as.
    fn values(&self, mut row: Row) -> Result<Vec<Value>, StoreError> {
        let value = |kind: Kind, value: Value| kind.value(value).ok_or_else(|| unexpected("a value of its kind"));
        self.columns.iter().map(|column| value(column.kind, row.value())).collect()
    }

    /// A row as it is in the file.
    fn text(&self, values: &[Value]) -> String {
        let mut text = format!("[{}", json_text(self.name));
        for value in values {
            text.push(',');
            value.push_json(&mut text);
        }
        text.push(']');
        text
    }
}

impl Kind {
    /// The value as one of this kind: bytes of their digits, of which none is left of `NULL`. `None` if it is another.
    pub(super) fn value(self, value: Value) -> Option<Value> {
        match (self, value) {
            (_, Value::Null) => Some(Value::Null),
            (Self::Integer, value @ Value::Integer(_)) | (Self::Text, value @ Value::Text(_)) => Some(value),
            (Self::Bytes | Self::Login, value @ (Value::Id(_) | Value::Bytes(_))) => Some(value),
            (Self::Bytes | Self::Login, Value::Text(digits)) if digits.is_empty() => Some(Value::Null),
            (Self::Bytes | Self::Login, Value::Text(digits)) => bytes_of(&digits).map(|bytes| Value::from(&*bytes)),
            _ => None,
        }
    }
}

fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let is_whole = digits.len().is_multiple_of(2) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let pairs = digits.as_bytes().chunks(2).filter(|_| is_whole);
    let bytes: Option<Vec<_>> = pairs.map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok()).collect();
    bytes.filter(|bytes| !bytes.is_empty())
}
