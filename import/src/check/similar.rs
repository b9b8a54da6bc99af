//! Rows that may be one person's though they do not match (group Y).

use foldhash::HashMap;
use matterbook_core::{
    client::ClientFields,
    similar::{COMPARED_MAX, SimilarReason, Similarity},
};

/// Only so many clients of a file are compared: each takes about 500 bytes.
const CLIENTS_MAX: usize = 100_000;

/// The clients of a list, by what possible duplicates have in common.
#[derive(Debug, Default)]
pub(super) struct SimilarFinder {
    clients: Vec<(u64, Similarity)>,
    by_key: HashMap<u64, Vec<u32>>,
}

impl SimilarFinder {
    /// Adds the next client with the number of its row. Returns the first earlier client that may be the same person.
    pub(super) fn add(&mut self, row: u64, fields: &ClientFields) -> Option<(u64, Vec<SimilarReason>)> {
        let client = Similarity::of(fields);
        let mut found: Option<(u64, Vec<SimilarReason>)> = None;
        let place = u32::try_from(self.clients.len()).ok().filter(|_| self.clients.len() < CLIENTS_MAX);
        for key in client.keys() {
            let places = self.by_key.entry(key).or_default();
            for (number, other) in places.iter().filter_map(|place| self.clients.get(*place as usize)) {
                if found.as_ref().is_none_or(|(first, _)| number < first) {
                    let reasons = client.reasons(other);
                    found = Some((*number, reasons)).filter(|(_, reasons)| !reasons.is_empty()).or(found);
                }
            }
            places.extend(place.filter(|_| places.len() < COMPARED_MAX));
        }
        if place.is_some() {
            self.clients.push((row, client));
        }
        found
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
