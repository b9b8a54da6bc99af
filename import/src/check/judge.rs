//! Judges rows one after another, each by the rows before it.

use matterbook_core::{
    client::ClientFields,
    plan::{DuplicateFinder, KnownClient},
};

use super::{
    finding::{Judged, Nameless},
    similar::FindSimilar,
};
use crate::records::Record;

/// The rows so far, as far as later rows depend on them: hashes of their clients.
///
/// ```
/// use matterbook_import::{check::{Judge, Status}, records::{self, Content, Options}};
///
/// let file = "First Name,Last Name,Street,Zip\nAna,Sample,1 Oak St,02134\nANA,Sample,1 Oak Street,02134\n";
/// let content = Content::Stream(Box::new(file.as_bytes()));
/// let records = records::read("clients.csv".as_ref(), content, &Options::default())?;
/// let mut judge = Judge::default();
/// let statuses: Vec<_> = records.map(|record| Ok(judge.judge(&record?).status)).collect::<Result<_, records::ReadError>>()?;
/// assert_eq!(statuses, [Status::Ready, Status::Duplicate]);
/// # Ok::<(), records::ReadError>(())
/// ```
#[derive(Debug, Default)]
pub struct Judge {
    duplicates: DuplicateFinder,
    nameless: Nameless,
}

impl Judge {
    /// Adds a client that is saved already, so that rows are judged as those of an account that has it. It comes before
    /// the first row that has its `external_id` or its name. Its number is that of no row, and is used as the first row
    /// of the client.
    pub fn add_saved(&mut self, number: u64, fields: &ClientFields) -> KnownClient {
        self.duplicates.add_known(number, fields)
    }

    /// Adds a further `external_id` by which a saved client is found.
    pub fn add_alias(&mut self, client: KnownClient, external_id: &str) {
        self.duplicates.add_alias(client, external_id);
    }

    /// Judges the next row.
    pub fn judge(&mut self, record: &Record) -> Judged {
        self.judge_with(record, None)
    }

    /// Judges the next row, and names possible duplicates of its client.
    pub(super) fn judge_with(
        &mut self,
        record: &Record,
        similar_clients: Option<&mut (dyn FindSimilar + 'static)>,
    ) -> Judged {
        Judged::of(record, &mut self.duplicates, &mut self.nameless, similar_clients)
    }
}
