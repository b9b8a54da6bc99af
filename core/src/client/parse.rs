//! Parses one client object of a request to its normalized fields, or to an error with every
//! problem (rules N8 to N11).

use chrono::NaiveDate;
use smol_str::SmolStr;

use super::{ClientFields, ClientInput, Member, ParseError, reading::Reading, stored_text};
use crate::{
    json::{Malformed, MemberOrder, Members, ObjectError, Scanner, Values},
    normalize::{self, Field, FieldValue, Problem, ProblemKind},
};

/// The number of members that are read.
pub(super) const MEMBERS: usize = Field::ALL.len() + 1;

/// The members that are read, in the order in which a message lists problems (rule N9).
pub(super) const NAMES: [&str; MEMBERS] = {
    let mut names = ["new_settlement"; MEMBERS];
    let mut place = 0;
    while place < Field::ALL.len() {
        #[expect(clippy::indexing_slicing, reason = "evaluated while compiling; `get_mut` is not const")]
        {
            names[place] = Field::ALL[place].name();
        }
        place += 1;
    }
    names
};

/// Reads one client object. Unknown members are ignored; of a member given twice the last counts.
///
/// # Errors
/// Every problem. It displays as one sentence that names each refused field and says what to fix.
///
/// ```
/// use matterbook_core::client::{Field, parse_client};
/// let client = parse_client(r#"{"first_name": " Ana ", "zip": 2134, "state": "massachusetts"}"#).unwrap();
/// assert_eq!(client.fields.first_name.as_deref(), Some("Ana"));
/// assert_eq!(client.fields.zip.as_deref(), Some("02134"));
/// assert_eq!(client.fields.state.as_deref(), Some("MA"));
///
/// let error = parse_client(r#"{"first_name": 7, "zip": "021"}"#).unwrap_err();
/// assert_eq!(error.problem_of(Field::Zip).unwrap().kind().name(), "zip_format");
/// assert!(error.to_string().starts_with("first_name must be a string; zip must have"));
/// ```
#[doc(alias = "validate")]
pub fn parse_client(json: &str) -> Result<ClientInput, ParseError> {
    let members = Members::parse(json, &NAMES).map_err(|error| match error {
        ObjectError::NotAnObject => not_an_object(),
        ObjectError::Malformed => broken(),
    })?;
    client_from_members(&members)
}

/// Reads the client objects of a larger text, one after the other.
pub(crate) struct ClientReader<'a> {
    members: Members<'a, MEMBERS>,
    order: MemberOrder,
}

impl Default for ClientReader<'_> {
    fn default() -> Self {
        Self { members: Members::of(&NAMES), order: MemberOrder::default() }
    }
}

impl<'a> ClientReader<'a> {
    /// The next client of the scanner.
    #[inline]
    pub(crate) fn read(&mut self, scanner: &mut Scanner<'a>) -> Result<Result<ClientInput, ParseError>, Malformed> {
        self.read_looking(scanner, |_| {})
    }

    /// The next client of the scanner, and how it was read.
    pub(crate) fn read_explained(
        &mut self,
        scanner: &mut Scanner<'a>,
    ) -> Result<(Result<ClientInput, ParseError>, Reading), Malformed> {
        let mut reading = Reading::default();
        let object = scanner.clone();
        let input = self.read_looking(scanner, |members| reading = Reading::of_members(members, object))?;
        Ok((input, reading))
    }

    /// The next client of the scanner. `inspect` gets its members, if it is an object.
    #[inline(always)]
    fn read_looking(
        &mut self,
        scanner: &mut Scanner<'a>,
        inspect: impl FnOnce(&Members<'_, MEMBERS>),
    ) -> Result<Result<ClientInput, ParseError>, Malformed> {
        if scanner.peek() != Some(b'{') {
            return scanner.skip().map(|()| Err(not_an_object()));
        }
        self.members.read(scanner, &mut self.order)?;
        if self.members.has_invalid_utf16 {
            return Ok(Err(broken()));
        }
        inspect(&self.members);
        Ok(client_from_members(&self.members))
    }
}

#[cold]
fn not_an_object() -> ParseError {
    ParseError::of_record(ProblemKind::WrongType, "A client must be a JSON object.")
}

#[cold]
fn broken() -> ParseError {
    ParseError::of_record(ProblemKind::InvalidUnicode, "A client must be a JSON object with valid Unicode names.")
}

#[inline]
fn client_from_members(members: &Members<'_, MEMBERS>) -> Result<ClientInput, ParseError> {
    let mut reader = FieldReader::new(members.values());
    let mut fields = ClientFields::default();
    // The external id comes last among the texts of an input.
    let [_, texts @ ..] = fields.texts_mut();
    for (field, text) in texts {
        *text = reader.text(field);
    }
    for (field, date) in fields.dates_mut() {
        *date = reader.date(field.name());
    }
    fields.external_id = reader.text(Field::ExternalId);
    fields.do_not_mail = reader.read(Field::DoNotMail.name(), normalize::boolean).unwrap_or(false);
    let new_settlement = reader.read("new_settlement", normalize::boolean);
    match reader.finish() {
        Ok(()) => Ok(ClientInput { fields, new_settlement }),
        Err(error) => Err(error.of_do_not_mail(fields.do_not_mail)),
    }
}

/// Reads fields by their rules and collects the problems.
pub(crate) struct FieldReader<'m, 'a> {
    values: Values<'m, 'a>,
    problems: Vec<(Member, Problem)>,
}

impl<'m, 'a> FieldReader<'m, 'a> {
    pub(crate) const fn new(values: Values<'m, 'a>) -> Self {
        Self { values, problems: Vec::new() }
    }

    /// The value of a field by its rule; `None` when it is missing or was refused.
    #[inline(always)]
    pub(crate) fn read<T>(
        &mut self,
        name: &'static str,
        rule: impl FnOnce(&FieldValue<'_>) -> Result<Option<T>, Problem>,
    ) -> Option<T> {
        match rule(self.values.next(name).unwrap_or(&FieldValue::Absent)) {
            Ok(value) => value,
            Err(problem) => {
                self.refuse(name, problem);
                None
            }
        }
    }

    /// A text of a client, by the rule of its field.
    #[inline]
    fn text(&mut self, field: Field) -> Option<SmolStr> {
        self.read(field.name(), |value| stored_text(field, value))
    }

    /// A text of up to 200 characters on one line.
    #[inline]
    pub(crate) fn name(&mut self, name: &'static str) -> Option<SmolStr> {
        self.read(name, |value| normalize::text(value, Field::TEXT_MAX_LENGTH))
    }

    /// An address line of up to 300 characters.
    #[inline]
    pub(crate) fn address(&mut self, name: &'static str) -> Option<SmolStr> {
        self.read(name, |value| normalize::address(value, Field::ADDRESS_MAX_LENGTH))
    }

    /// A calendar date.
    #[inline]
    pub(crate) fn date(&mut self, name: &'static str) -> Option<NaiveDate> {
        self.read(name, normalize::date)
    }

    /// Adds the problem of a field.
    #[cold]
    fn refuse(&mut self, name: &'static str, problem: Problem) {
        self.problems.push((Member::named(name), problem));
    }

    /// Every problem, if there is any.
    pub(crate) fn finish(self) -> Result<(), ParseError> {
        if self.problems.is_empty() { Ok(()) } else { Err(ParseError::new(self.problems)) }
    }
}
