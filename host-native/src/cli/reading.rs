//! The flags of commands that read a file of clients or prospects.

use std::{fs::File, path::Path};

use clap::Args;
use matterbook_import::{
    mapping::{HeaderMapping, ListKind},
    records::{self, Condition, Content, FileKind, Options, ReadError, Records, is_standard_input, name_of},
};

use super::{kept_mapping::MappingFile, outcome::Failure};

/// How to read a file of clients.
#[derive(Args, Clone, Debug)]
pub(super) struct ReadingArguments {
    /// Use the column with this header as a field, such as --map "Client Ref=external_id"; "Header="
    /// leaves the column out, "House No + Street=address_line1" joins two. May be repeated
    #[arg(long = "map", value_name = "HEADER=FIELD")]
    mappings: Vec<HeaderMapping>,
    /// Do not use the mapping that an earlier --map left in FILE.mapping.json, and keep none
    #[arg(long)]
    ignore_mapping: bool,
    /// Save a row without an optional value that cannot be read, and list what is left out; never
    /// without a name, an id or do_not_mail
    #[arg(long)]
    leave_out_unreadable: bool,
    #[command(flatten)]
    rows: RowArguments,
}

/// Which rows of a file to read.
#[derive(Args, Clone, Debug)]
pub(super) struct RowArguments {
    /// The sheet of a workbook; without it the first that is not hidden
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,
    /// Leave out the rows that are hidden in a workbook, by hand or by a filter
    #[arg(long)]
    skip_hidden: bool,
    /// Read only the rows with this value in the column with this header, such as
    /// --where "Is Client=Yes". May be repeated: a row must meet all
    #[arg(long = "where", value_name = "HEADER=VALUE")]
    conditions: Vec<Condition>,
}

impl ReadingArguments {
    /// How to read this file, and the file of its mapping.
    ///
    /// # Errors
    /// When that file cannot be read.
    pub(super) fn options(&self, file: &Path) -> Result<(Options, Option<MappingFile>), Failure> {
        let kept = if self.ignore_mapping { None } else { MappingFile::open(file, &self.mappings)? };
        let mappings = kept.as_ref().map_or(self.mappings.as_slice(), MappingFile::maps).to_vec();
        let leaves_out_unreadable = self.leave_out_unreadable;
        let options = Options { mappings, leaves_out_unreadable, ..self.rows.options() };
        Ok((options, kept))
    }
}

impl RowArguments {
    pub(super) fn options(&self) -> Options {
        Options {
            sheet: self.sheet.clone(),
            skips_hidden: self.skip_hidden,
            conditions: self.conditions.clone(),
            ..Options::default()
        }
    }
}

/// Opens a file, or standard input for `-`, and reads up to its first row.
///
/// # Errors
/// A sentence that says why the file cannot be read, and what to do.
pub(super) fn open(path: &Path, options: &Options) -> Result<Records, ReadError> {
    let content = if is_standard_input(path) {
        Content::Stream(Box::new(std::io::stdin()))
    } else {
        let unreadable = |error| ReadError::io(&name_of(path), &error);
        let file = File::open(path).map_err(unreadable)?;
        let metadata = file.metadata().map_err(unreadable)?;
        Content::File(Box::new(file), metadata.is_file().then_some(metadata.len()))
    };
    records::read(path, content, options)
}

/// A warning before the rows: no column of the file can be a name.
pub(super) fn namelessness(records: &Records) -> Option<&'static str> {
    // In a file of objects any later line may have a name.
    let is_of_clients = records.mapping().kind() == ListKind::Clients;
    let is_nameless = is_of_clients && records.kind() != FileKind::JsonLines && !records.mapping().has_name();
    is_nameless.then_some(
        "No column is a first or last name: a row is taken only where a client with its external_id is saved already.",
    )
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Usage(sentence) => Self::Usage(sentence),
            ReadError::Refused(sentence) => Self::Refused(sentence),
        }
    }
}
