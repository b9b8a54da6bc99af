//! Rows that may be one person's though they do not match (group Y).

use std::{
    fmt,
    panic::{RefUnwindSafe, UnwindSafe},
};

use matterbook_core::{
    client::ClientFields,
    similar::{SimilarFinder, SimilarReason},
};

/// Only so many clients of a file are compared: each takes about 750 bytes.
const CLIENTS_MAX: usize = 100_000;

/// Looks for possible duplicates. It is a trait so that a program whose checks do not look for them is compiled without
/// the comparison and its nicknames: the import page has no room for them.
pub(super) trait FindSimilar: fmt::Debug + Send + Sync + UnwindSafe + RefUnwindSafe {
    /// Adds the next client with the number of its row. Returns the first earlier client that may be the same person.
    fn add(&mut self, row: u64, fields: &ClientFields) -> Option<(u64, Vec<SimilarReason>)>;
}

impl FindSimilar for SimilarFinder {
    fn add(&mut self, row: u64, fields: &ClientFields) -> Option<(u64, Vec<SimilarReason>)> {
        let found = if self.len() < CLIENTS_MAX { self.add(row, fields) } else { self.similar_to(fields) };
        found.into_iter().next()
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        check::{Check, Finding, FindingKind, Status},
        records::{Content, Options, read},
    };
    use matterbook_core::similar::SimilarReason;

    fn findings(mut check: Check, file: &str) -> Vec<(Status, Vec<Finding>)> {
        let content = Content::of_bytes(file.as_bytes().to_vec());
        let records = read(std::path::Path::new("clients.csv"), content, &Options::default()).unwrap();
        let judged = records.map(|record| check.judge(&record.unwrap()));
        judged.map(|judged| (judged.status, judged.findings)).collect()
    }

    const FILE: &str = "External ID,First Name,Last Name,Address,Zip\n\
                        1,Robert,Specimenez,1 Oak St,02134\n\
                        2,Ana,Li,2 Oak St,02134\n\
                        3,Bob,Specimenez,1 Oak St,02134\n\
                        3,Bob,Specimenez,1 Oak St,02134\n";

    #[test]
    fn a_possible_duplicate_is_named_and_keeps_its_status() {
        let found = findings(Check::with_possible_duplicates(), FILE);
        let what = FindingKind::Similar { to_row: 2, reasons: vec![SimilarReason::Nickname] };
        assert_eq!(found[2], (Status::Ready, vec![Finding { row: 4, what }]));
        let similar = |findings: &[Finding]| {
            findings.iter().filter(|finding| matches!(finding.what, FindingKind::Similar { .. })).count()
        };
        assert_eq!(found.iter().map(|(_, findings)| similar(findings)).sum::<usize>(), 1, "{found:?}");
        assert_eq!(findings(Check::default(), FILE)[2], (Status::Ready, Vec::new()));
    }
}
