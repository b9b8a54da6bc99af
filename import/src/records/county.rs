//! Finds the FIPS code of a county by its name (rule P24).

use matterbook_core::{
    county,
    normalize::{FieldValue, state, trim},
};

/// What a row says about the place of its crash.
#[derive(Debug, Default)]
pub(super) struct CrashPlace {
    pub(super) fips: String,
    pub(super) county: String,
    pub(super) state: String,
}

/// A county's name without the state behind it, and that state: `Cook County, IL`.
fn divided(county: &str) -> (&str, &str) {
    let county = trim(county);
    county.rsplit_once(',').map_or((county, ""), |(county, state)| (trim(county), trim(state)))
}

/// Words that counties' names end in, longest first.
const KINDS: [&str; 13] = [
    "cityandborough",
    "planningregion",
    "municipality",
    "censusarea",
    "municipio",
    "district",
    "borough",
    "parish",
    "county",
    "island",
    "cnty",
    "city",
    "co",
];

impl CrashPlace {
    /// Whether the row says in which state it is.
    pub(super) fn has_state(&self) -> bool {
        !trim(&self.state).is_empty() || !divided(&self.county).1.is_empty() || trim(&self.fips).len() > 3
    }

    /// The code: as written, completed by the state if it has three digits, or that of the county's name.
    ///
    /// # Errors
    /// Why the name gives no code: a sentence without a full stop.
    pub(super) fn fips(&self) -> Result<Option<String>, String> {
        let fips = trim(&self.fips);
        let (county, of_name) = divided(&self.county);
        let written = if trim(&self.state).is_empty() { of_name } else { trim(&self.state) };
        let state = state(&FieldValue::from(written)).ok().flatten();
        if !fips.is_empty() {
            let is_short = fips.len() <= 3 && fips.bytes().all(|byte| byte.is_ascii_digit());
            let prefix = state.as_ref().filter(|_| is_short).and_then(|state| prefix(state));
            return Ok(Some(prefix.map_or_else(|| fips.to_owned(), |prefix| format!("{prefix}{fips:0>3}"))));
        }
        if county.is_empty() {
            return Ok(None);
        }
        let Some(state) = state else {
            return Err("crash_county_fips cannot be found without crash_state, because counties of several states \
                        share names: add the column of the state, or --crash-state for all rows"
                .to_owned());
        };
        let of_state = || county::all().filter(|(code, _)| county::state(code) == Some(state.as_str()));
        let named = key(county);
        let full = in_full(&named);
        // The first way that finds any county counts: `James City` is not a city called James.
        let ways: [&dyn Fn(&str) -> bool; 4] =
            [&|name| name == named, &|name| base(name) == named, &|name| full.as_deref() == Some(name), &|name| {
                base(name) == base(&named)
            }];
        let mut found = ways.iter().map(|way| of_state().filter(|(_, name)| way(&key(name))).collect::<Vec<_>>());
        match found.find(|found| !found.is_empty()).unwrap_or_default().as_slice() {
            [(code, _)] => Ok(Some((*code).to_owned())),
            [] => Err(format!(
                "crash_county is no county of {state} in the Census list: fix its name, or add its FIPS code"
            )),
            several => {
                let names: Vec<String> = several.iter().map(|(code, name)| format!("{name} ({code})")).collect();
                Err(format!("crash_county can be {}: write which, or add its FIPS code", names.join(" or ")))
            }
        }
    }
}

/// The number of a state in FIPS codes.
fn prefix(state: &str) -> Option<&'static str> {
    let (code, _) = county::all().find(|(code, _)| county::state(code) == Some(state))?;
    code.get(..2)
}

/// The letters of a name without case and accents, `Saint` as `St`.
fn key(name: &str) -> String {
    let plain = |character: char| match character {
        'á' | 'Á' => 'a',
        'é' | 'É' => 'e',
        'í' | 'Í' => 'i',
        'ó' | 'Ó' => 'o',
        'ú' | 'ü' | 'Ú' | 'Ü' => 'u',
        'ñ' | 'Ñ' => 'n',
        other => other.to_ascii_lowercase(),
    };
    let words = name.split(|character: char| !character.is_alphanumeric() && character != '\'' && character != '.');
    let words = words.map(|word| word.chars().filter(|character| character.is_alphanumeric()).map(plain).collect());
    let words: Vec<String> = words.collect();
    words
        .iter()
        .map(|word| match word.as_str() {
            "saint" => "st",
            "sainte" => "ste",
            other => other,
        })
        .collect()
}

/// A key with `county` for its abbreviation.
fn in_full(key: &str) -> Option<String> {
    let base = ["cnty", "co"].iter().find_map(|short| key.strip_suffix(short))?;
    Some(format!("{base}county"))
}

/// A key without the word for the kind of county.
fn base(key: &str) -> &str {
    KINDS.iter().find_map(|kind| key.strip_suffix(kind).filter(|base| !base.is_empty())).unwrap_or(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(fips: &str, county: &str, state: &str, expected: Result<Option<&str>, &str>) {
        let place = CrashPlace { fips: fips.to_owned(), county: county.to_owned(), state: state.to_owned() };
        let found = place.fips();
        match expected {
            Ok(expected) => assert_eq!(found.as_ref().map(Option::as_deref), Ok(expected), "{place:?}"),
            Err(words) => assert!(found.as_ref().is_err_and(|problem| problem.contains(words)), "{place:?} {found:?}"),
        }
    }

    #[test]
    fn a_name_and_a_state_give_the_code() {
        for (county, state, fips) in [
            ("Cook", "IL", "17031"),
            ("COOK COUNTY", "Illinois", "17031"),
            ("Cook Co.", "il", "17031"),
            ("Roanoke Co", "VA", "51161"),
            ("Blanco", "TX", "48031"),
            ("Ste Genevieve", "MO", "29186"),
            ("Cook County, IL", "", "17031"),
            ("St. Louis County", "MO", "29189"),
            ("Saint Louis city", "MO", "29510"),
            ("DE KALB", "GA", "13089"),
            ("Prince George's", "MD", "24033"),
            ("Prince Georges", "MD", "24033"),
            ("Orleans", "LA", "22071"),
            ("Dona Ana", "NM", "35013"),
            ("Fairfield", "CT", "09001"),
            ("Western Connecticut", "CT", "09190"),
            ("District of Columbia", "DC", "11001"),
            ("Anchorage", "AK", "02020"),
            ("Miami-Dade", "FL", "12086"),
            ("Charles City", "VA", "51036"),
            ("James City", "VA", "51095"),
            ("Carson City", "NV", "32510"),
            ("Mayaguez", "PR", "72097"),
        ] {
            check("", county, state, Ok(Some(fips)));
        }
    }

    #[test]
    fn a_name_that_may_be_two_counties_or_none_is_told() {
        check("", "Baltimore", "MD", Err("Baltimore County (24005) or Baltimore city (24510)"));
        check("", "St. Louis", "MO", Err("St. Louis County (29189) or St. Louis city (29510)"));
        check("", "Cook", "", Err("without crash_state"));
        check("", "Cooke", "IL", Err("no county of IL"));
        check("", "031", "IL", Err("no county of IL"));
    }

    #[test]
    fn a_code_is_taken_as_it_is_or_completed_by_the_state() {
        check("17031", "Cooke", "IL", Ok(Some("17031")));
        check("6037", "", "", Ok(Some("6037")));
        check("31", "", "IL", Ok(Some("17031")));
        check("031", "", "Illinois", Ok(Some("17031")));
        check("031", "", "", Ok(Some("031")));
        check("", "", "IL", Ok(None));
    }

    #[test]
    fn every_county_is_found_by_its_whole_name() {
        for (code, name) in county::all() {
            check("", name, county::state(code).unwrap(), Ok(Some(code)));
        }
    }

    #[test]
    fn every_county_is_found_by_its_whole_name_in_capitals() {
        for (code, name) in county::all() {
            check("", &name.to_ascii_uppercase(), county::state(code).unwrap(), Ok(Some(code)));
        }
    }
}
