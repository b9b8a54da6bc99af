//! What an import would do with each row of a file of prospects (rule P25).

use foldhash::HashMap;
use matterbook_core::{SmolStr, chrono::NaiveDate, prospect::parse_prospect};

use super::count::{count, grouped};
use crate::records::Record;

/// A check of one file, row by row in its order.
#[derive(Debug)]
pub struct ProspectCheck {
    today: NaiveDate,
    /// The first row of each `source_id`.
    first_rows: HashMap<SmolStr, u64>,
    summary: ProspectSummary,
}

/// The number of rows by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProspectSummary {
    /// All rows.
    pub rows: u64,
    /// Rows with a `source_id` that no earlier row has.
    pub prospects: u64,
    /// Rows with the `source_id` of an earlier row, whose values they replace.
    pub again: u64,
    /// Rows that are not imported.
    pub errors: u64,
    /// Rows with fewer cells than the header.
    pub short_rows: u64,
    /// Rows decoded as Windows-1252.
    pub windows_1252_rows: u64,
}

impl ProspectCheck {
    /// A check on this day: a crash lies at most one day after it.
    #[must_use]
    pub fn new(today: NaiveDate) -> Self {
        Self { today, first_rows: HashMap::default(), summary: ProspectSummary::default() }
    }

    /// Judges the next row of the file; hands back the JSON object of its prospect.
    ///
    /// # Errors
    /// Every problem of the row in one sentence: those of the file, and those that the service would find.
    pub fn judge<'r>(&mut self, record: &'r Record) -> Result<&'r str, String> {
        let parse = |prospect: &str| parse_prospect(prospect, self.today);
        let judged = match (&record.client, record.problems.as_slice()) {
            (Some(prospect), []) => match parse(prospect) {
                Ok(fields) => Ok((prospect.as_str(), fields.source_id)),
                Err(error) => Err(error.to_string()),
            },
            _ => Err(record.reason_by(|prospect| others(&parse(prospect).err()?.to_string(), &record.problems))),
        };
        let summary = &mut self.summary;
        summary.rows += 1;
        summary.short_rows += u64::from(record.is_short);
        summary.windows_1252_rows += u64::from(record.is_windows_1252);
        match judged {
            Ok((prospect, source_id)) => {
                let is_new = self.first_rows.insert(source_id, record.number).is_none();
                summary.prospects += u64::from(is_new);
                summary.again += u64::from(!is_new);
                Ok(prospect)
            }
            Err(reason) => {
                summary.errors += 1;
                Err(reason)
            }
        }
    }

    /// The counts of the rows so far.
    #[must_use]
    pub const fn summary(&self) -> &ProspectSummary {
        &self.summary
    }
}

/// The problems of a message but those of fields that are missing because they could not be read.
fn others(message: &str, problems: &[String]) -> Option<String> {
    let is_known = |field: &str| {
        problems.iter().any(|problem| problem.starts_with(field))
            || (field == "crash_county_fips" && problems.iter().any(|problem| problem.starts_with("crash_county ")))
    };
    let parts = message.trim_end_matches('.').split("; ");
    let others: Vec<&str> = parts.filter(|part| !part.strip_suffix(" is required").is_some_and(is_known)).collect();
    (!others.is_empty()).then(|| others.join("; "))
}

impl ProspectSummary {
    /// Why the file is not ready; `None` if it is.
    #[must_use]
    pub fn refusal(&self) -> Option<String> {
        let of = count(self.rows, "row", "rows");
        (self.errors > 0).then(|| format!("{} of {of} would not be imported.", grouped(self.errors)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        mapping::ListKind,
        records::{self, Content, Options},
    };

    const TODAY: NaiveDate = NaiveDate::from_ymd_opt(2026, 3, 1).unwrap();

    /// The prospect of each row, or what is wrong with it.
    fn judged(file: &str) -> Vec<Result<serde_json::Value, String>> {
        let content = Content::of_bytes(file.as_bytes().to_vec());
        let options = Options { kind: ListKind::Prospects, ..Options::default() };
        let rows = records::read("prospects.csv".as_ref(), content, &options).unwrap();
        let mut check = ProspectCheck::new(TODAY);
        rows.map(|row| check.judge(&row.unwrap()).map(|json| serde_json::from_str(json).unwrap())).collect()
    }

    #[test]
    fn a_county_is_found_by_its_name_and_state() {
        let found = judged(
            "Person ID,Crash Date,County,Crash State\n\
             1,2/24/2026 14:30,Cook,IL\n\
             2,2026-02-24,Baltimore,MD\n",
        );
        let cook = serde_json::json!({"source_id": "1", "crash_date": "2/24/2026", "crash_state": "IL",
            "crash_county": "Cook", "crash_county_fips": "17031"});
        assert_eq!(found[0], Ok(cook));
        let problem = found[1].as_ref().unwrap_err();
        assert!(problem.starts_with("crash_county can be Baltimore County (24005) or Baltimore city"), "{problem}");
    }

    #[test]
    fn all_problems_of_a_row_are_in_one_message() {
        let found = judged("source_id,crash_date,crash_county_fips,injury_severity\nN/A,soon,06038,sad\n");
        let problem = found[0].as_ref().unwrap_err();
        for word in ["source_id is \"N/A\"", "crash_date", "crash_county_fips", "injury_severity"] {
            assert!(problem.contains(word), "{word} in {problem}");
        }
        assert!(!problem.contains("source_id is required"), "{problem}");
    }

    #[test]
    fn a_row_with_the_id_of_an_earlier_one_replaces_its_values() {
        let rows = "source_id,crash_date,fips\n1,2026-02-24,6037\n2,2026-02-24,6037\n1,2026-02-25,6037\n";
        let content = Content::of_bytes(rows.as_bytes().to_vec());
        let options = Options { kind: ListKind::Prospects, ..Options::default() };
        let mut check = ProspectCheck::new(TODAY);
        for row in records::read("prospects.csv".as_ref(), content, &options).unwrap() {
            check.judge(&row.unwrap()).unwrap();
        }
        let ProspectSummary { rows, prospects, again, errors, .. } = *check.summary();
        assert_eq!((rows, prospects, again, errors), (3, 2, 1, 0));
    }

    #[test]
    fn a_line_may_hold_the_vehicle_as_it_is_read_back() {
        let found = judged(
            "{\"source_id\":1,\"crash_date\":\"2026-02-24\",\"crash_county_fips\":6037,\
             \"vehicle\":{\"year\":2020,\"make\":null}}\n",
        );
        let expected = serde_json::json!({"source_id": 1, "crash_date": "2026-02-24", "crash_county_fips": 6037,
            "vehicle_year": 2020});
        assert_eq!(found, [Ok(expected)]);
    }
}
