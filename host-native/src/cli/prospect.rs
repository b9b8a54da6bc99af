//! `matterbook prospect …`

use std::path::PathBuf;

use clap::Subcommand;
use serde_json::{Value, json};

use super::{
    operator::{Call, Operator},
    outcome::{Failure, Shown},
    prospect_file::{Row, rows},
    table,
};

/// The operator API accepts at most this many prospects in one request (rules P10 to P17).
const BATCH_ROWS: usize = 500;
/// The approximate size of a request, well below the smallest usual body limit.
const BATCH_BYTES: usize = 4 * 1_024 * 1_024;

/// Import and erase prospects.
#[derive(Debug, Subcommand)]
pub(super) enum ProspectCommand {
    /// Import a file of prospects; importing one again updates it in place
    #[command(after_help = IMPORT_HELP)]
    Import {
        /// A .csv with a header line, or a .ndjson with one JSON object per line
        file: PathBuf,
    },
    /// Erase a prospect; no later import brings it back
    Erase {
        /// The prospect's id
        id: String,
    },
}

const IMPORT_HELP: &str = "\
Columns: source_id (required, unique), first_name, last_name, address_line1,
address_line2, city, state, zip, email, phone, person_type, injury_severity,
transported, crash_date (required), crash_time, crash_city, crash_state,
crash_county, crash_county_fips (required), crash_report_number,
manner_of_collision, vehicle_year, vehicle_make, vehicle_model, vehicle_towed,
hit_and_run. Other columns are ignored. An empty value changes nothing.

Rows that cannot be imported are printed with their line number. The other rows
are imported, and the exit status is 1.";

impl ProspectCommand {
    /// Whether the command creates a missing database.
    pub(super) const fn creates(&self) -> bool {
        matches!(self, Self::Import { .. })
    }

    pub(super) fn run(self, operator: &Operator) -> Result<Shown, Failure> {
        match self {
            Self::Import { file } => {
                let mut import = Import::new(operator);
                let outcome = rows(&file)?.try_for_each(|row| import.add(row)).and_then(|()| import.send());
                import.shown(outcome.err())
            }
            Self::Erase { id } => {
                let answer = operator.send(Call::delete(&["prospects", &id]))?;
                let text = table::record(&answer["prospect"], &["id", "erased"]);
                Ok(Shown::new(answer, text))
            }
        }
    }
}

/// An import under way.
struct Import<'a> {
    operator: &'a Operator,
    lines: Vec<u64>,
    prospects: Vec<Value>,
    bytes: usize,
    created: u64,
    updated: u64,
    refused: Vec<(u64, String)>,
}

impl<'a> Import<'a> {
    const fn new(operator: &'a Operator) -> Self {
        Self {
            operator,
            lines: Vec::new(),
            prospects: Vec::new(),
            bytes: 0,
            created: 0,
            updated: 0,
            refused: Vec::new(),
        }
    }

    fn add(&mut self, row: Row) -> Result<(), Failure> {
        match row.prospect {
            Err(message) => self.refused.push((row.line, message)),
            Ok(prospect) => {
                if self.prospects.len() == BATCH_ROWS || self.bytes + row.bytes > BATCH_BYTES {
                    self.send()?;
                }
                self.lines.push(row.line);
                self.prospects.push(Value::Object(prospect));
                self.bytes += row.bytes;
            }
        }
        Ok(())
    }

    fn send(&mut self) -> Result<(), Failure> {
        let prospects = std::mem::take(&mut self.prospects);
        let lines = std::mem::take(&mut self.lines);
        self.bytes = 0;
        if prospects.is_empty() {
            return Ok(());
        }
        let answer = self.operator.send(Call::post(&["prospects"], json!({"prospects": prospects})))?;
        for (line, result) in lines.into_iter().zip(answer["results"].as_array().into_iter().flatten()) {
            match result["status"].as_str() {
                Some("created") => self.created += 1,
                Some("updated") => self.updated += 1,
                _ => self.refused.push((line, result["message"].as_str().unwrap_or_default().to_owned())),
            }
        }
        Ok(())
    }

    /// The result. After a failed request it still reports what was imported before.
    fn shown(mut self, failure: Option<Failure>) -> Result<Shown, Failure> {
        self.refused.sort_by_key(|(line, _)| *line);
        let Self { created, updated, refused, .. } = self;
        let refusal = match failure {
            Some(Failure::Refused(sentence)) if created + updated > 0 => {
                Some(format!("{sentence} The import stopped there. Import the file again to continue."))
            }
            Some(failure) => return Err(failure),
            None if refused.is_empty() => None,
            None => Some(format!("{} of {} rows were refused.", refused.len(), created + updated + count(&refused))),
        };
        let lines: String = refused.iter().map(|(line, message)| format!("line {line}: {message}\n")).collect();
        let text = format!("created {created}, updated {updated}, refused {}\n{lines}", refused.len());
        let refused: Vec<Value> =
            refused.into_iter().map(|(line, message)| json!({"line": line, "message": message})).collect();
        let json = json!({"prospects": {"created": created, "updated": updated, "refused": refused}});
        Ok(Shown { refusal, ..Shown::new(json, text) })
    }
}

fn count(refused: &[(u64, String)]) -> u64 {
    u64::try_from(refused.len()).unwrap_or(u64::MAX)
}
