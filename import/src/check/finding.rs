//! The findings about one row.

use foldhash::HashMap;
use matterbook_core::{
    SmolStr,
    chrono::NaiveDate,
    client::{ClientFields, DO_NOT_MAIL_NOT_SAVED, Repair, parse_client, repairs},
    matching::MatchKey,
    plan::{DuplicateFinder, ListRow},
    similar::SimilarReason,
};

use super::similar::FindSimilar;
use crate::records::Record;

/// The result that a row would get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Saved unchanged.
    Ready,
    /// Saved with normalized values.
    Repaired,
    /// Saved without an optional value that cannot be read.
    Incomplete,
    /// Saved to the same client as an earlier row.
    Duplicate,
    /// It has an external id but no name: saved only if that client exists already.
    UpdateOnly,
    /// It conflicts with an earlier row and is not saved.
    Conflict,
    /// It is invalid and is not saved.
    Error,
}

impl Status {
    /// The status's name in `--json` and `--out`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Repaired => "repaired",
            Self::Incomplete => "incomplete",
            Self::Duplicate => "duplicate",
            Self::UpdateOnly => "update_only",
            Self::Conflict => "conflict",
            Self::Error => "error",
        }
    }
}

/// One finding about a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The row's number.
    pub row: u64,
    /// The finding.
    pub what: FindingKind,
}

/// The kind of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// A value is stored in another form than written.
    Repair(Repair),
    /// A value cannot be read and is left out: what is wrong with it.
    LeftOut(String),
    /// The row matches the client of an earlier row.
    Duplicate {
        /// The number of the earlier row.
        of_row: u64,
        /// `external_id` or `name_address_zip`.
        matched_by: &'static str,
        /// The second lines of the addresses differ, which are not compared.
        line2_differs: bool,
    },
    /// The row's client may be that of an earlier row, though they do not match: a possible duplicate.
    Similar {
        /// The number of the earlier row.
        to_row: u64,
        /// Why.
        reasons: Vec<SimilarReason>,
    },
    /// The row has an external id and no name.
    UpdateOnly,
    /// The row conflicts with the client of an earlier row.
    Conflict {
        /// The earlier row's number.
        with_row: u64,
        /// The reason, and how to fix it.
        message: String,
    },
    /// The row is invalid.
    Error(String),
}

impl FindingKind {
    /// The status of a row with only this finding.
    #[must_use]
    pub const fn status(&self) -> Status {
        match self {
            Self::Similar { .. } => Status::Ready,
            Self::Repair(_) => Status::Repaired,
            Self::LeftOut(_) => Status::Incomplete,
            Self::Duplicate { .. } => Status::Duplicate,
            Self::UpdateOnly => Status::UpdateOnly,
            Self::Conflict { .. } => Status::Conflict,
            Self::Error(_) => Status::Error,
        }
    }

    /// The finding as a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::Repair(repair) => format!("{} {}.", repair.field.name(), change(repair)),
            Self::LeftOut(problem) => format!("Left out: {problem}"),
            Self::Duplicate { of_row, matched_by: EXTERNAL_ID, .. } => {
                format!("The client of row {of_row}: same external_id.")
            }
            Self::Duplicate { of_row, line2_differs, .. } => {
                let note = if *line2_differs { "; line 2 differs" } else { "" };
                format!("The client of row {of_row}: same name, street and ZIP{note}.")
            }
            Self::Similar { to_row, reasons } => {
                let reasons: Vec<_> = reasons.iter().map(|reason| reason.words()).collect();
                format!("It may be the person of row {to_row}: {}. Taken as another client.", reasons.join(", "))
            }
            Self::UpdateOnly => "No name: taken where a client with this external_id is saved already.".to_owned(),
            Self::Conflict { message, .. } | Self::Error(message) => message.clone(),
        }
    }
}

/// `"2134" becomes "02134"`, with invisible characters escaped.
#[must_use]
pub fn change(repair: &Repair) -> String {
    format!("{:?} becomes {:?}", repair.from.to_string(), repair.to.to_string())
}

const EXTERNAL_ID: &str = "external_id";
const NAME_ADDRESS_ZIP: &str = "name_address_zip";

/// A row's status with all its findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The worst status of its findings.
    pub status: Status,
    /// The findings; the worst is last.
    pub findings: Vec<Finding>,
    /// The client that the row would be saved to; `None` if it would not be saved.
    pub client: Option<RowClient>,
    /// The row has the name, street and ZIP of an earlier row and another `external_id`: a conflict.
    pub has_other_external_id: bool,
}

/// The client of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowClient {
    /// The number of the first row of the same client.
    pub first_row: u64,
    /// The row's settled date.
    pub settled_on: Option<NaiveDate>,
}

/// The first row of each `external_id` without a name, which the duplicate finder does not keep.
pub(super) type Nameless = HashMap<SmolStr, u64>;

impl Judged {
    /// Judges the next row of a file.
    pub(super) fn of(
        record: &Record,
        duplicates: &mut DuplicateFinder,
        nameless: &mut Nameless,
        similar_clients: Option<&mut (dyn FindSimilar + 'static)>,
    ) -> Self {
        let row = record.number;
        let mut findings: Vec<Finding> = Vec::new();
        let (mut client, mut has_other_external_id) = (None, false);
        let mut found = |what| findings.push(Finding { row, what });
        let json = record.client.as_deref();
        let parsed = json.map(parse_client);
        // A `true` of a workbook is a text here and is stored unchanged, so it is not a visible repair.
        let is_seen = |repair: &Repair| repair.from.to_string() != repair.to.to_string();
        let repairs = json.map(repairs).into_iter().flatten().filter(is_seen);
        repairs.for_each(|repair| found(FindingKind::Repair(repair)));
        record.left_out.iter().for_each(|problem| found(FindingKind::LeftOut(problem.clone())));
        match parsed {
            Some(Ok(input)) if record.sendable().is_ok() => {
                let fields = &input.fields;
                let list_row = duplicates.add(row, fields);
                has_other_external_id = matches!(list_row, ListRow::OtherExternalId { .. });
                client = first_row(row, list_row, fields, nameless)
                    .map(|first_row| RowClient { first_row, settled_on: fields.settled_on });
                if let Some((to_row, reasons)) =
                    similar_clients.filter(|_| list_row == ListRow::New).and_then(|clients| clients.add(row, fields))
                {
                    found(FindingKind::Similar { to_row, reasons });
                }
                if let Some(what) = place(list_row, fields) {
                    found(what);
                }
            }
            _ => found(FindingKind::Error(record.reason())),
        }
        let status = findings.iter().map(|finding| finding.what.status()).max().unwrap_or(Status::Ready);
        Self { status, findings, client, has_other_external_id }
    }

    /// All findings as sentences, the worst first.
    #[must_use]
    pub fn reason(&self) -> String {
        let sentences: Vec<String> = self.findings.iter().rev().map(|finding| finding.what.sentence()).collect();
        sentences.join(" ")
    }
}

/// The first row of the row's client, if the row would be saved.
fn first_row(row: u64, list_row: ListRow, fields: &ClientFields, nameless: &mut Nameless) -> Option<u64> {
    match list_row {
        ListRow::New => Some(row),
        ListRow::SameExternalId { number } | ListRow::SamePerson { number, .. } => Some(number),
        ListRow::Nameless { .. } => Some(*nameless.entry(fields.external_id.clone()?).or_insert(row)),
        ListRow::OtherExternalId { .. } | ListRow::Several { .. } | ListRow::NotToldApart { .. } => None,
    }
}

/// The finding that follows from the row's entry in the duplicate finder.
fn place(list_row: ListRow, fields: &ClientFields) -> Option<FindingKind> {
    let lost = if fields.do_not_mail { DO_NOT_MAIL_NOT_SAVED } else { "" };
    let conflict = |with_row: u64, message: String| Some(FindingKind::Conflict { with_row, message: message + lost });
    match list_row {
        ListRow::New => None,
        ListRow::SameExternalId { number } => {
            Some(FindingKind::Duplicate { of_row: number, matched_by: EXTERNAL_ID, line2_differs: false })
        }
        ListRow::SamePerson { number, line2_differs } => {
            Some(FindingKind::Duplicate { of_row: number, matched_by: NAME_ADDRESS_ZIP, line2_differs })
        }
        ListRow::OtherExternalId { number } => conflict(
            number,
            format!(
                "The client of row {number} has this name, street and ZIP and another external_id; two people are never \
                 merged. Use that external_id if it is the same person, or check the name and address if it is another."
            ),
        ),
        ListRow::Several { number } => conflict(
            number,
            format!(
                "Several clients have this name, street and ZIP, the first in row {number}. Add the external_id of the \
                 one that is meant."
            ),
        ),
        ListRow::NotToldApart { number } => {
            let match_key = MatchKey::of(fields);
            let missing = match (&match_key.street, &match_key.zip5) {
                (None, None) => "address_line1 and zip",
                (None, Some(_)) => "address_line1",
                (Some(_), _) => "zip",
            };
            conflict(
                number,
                format!(
                    "The client of row {number} has the same name and cannot be told apart from this one. Add {missing}."
                ),
            )
        }
        ListRow::Nameless { has_external_id: true } => Some(FindingKind::UpdateOnly),
        ListRow::Nameless { has_external_id: false } => Some(FindingKind::Error(format!(
            "A client needs first_name or last_name, or the external_id of a saved client.{lost}"
        ))),
    }
}
