//! The settlements of the clients of a preview, as the rows so far would leave them (rules T1 to T6).

use std::collections::{BTreeMap, HashMap};

use matterbook_core::chrono::{Datelike as _, NaiveDate};
use matterbook_import::check::ByClient;
use serde_json::{Value, json};

/// The settlements by client. Nearly all clients have one, which takes 8 bytes.
#[derive(Debug, Default)]
pub(crate) struct Settlements {
    one: ByClient<Option<Settlement>>,
    /// Those of clients with several, or with former dates, in the order in which they begin.
    several: HashMap<u32, Vec<(Settlement, Vec<NaiveDate>)>>,
}

#[derive(Clone, Copy, Debug)]
struct Settlement {
    date: NaiveDate,
    /// The saved date; `None` if it would begin.
    saved: Option<NaiveDate>,
}

impl Settlements {
    /// Adds those of a saved client, each with its former dates, unless they are known.
    pub(crate) fn add_saved(&mut self, client: u32, saved: &[(NaiveDate, Vec<NaiveDate>)]) {
        if self.one.get(client).is_some() || self.several.contains_key(&client) {
            return;
        }
        let settlement = |date: NaiveDate| Settlement { date, saved: Some(date) };
        match saved {
            [] => {}
            [(date, former)] if former.is_empty() => self.one.set(client, Some(settlement(*date))),
            _ => {
                let all = saved.iter().map(|(date, former)| (settlement(*date), former.clone())).collect();
                self.several.insert(client, all);
            }
        }
    }

    /// A row with a settled date.
    pub(crate) fn settle(&mut self, client: u32, date: NaiveDate, new_settlement: bool) {
        let begun = Settlement { date, saved: None };
        if let Some(all) = self.several.get_mut(&client) {
            let has = |(settlement, former): &(Settlement, Vec<NaiveDate>)| {
                settlement.date == date || new_settlement && former.contains(&date)
            };
            if all.iter().any(has) {
                return;
            }
            match all.last_mut() {
                Some((latest, _)) if !new_settlement => latest.date = date,
                _ => all.push((begun, Vec::new())),
            }
            return;
        }
        match self.one.get(client) {
            None => self.one.set(client, Some(begun)),
            Some(one) if one.date == date => {}
            Some(one) if !new_settlement => self.one.set(client, Some(Settlement { date, ..one })),
            Some(one) => {
                self.one.set(client, None);
                self.several.insert(client, vec![(one, Vec::new()), (begun, Vec::new())]);
            }
        }
    }

    /// How many settlements would begin and how many would get another date, by year: `[[2025,3,1]]`.
    pub(crate) fn by_year(&self) -> Value {
        let mut years: BTreeMap<i32, (u64, u64)> = BTreeMap::new();
        let several = self.several.values().flatten().map(|(settlement, _)| settlement);
        for settlement in self.one.values().flatten().chain(several) {
            let (begun, corrected) = match settlement.saved {
                None => (1, 0),
                Some(saved) if saved != settlement.date => (0, 1),
                Some(_) => continue,
            };
            let year = years.entry(settlement.date.year()).or_default();
            *year = (year.0 + begun, year.1 + corrected);
        }
        years.into_iter().map(|(year, (begun, corrected))| json!([year, begun, corrected])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(year: i32) -> NaiveDate {
        NaiveDate::from_ymd_opt(year, 5, 1).unwrap()
    }

    /// The years of `begin` and `another date` after rows of one client, each with whether it begins a new settlement.
    fn after(saved: &[(i32, &[i32])], rows: &[(i32, bool)]) -> Value {
        let mut settlements = Settlements::default();
        let dates = |years: &[i32]| years.iter().copied().map(date).collect();
        let saved: Vec<_> = saved.iter().map(|(year, former)| (date(*year), dates(former))).collect();
        settlements.add_saved(7, &saved);
        rows.iter().for_each(|(year, new)| settlements.settle(7, date(*year), *new));
        settlements.by_year()
    }

    #[test]
    fn a_settled_date_begins_a_settlement_or_corrects_the_last_one_as_the_service_decides() {
        type Case = (&'static [(i32, &'static [i32])], &'static [(i32, bool)], Value);
        let cases: [Case; 12] = [
            (&[], &[(2025, false)], json!([[2025, 1, 0]])),
            (&[], &[(2025, false), (2024, false)], json!([[2024, 1, 0]])),
            (&[], &[(2025, false), (2024, true)], json!([[2024, 1, 0], [2025, 1, 0]])),
            (&[(2025, &[])], &[(2025, false)], json!([])),
            (&[(2025, &[])], &[(2024, false)], json!([[2024, 0, 1]])),
            (&[(2025, &[])], &[(2024, false), (2025, false)], json!([])),
            (&[(2025, &[])], &[(2025, true)], json!([])),
            (&[(2025, &[])], &[(2024, true), (2023, true)], json!([[2023, 1, 0], [2024, 1, 0]])),
            // A late retry begins none, and a late sync does not undo a newer settlement.
            (&[(2025, &[2024])], &[(2024, true)], json!([])),
            (&[(2025, &[2024])], &[(2024, false)], json!([[2024, 0, 1]])),
            (&[(2023, &[]), (2025, &[])], &[(2023, false)], json!([])),
            (&[(2023, &[]), (2025, &[])], &[(2022, false)], json!([[2022, 0, 1]])),
        ];
        for (saved, rows, expected) in cases {
            assert_eq!(after(saved, rows), expected, "{saved:?} {rows:?}");
        }
    }
}
