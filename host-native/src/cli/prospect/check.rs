//! `prospect import --dry-run`: what an import would do, without a service.

use std::io::Write;

use matterbook_import::{
    check::{Finding, FindingKind, ProspectCheck},
    records::Records,
};
use serde_json::json;

use super::arguments::{ImportArguments, missing, today};
use crate::cli::{
    check::{Progress, Report as _, TextReport},
    flags::Flags,
    outcome::{Failure, Shown},
};

pub(super) fn run(arguments: &ImportArguments, flags: &Flags) -> Result<Shown, Failure> {
    let records = arguments.open_any()?;
    let lacks = missing(&records);
    let checked = if flags.json {
        let mut nothing = TextReport::to(std::io::sink(), &arguments.file, false, None);
        check(records, &mut nothing, true)
    } else {
        check(records, &mut TextReport::new(&arguments.file, false), false)
    };
    let Checked { check, refused, broken_off } = checked;
    let summary = check.summary();
    let json = json!({"prospects": {
        "rows": summary.rows, "prospects": summary.prospects, "again": summary.again, "refused": refused,
    }});
    let is_partial = summary.refusal().is_some();
    // The text report ends with the same numbers.
    let refusal = broken_off.or(lacks).or_else(|| summary.refusal().filter(|_| flags.json));
    Ok(Shown { refusal, is_partial, ..Shown::new(if flags.json { json } else { json!(null) }, String::new()) })
}

struct Checked {
    check: ProspectCheck,
    /// The rows that cannot be imported, for programs.
    refused: Vec<serde_json::Value>,
    broken_off: Option<String>,
}

fn check<W: Write>(mut records: Records, report: &mut TextReport<W>, is_for_programs: bool) -> Checked {
    let mut check = ProspectCheck::new(today());
    let (mut refused, mut broken_off) = (Vec::new(), None);
    let mut progress = Progress::new(is_for_programs);
    report.begin(&records);
    while let Some(record) = records.next() {
        progress.show(check.summary().rows, records.progress());
        match record {
            Ok(record) => {
                let Err(reason) = check.judge(&record) else { continue };
                if is_for_programs {
                    refused.push(json!({"row": record.number, "message": reason}));
                }
                let finding = Finding { row: record.number, what: FindingKind::Error(reason) };
                report.finding(&finding, &record, records.mapping());
            }
            Err(error) => broken_off = Some(error.to_string()),
        }
    }
    progress.clear();
    report.end_of_prospects(&records, check.summary(), broken_off.as_deref());
    Checked { check, refused, broken_off }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use matterbook_import::{
        mapping::ListKind,
        records::{Content, Options, read},
    };

    use super::*;

    const FILE: &str = "\
Report Number,Record ID,Collision Date,County,Crash State,Injury Severity,Person Type,Last Name,VIN,Officer
R-1,1,2/24/2026,Cook,IL,B,Driver,Specimenez,1FT,Roe
R-1,2,2/24/2026,Cooke,IL,Sad,Occupant,Sampleton,1FT,Roe
R-2,3,45000,Cook,IL,No Apparent Injury,Driver,Demowitz,,
R-2,4,2/24/2026,Baltimore,MD,O,Driver,Fixturelli,,
R-2,4,2/24/2026,Cook,IL,Property Damage Only,Driver,Fixturelli,,
R-3,5,2/24/2026,Cooke,IL,O,Driver,Testerson,,
R-1,1,2/25/2026,Cook,IL,B,Driver,Specimenez,1FT,Roe
Total,6,,,,,,,,
";

    #[test]
    fn a_dry_run_shows_columns_problems_and_what_would_be_imported_in_80_columns() {
        let options = Options { kind: ListKind::Prospects, ..Options::default() };
        let content = Content::of_bytes(FILE.as_bytes().to_vec());
        let records = read(Path::new("crashes.csv"), content, &options).unwrap();
        let mut printed = Vec::new();
        check(records, &mut TextReport::to(&mut printed, Path::new("crashes.csv"), false, Some(80)), false);
        let printed = String::from_utf8(printed).unwrap();
        assert_eq!(
            anstream::adapter::strip_str(&printed).to_string(),
            "\
crashes.csv: text with separators

  Report Number    crash_report_number
  Record ID        source_id
  Collision Date   crash_date
  County           crash_county
  Crash State      crash_state
  Injury Severity  injury_severity
  Person Type      person_type
  Last Name        last_name
  VIN              -                    not kept
  Officer          -                    not recognized
--map \"Header=field\" maps a column differently.

      3  error        County \"Cooke\": crash_county is no county of IL in the
                      Census list: fix its name, or add its FIPS code. And 1
                      more like it.
      3  error        Injury Severity \"Sad\": injury_severity must be one of
                      fatal, suspected_serious, suspected_minor, possible, none,
                      unknown or a KABCO letter (K, A, B, C, O, U).
      4  error        Collision Date \"45000\": crash_date is a spreadsheet's
                      number for a day: format the column as a date and export
                      again.
      5  error        County \"Baltimore\": crash_county can be Baltimore County
                      (24005) or Baltimore city (24510): write which, or add its
                      FIPS code.
      9  error        The row is a total or a footer of the export, not a person
                      in a crash: delete it.

8 rows
  2 rows would be imported
  1 row has the source_id of an earlier row, and would replace its values
  5 rows would not be imported: something is wrong with them
"
        );
    }
}
