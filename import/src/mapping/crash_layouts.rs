//! Header rows of crash reports, and what their columns are used as.

use super::{HeaderMapping, ListKind, Mapping, Use};

fn uses(headers: &str, said: &[&str]) -> String {
    let said: Vec<HeaderMapping> =
        said.iter().map(|text| HeaderMapping::parse(text, ListKind::Prospects).unwrap()).collect();
    let mapping = Mapping::of(ListKind::Prospects, headers.split('|'), &said).unwrap();
    let uses = mapping.columns().iter().map(|column| match &column.used_as {
        Use::Target(target) => target.name(),
        Use::Fallback(..) => "+",
        Use::Beaten(..) => "beaten",
        Use::Joined(..) => "&",
        Use::Known(_) => "known",
        Use::LeftOut => "-",
        Use::Unknown => "?",
    });
    uses.collect::<Vec<_>>().join("|")
}

fn check(headers: &str, expected: &str) {
    assert_eq!(uses(headers, &[]), expected, "{headers}");
}

/// The names of the API, then the kinds of names of states' portals and records systems.
#[test]
fn the_layouts_of_crash_reports_are_mapped() {
    check(
        "source_id|first_name|last_name|address_line1|address_line2|city|state|zip|email|phone|person_type|\
         injury_severity|transported|crash_date|crash_time|crash_city|crash_state|crash_county|crash_county_fips|\
         crash_report_number|manner_of_collision|vehicle_year|vehicle_make|vehicle_model|vehicle_towed|hit_and_run",
        "source_id|first_name|last_name|address_line1|address_line2|city|state|zip|email|phone|person_type|\
         injury_severity|transported|crash_date|crash_time|crash_city|crash_state|crash_county|crash_county_fips|\
         crash_report_number|manner_of_collision|vehicle_year|vehicle_make|vehicle_model|vehicle_towed|hit_and_run",
    );
    check(
        "Record ID|Report Number|Collision Date|Collision Time|County|County FIPS|Injury Severity|Person Type|\
         Veh Year|Veh Make|Veh Model|Manner of Collision|Hit and Run|Crash Severity|VIN",
        "source_id|crash_report_number|crash_date|crash_time|crash_county|crash_county_fips|injury_severity|\
         person_type|vehicle_year|vehicle_make|vehicle_model|manner_of_collision|hit_and_run|known|known",
    );
    check(
        "Crash ID|Person ID|Person First Name|Person Last Name|Address|City|State|Zip|Crash Date|Crash City|\
         Crash County|County Code|DOB|Driver License Number|KABCO|Towed|Transported to Hospital|Narrative",
        "crash_report_number|source_id|first_name|last_name|address_line1|city|state|zip|crash_date|crash_city|\
         crash_county|known|known|known|injury_severity|vehicle_towed|transported|?",
    );
    check(
        "Case Number|ID|Date of Accident|Time|Party Type|Injury Status|Name|Settled Date|Do Not Mail",
        "crash_report_number|source_id|crash_date|crash_time|person_type|injury_severity|known|?|?",
    );
}

#[test]
fn what_a_person_says_comes_first() {
    assert_eq!(
        uses("Crash Severity|Ref", &["Crash Severity=injury_severity", "Ref=source_id"]),
        "injury_severity|source_id"
    );
    assert_eq!(uses("Name|County", &["Name=last_comma_first", "County="]), "last_comma_first|-");
    let problem = HeaderMapping::parse("Settled=settled_on", ListKind::Prospects).unwrap_err().to_string();
    assert!(problem.starts_with("\"settled_on\" is no field; the fields are first_name, "), "{problem}");
    assert!("Crash=crash_date".parse::<HeaderMapping>().is_err());
}
