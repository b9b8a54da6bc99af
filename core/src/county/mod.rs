//! The counties of the United States and their FIPS codes (rules P21 and P22).
//!
//! `counties.txt` is the Census Bureau's list: a line for each county or equivalent, `06037 Los Angeles County`,
//! sorted by code. It has the file of 2010 (`national_county.txt`, public domain) with the changes since,
//! as the Bureau publishes them: Petersburg Borough (2013), Kusilvak Census Area and Oglala Lakota County
//! (2015), the spelling of LaSalle Parish and of Spanish names, Chugach and Copper River Census Areas (2019), and
//! Connecticut's planning regions (2022). Codes that these changes ended stay valid, because crash reports of
//! Connecticut, for example, still name its eight counties.
//!
//! A program that never asks for a name does not contain the names.

mod codes;

pub use codes::exists;

const LIST: &str = include_str!("counties.txt");

/// The name of a county, such as `Los Angeles County`, by its five-digit FIPS code.
///
/// ```
/// use matterbook_core::county;
/// assert_eq!(county::name("06037"), Some("Los Angeles County"));
/// assert_eq!(county::name("09001"), Some("Fairfield County"));
/// assert_eq!(county::name("09190"), Some("Western Connecticut Planning Region"));
/// assert_eq!(county::name("06038"), None);
/// ```
#[must_use]
pub fn name(fips: &str) -> Option<&'static str> {
    let mut rest = LIST;
    // The lines are sorted, so each step halves the list: it goes on after or before the line in its middle.
    while !rest.is_empty() {
        let middle = rest.len() / 2;
        let begins = rest.as_bytes().get(..middle)?.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let (before, line_and_after) = rest.split_at_checked(begins)?;
        let (line, after) = line_and_after.split_once('\n')?;
        let (code, name) = line.split_once(' ')?;
        match fips.cmp(code) {
            std::cmp::Ordering::Equal => return Some(name),
            std::cmp::Ordering::Less => rest = before,
            std::cmp::Ordering::Greater => rest = after,
        }
    }
    None
}

/// Every county with its code, by code.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    LIST.lines().filter_map(|line| line.split_once(' '))
}

/// The USPS code of the state or territory that a FIPS code belongs to, such as `CA` of `06037`.
///
/// ```
/// assert_eq!(matterbook_core::county::state("06037"), Some("CA"));
/// assert_eq!(matterbook_core::county::state("99001"), None);
/// ```
#[must_use]
pub fn state(fips: &str) -> Option<&'static str> {
    let code: usize = fips.get(..2)?.parse().ok()?;
    let state = STATES.get(code.checked_mul(2)?..code.checked_mul(2)?.checked_add(2)?)?;
    Some(state).filter(|state| *state != "--")
}

/// The two letters of each state at twice its number; dashes where no state has the number.
const STATES: &str = "--ALAK--AZARCA--COCTDEDCFLGA--HIIDILINIAKSKYLAMEMDMAMIMNMSMOMTNENVNHNJNMNYNCNDOHOKORPA--RISCSDTNTXUTVTVA--WAWV\
                      WIWY------AS----------GU----MP----PR----------VI";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_are_those_of_the_list() {
        let mut codes = all().map(|(code, _)| code);
        let counted = (0..=99_999_u32).map(|code| format!("{code:05}")).filter(|code| exists(code));
        assert!(counted.eq(codes.by_ref().map(str::to_owned)));
        for text in ["", "6037", "0603", "060370", "O6037", "+6037", "００００１"] {
            assert!(!exists(text), "{text}");
        }
    }

    /// The Census Bureau's count of counties and equivalents of each state, and of codes that have ended.
    #[test]
    fn each_state_has_as_many_counties_as_the_census_counts() {
        let ended = [
            "02261", "02270", "09001", "09003", "09005", "09007", "09009", "09011", "09013", "09015", "46113", "51515",
        ];
        let expected = "AL 67 AK 30 AZ 15 AR 75 CA 58 CO 64 CT 9 DE 3 DC 1 FL 67 GA 159 HI 5 ID 44 IL 102 IN 92 IA 99 \
                        KS 105 KY 120 LA 64 ME 16 MD 24 MA 14 MI 83 MN 87 MS 82 MO 115 MT 56 NE 93 NV 17 NH 10 NJ 21 \
                        NM 33 NY 62 NC 100 ND 53 OH 88 OK 77 OR 36 PA 67 RI 5 SC 46 SD 66 TN 95 TX 254 UT 29 VT 14 \
                        VA 133 WA 39 WV 55 WI 72 WY 23 AS 5 GU 1 MP 4 PR 78 VI 3";
        let mut counts: Vec<(&str, u32)> = Vec::new();
        for (code, _) in all().filter(|(code, _)| !ended.contains(code)) {
            let state = state(code).unwrap();
            match counts.last_mut() {
                Some((last, count)) if *last == state => *count += 1,
                _ => counts.push((state, 1)),
            }
        }
        let found: Vec<String> = counts.iter().map(|(state, count)| format!("{state} {count}")).collect();
        assert_eq!(found.join(" "), expected);
        let territories = ["AS", "GU", "MP", "PR", "VI"];
        let of_states = counts.iter().filter(|(state, _)| !territories.contains(state)).map(|(_, count)| count);
        assert_eq!(of_states.sum::<u32>(), 3_144);
        assert!(ended.iter().all(|code| exists(code)));
    }

    #[test]
    fn every_county_is_found_by_its_code() {
        for (code, county) in all() {
            assert_eq!(name(code), Some(county), "{code}");
            assert!(!county.is_empty() && county.trim() == county, "{code}");
        }
        for code in ["", "00000", "01000", "01002", "99999", "06037 "] {
            assert_eq!(name(code), None, "{code}");
        }
        for (code, county) in [
            ("01001", "Autauga County"),
            ("02158", "Kusilvak Census Area"),
            ("11001", "District of Columbia"),
            ("22059", "LaSalle Parish"),
            ("35013", "Doña Ana County"),
            ("46102", "Oglala Lakota County"),
            ("72097", "Mayagüez Municipio"),
            ("78030", "St. Thomas Island"),
        ] {
            assert_eq!(name(code), Some(county));
        }
    }
}
