//! Made-up prospects: the same index always makes the same one.

use std::sync::LazyLock;

use matterbook_core::county;
use matterbook_store_sql::columns::PROSPECT_FIELDS;
use rusqlite::types::Value;
use uuid::Uuid;

use crate::clients::pick;

/// Counties in all.
pub const COUNTIES: usize = 3_000;
/// Those that the measured account may see, of 3,000.
pub const OPEN_COUNTIES: [usize; 5] = [7, 607, 1_207, 1_807, 2_407];
/// Prospects in those counties, for any number in others.
pub const OPEN_PROSPECTS: usize = 1_000;

/// Seeds far from those of clients.
const SEEDS_FROM: usize = 3 << 40;

/// The code of a county, by its place in the list of all.
///
/// ```
/// use matterbook_bench::prospects::county_fips;
/// assert_eq!(county_fips(607), "17001");
/// ```
#[must_use]
pub fn county_fips(county: usize) -> String {
    static CODES: LazyLock<Vec<&str>> = LazyLock::new(|| county::all().map(|(code, _)| code).collect());
    CODES[county].to_owned()
}

/// The values of a prospect's columns: [`PROSPECT_FIELDS`], its id, the year, the time it was added. Of
/// `count` prospects, [`OPEN_PROSPECTS`] are in [`OPEN_COUNTIES`], evenly among the others.
#[must_use]
pub fn prospect(index: usize, count: usize, added_at: i64) -> Vec<Value> {
    let mut draw = fastrand::Rng::with_seed((SEEDS_FROM + index) as u64);
    let year = 2024 + draw.usize(..2);
    let crash_date = format!("{year}-{:02}-{:02}", 1 + draw.usize(..12), 1 + draw.usize(..28));
    let every = (count / OPEN_PROSPECTS).max(1);
    let county = if index.is_multiple_of(every) {
        OPEN_COUNTIES[(index / every) % OPEN_COUNTIES.len()]
    } else {
        closed_county(&mut draw)
    };
    let house = index + 1;
    let mut field = |name: &str| -> Value {
        let text = match name {
            "source_id" => format!("crash-{index}"),
            "first_name" => pick(&mut draw, &["Ana", "Bob", "Carla", "Daniel", "Elena"]).to_owned(),
            "last_name" => pick(&mut draw, &["Specimenez", "Sampleton", "Demowitz", "Fixturelli"]).to_owned(),
            "address_line1" => format!("{house} Sample Lane"),
            "city" | "crash_city" => "Springfield".to_owned(),
            "state" | "crash_state" => "IL".to_owned(),
            "zip" => format!("627{:02}", draw.usize(..100)),
            "email" => format!("person.{index}@example.com"),
            "phone" => format!("+1217555{:04}", draw.usize(..10_000)),
            "person_type" => pick(&mut draw, &["driver", "passenger", "pedestrian"]).to_owned(),
            "injury_severity" => pick(&mut draw, &["possible", "suspected_minor", "suspected_serious"]).to_owned(),
            "crash_date" => crash_date.clone(),
            "crash_time" => format!("{:02}:{:02}", draw.usize(..24), draw.usize(..60)),
            "crash_county" => format!("County {county}"),
            "crash_county_fips" => county_fips(county),
            "crash_report_number" => format!("R-{index:08}"),
            "manner_of_collision" => pick(&mut draw, &["Front to rear", "Angle", "Sideswipe"]).to_owned(),
            "vehicle_make" => pick(&mut draw, &["Examplar", "Placeholder Motors"]).to_owned(),
            "vehicle_model" => pick(&mut draw, &["Sample", "Draft", "Proto"]).to_owned(),
            "vehicle_year" => return Value::Integer(2000 + draw.i64(0..25)),
            "transported" | "vehicle_towed" | "hit_and_run" => return Value::Integer(draw.i64(0..2)),
            _ => return Value::Null,
        };
        Value::Text(text)
    };
    let mut values: Vec<_> = PROSPECT_FIELDS.iter().map(|name| field(name)).collect();
    let id = Uuid::from_u128((added_at as u128) << 64 | 0x7000_8000_0000_0000_0000 | index as u128);
    values.extend([Value::Blob(id.as_bytes().to_vec()), Value::Integer(year as i64), Value::Integer(added_at)]);
    values
}

fn closed_county(draw: &mut fastrand::Rng) -> usize {
    loop {
        let county = draw.usize(..COUNTIES);
        if !OPEN_COUNTIES.contains(&county) {
            return county;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_open_counties_hold_a_thousand_whatever_there_is_elsewhere() {
        let fips = PROSPECT_FIELDS.iter().position(|name| *name == "crash_county_fips").expect("a column");
        let open: Vec<_> = OPEN_COUNTIES.iter().map(|county| Value::Text(county_fips(*county))).collect();
        for count in [10_000, 50_000] {
            let in_open = (0..count).filter(|index| open.contains(&prospect(*index, count, 5)[fips])).count();
            assert_eq!(in_open, OPEN_PROSPECTS, "of {count}");
        }
    }

    #[test]
    fn counties_have_codes_of_their_own() {
        let codes: std::collections::HashSet<_> = (0..COUNTIES).map(county_fips).collect();
        assert_eq!(codes.len(), COUNTIES);
        assert!(codes.iter().all(|code| code.len() == 5));
    }
}
