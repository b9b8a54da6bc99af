//! `matterbook prospect …`

mod arguments;
mod check;
mod import;

use clap::Subcommand;

use super::{
    flags::Flags,
    operator::{Call, Operator},
    outcome::{Failure, Shown},
    table,
};
use arguments::ImportArguments;

/// Import and erase prospects.
#[derive(Debug, Subcommand)]
pub(super) enum ProspectCommand {
    /// Import a file of prospects; importing one again updates it in place
    #[command(after_help = IMPORT_HELP)]
    Import(ImportArguments),
    /// Erase a prospect; no later import brings it back
    Erase {
        /// The prospect's id
        id: String,
    },
}

const IMPORT_HELP: &str = "\
Columns are recognized by their headers, such as \"Crash Date\", \"Report Number\"
or \"Injury Severity\"; --dry-run shows the use of each. Fields: source_id (an id
that no other person has), first_name, last_name, address_line1, address_line2,
city, state, zip, email, phone, person_type, injury_severity, transported,
crash_date, crash_time, crash_city, crash_state, crash_county,
crash_county_fips, crash_report_number, manner_of_collision, vehicle_year,
vehicle_make, vehicle_model, vehicle_towed, hit_and_run; last_comma_first and
first_last, which split a name; city_state_zip and whole_address, which split an
address. Columns are joined by \"Crash ID + Person Number=source_id\".

A row needs source_id, crash_date and the county: its FIPS code, or its name and
the state. An empty value changes nothing.

Rows that cannot be imported go to a file beside the imported one, each with its
reason. The other rows are imported, and the exit status is 1.";

impl ProspectCommand {
    /// Runs the command. An import creates a missing database; a dry run needs none.
    pub(super) fn run(self, flags: &Flags) -> Result<Shown, Failure> {
        match self {
            Self::Import(arguments) if arguments.dry_run => check::run(&arguments, flags),
            Self::Import(arguments) => {
                let records = arguments.open()?;
                Operator::run(flags, true, |operator| import::run(&arguments, records, operator))
            }
            Self::Erase { id } => {
                let answer = Operator::open(flags, false)?.send(Call::delete(&["prospects", &id]))?;
                let text = table::record(&answer["prospect"], &["id", "erased"]);
                Ok(Shown::new(answer, text))
            }
        }
    }
}
