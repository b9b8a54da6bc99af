//! From values that were read to the rules' types.

use chrono::NaiveDate;
use matterbook_core::{
    SmolStr,
    account::{Grant, Role},
    client::{ClientFieldsOf, ClientOf, Settlement},
    key::KeyScope,
    store::StoreError,
    time::{Timestamp, parse_iso_date},
};
use uuid::Uuid;

use crate::driver::{Driver, DriverError, Isolation, Rows, Statement, Value, ValueOf, ValueRef, unpack};

/// The results of a batch, taken one statement after the other.
pub(crate) struct ResultSets(std::vec::IntoIter<Rows>);

impl ResultSets {
    /// Runs a batch that only reads.
    pub(crate) async fn of<D: Driver>(driver: &D, batch: &[Statement]) -> Result<Self, StoreError> {
        Ok(Self::new(driver.run(batch).await?))
    }

    /// Runs a batch that writes.
    pub(crate) async fn of_write<D: Driver>(driver: &D, batch: &[Statement]) -> Result<Self, StoreError> {
        driver.run(batch).await.map(Self::new).map_err(|error| write_error(driver.isolation(), error))
    }

    pub(crate) fn new(results: Vec<Rows>) -> Self {
        Self(results.into_iter())
    }

    /// The rows of the next statement.
    pub(crate) fn rows(&mut self) -> impl ExactSizeIterator<Item = Row> + use<> {
        self.0.next().unwrap_or_default().into_iter().map(|values| RowOf(values.into_iter()))
    }

    /// The rows of the next `count` statements.
    pub(crate) fn rows_of(&mut self, count: usize) -> impl ExactSizeIterator<Item = Row> + use<> {
        let rows: Vec<_> = self.0.by_ref().take(count).flatten().collect();
        rows.into_iter().map(|values| RowOf(values.into_iter()))
    }

    /// The results after those of `count` statements.
    pub(crate) fn skip(&mut self, count: usize) -> &mut Self {
        self.0.by_ref().take(count).for_each(drop);
        self
    }

    /// The first row of the next statement.
    pub(crate) fn row(&mut self) -> Option<Row> {
        self.rows().next()
    }
}

/// What a failed batch that writes is to the rules: where it was its own transaction, it may have
/// been committed all the same; within one that the host rolls back, it was not.
pub(crate) fn write_error(isolation: Isolation, error: DriverError) -> StoreError {
    match (isolation, error) {
        (Isolation::Batch, DriverError::Failed(cause)) => StoreError::Unknown { cause },
        (_, error) => error.into(),
    }
}

/// One row that keeps its values.
pub(crate) type Row = RowOf<std::vec::IntoIter<Value>>;

/// One row whose values are where the driver has them.
pub(crate) type RowRef<'a> = RowOf<std::iter::Copied<std::slice::Iter<'a, ValueRef<'a>>>>;

/// One row, read from left to right.
pub(crate) struct RowOf<Values>(Values);

#[cfg(feature = "console")]
impl Row {
    pub(crate) fn of_values(values: Vec<Value>) -> Self {
        RowOf(values.into_iter())
    }
}

impl<'a> RowRef<'a> {
    pub(crate) fn of(values: &'a [ValueRef<'a>]) -> Self {
        Self(values.iter().copied())
    }

    /// The row with what it borrows.
    pub(crate) fn into_row(self) -> Row {
        RowOf(self.0.map(ValueRef::to_value).collect::<Vec<_>>().into_iter())
    }
}

impl<Text, Bytes, Values> RowOf<Values>
where
    Text: AsRef<str>,
    Bytes: AsRef<[u8]>,
    Values: Iterator<Item = ValueOf<Text, Bytes>>,
{
    /// The next value as it is.
    pub(crate) fn value(&mut self) -> ValueOf<Text, Bytes> {
        self.0.next().unwrap_or(ValueOf::Null)
    }

    pub(crate) fn optional_text<T: From<Text>>(&mut self) -> Result<Option<T>, StoreError> {
        match self.value() {
            ValueOf::Null => Ok(None),
            ValueOf::Text(text) => Ok(Some(text.into())),
            ValueOf::Integer(_) | ValueOf::Id(_) | ValueOf::Bytes(_) => Err(unexpected("a text")),
        }
    }

    pub(crate) fn text<T: From<Text>>(&mut self) -> Result<T, StoreError> {
        self.optional_text()?.ok_or_else(|| unexpected("a text"))
    }

    pub(crate) fn optional_integer(&mut self) -> Result<Option<i64>, StoreError> {
        match self.value() {
            ValueOf::Null => Ok(None),
            ValueOf::Integer(integer) => Ok(Some(integer)),
            ValueOf::Text(_) | ValueOf::Id(_) | ValueOf::Bytes(_) => Err(unexpected("an integer")),
        }
    }

    pub(crate) fn integer(&mut self) -> Result<i64, StoreError> {
        self.optional_integer()?.ok_or_else(|| unexpected("an integer"))
    }

    pub(crate) fn optional_flag(&mut self) -> Result<Option<bool>, StoreError> {
        Ok(self.optional_integer()?.map(|integer| integer != 0))
    }

    pub(crate) fn flag(&mut self) -> Result<bool, StoreError> {
        Ok(self.integer()? != 0)
    }

    pub(crate) fn optional_time(&mut self) -> Result<Option<Timestamp>, StoreError> {
        Ok(self.optional_integer()?.map(Timestamp::from_micros))
    }

    pub(crate) fn time(&mut self) -> Result<Timestamp, StoreError> {
        self.integer().map(Timestamp::from_micros)
    }

    pub(crate) fn id(&mut self) -> Result<Uuid, StoreError> {
        match self.value() {
            ValueOf::Id(id) => Ok(Uuid::from_bytes(id)),
            ValueOf::Text(digits) => Uuid::try_parse(digits.as_ref()).map_err(|_| unexpected("an id")),
            ValueOf::Null | ValueOf::Integer(_) | ValueOf::Bytes(_) => Err(unexpected("an id")),
        }
    }

    /// An id or `NULL`, of which no digits are left where bytes are digits.
    pub(crate) fn optional_id(&mut self) -> Result<Option<Uuid>, StoreError> {
        match self.value() {
            ValueOf::Null => Ok(None),
            ValueOf::Text(digits) if digits.as_ref().is_empty() => Ok(None),
            value => RowOf(std::iter::once(value)).id().map(Some),
        }
    }

    /// Bytes, or their hexadecimal digits.
    pub(crate) fn bytes<const N: usize>(&mut self) -> Result<[u8; N], StoreError> {
        let text = match self.value() {
            ValueOf::Bytes(bytes) => return <[u8; N]>::try_from(bytes.as_ref()).map_err(|_| unexpected("a digest")),
            ValueOf::Text(digits) => digits,
            _ => return Err(unexpected("a digest")),
        };
        let text = text.as_ref();
        let mut bytes = [0; N];
        if text.len() != 2 * N {
            return Err(unexpected("a digest"));
        }
        for (index, byte) in bytes.iter_mut().enumerate() {
            let digits = text.get(2 * index..2 * index + 2).ok_or_else(|| unexpected("a digest"))?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| unexpected("a digest"))?;
        }
        Ok(bytes)
    }

    /// Any number of bytes, or their hexadecimal digits.
    #[cfg(feature = "console")]
    pub(crate) fn byte_list(&mut self) -> Result<Vec<u8>, StoreError> {
        let text = match self.value() {
            ValueOf::Bytes(bytes) => return Ok(bytes.as_ref().to_vec()),
            ValueOf::Id(id) => return Ok(id.to_vec()),
            ValueOf::Text(digits) => digits,
            ValueOf::Null | ValueOf::Integer(_) => return Err(unexpected("bytes")),
        };
        let pairs = text.as_ref().as_bytes().chunks(2);
        let byte = |pair: &[u8]| str::from_utf8(pair).ok().and_then(|digits| u8::from_str_radix(digits, 16).ok());
        pairs.map(|pair| byte(pair).ok_or_else(|| unexpected("bytes"))).collect()
    }

    pub(crate) fn optional_date(&mut self) -> Result<Option<NaiveDate>, StoreError> {
        self.optional_text::<Text>()?.map(|text| date(text.as_ref())).transpose()
    }

    pub(crate) fn date(&mut self) -> Result<NaiveDate, StoreError> {
        date(self.text::<Text>()?.as_ref())
    }

    pub(crate) fn role(&mut self) -> Result<Role, StoreError> {
        Role::from_name(self.text::<Text>()?.as_ref()).ok_or_else(|| unexpected("a role"))
    }

    /// The scope of a key, or `NULL`.
    pub(crate) fn key_scope(&mut self) -> Result<Option<KeyScope>, StoreError> {
        let scope = |name: Text| KeyScope::from_name(name.as_ref()).ok_or_else(|| unexpected("a key's scope"));
        self.optional_text::<Text>()?.map(scope).transpose()
    }

    /// An id, the fields, `created_at`, `updated_at`.
    pub(crate) fn client(&mut self) -> Result<ClientOf<Text>, StoreError>
    where
        Text: Default,
    {
        Ok(ClientOf {
            id: self.id()?,
            fields: self.client_fields()?,
            created_at: self.time()?,
            updated_at: self.time()?,
        })
    }

    /// The [`CLIENT_FIELDS`](crate::columns::CLIENT_FIELDS).
    pub(crate) fn client_fields<T: From<Text> + Default>(&mut self) -> Result<ClientFieldsOf<T>, StoreError> {
        let mut fields = ClientFieldsOf::default();
        for (_, text) in fields.texts_mut() {
            *text = self.optional_text()?;
        }
        for (_, date) in fields.dates_mut() {
            *date = self.optional_date()?;
        }
        fields.do_not_mail = self.flag()?;
        Ok(fields)
    }

    /// A JSON array of `[hex(id), settled_on, former_dates, begun_at, changed_at]`, or `NULL`.
    pub(crate) fn settlements(&mut self, client: Uuid) -> Result<Vec<Settlement>, StoreError> {
        let Some(text) = self.optional_text::<Text>()? else { return Ok(Vec::new()) };
        let settlement = |values: Vec<Value>| {
            let mut row = RowOf(values.into_iter());
            Ok(Settlement {
                id: row.id()?,
                client,
                settled_on: row.date()?,
                former_dates: row.dates()?,
                begun_at: row.time()?,
                changed_at: row.time()?,
            })
        };
        let rows = unpack(text.as_ref()).map_err(|_| unexpected("settlements"))?;
        rows.into_iter().map(settlement).collect()
    }
}

impl Row {
    pub(crate) fn grant(&mut self) -> Result<Grant, StoreError> {
        Ok(Grant { fips: self.text()?, from_date: self.date()? })
    }

    /// A JSON array of dates.
    fn dates(&mut self) -> Result<Vec<NaiveDate>, StoreError> {
        let dates = unpack(&format!("[{}]", self.text::<SmolStr>()?)).map_err(|_| unexpected("dates"))?;
        let mut row = RowOf(dates.into_iter().next().unwrap_or_default().into_iter());
        (0..row.0.len()).map(|_| row.date()).collect()
    }
}

fn date(text: &str) -> Result<NaiveDate, StoreError> {
    parse_iso_date(text).ok_or_else(|| unexpected("a date"))
}

/// A row is not what its query promises: the database was written by another program. Never says
/// what it holds.
pub(crate) fn unexpected(what: &str) -> StoreError {
    StoreError::Failed { cause: format!("the database holds something else where {what} belongs") }
}
