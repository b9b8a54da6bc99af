//! The words of crash reports: KABCO letters, and the terms of MMUCC and of earlier forms (rules P18 to P20).
//!
//! Words are compared by their letters and digits in lower case, so that `Non-Incapacitating`,
//! `non incapacitating` and `NONINCAPACITATING` are equal.

use smol_str::SmolStr;

use super::{INJURY_SEVERITIES, PERSON_TYPES};
use crate::normalize::{self, FieldValue, Problem, ProblemKind};

/// No text that is longer is one of the words.
const LONGEST: usize = 200;

/// The KABCO letter and the words of each severity, in the order of [`INJURY_SEVERITIES`], without `injury`.
const SEVERITIES: [(char, &[&str]); 6] = [
    ('k', &["fatal", "fatality", "killed", "dead", "death", "deceased"]),
    ('a', &["suspectedserious", "serious", "severe", "incapacitating", "disabling"]),
    (
        'b',
        &[
            "suspectedminor",
            "minor",
            "moderate",
            "nonincapacitating",
            "nonincapacitatingevident",
            "evident",
            "evidentnonincapacitating",
            "visible",
            "nondisabling",
        ],
    ),
    ('c', &["possible", "possiblenotevident", "possiblecomplaintofpain", "complaintofpain", "complaint", "notvisible"]),
    (
        'o',
        &[
            "none",
            "no",
            "noapparent",
            "noindicationof",
            "notinjured",
            "uninjured",
            "propertydamageonly",
            "propertydamage",
            "pdo",
        ],
    ),
    ('u', &["unknown", "unknownseverity", "unknownif", "injuredseverityunknown", "injuredunknownseverity"]),
];

/// The words of each type of person, in the order of [`PERSON_TYPES`].
const PEOPLE: [&[&str]; 7] = [
    &[
        "driver",
        "driverofamotorvehicleintransport",
        "driverofmotorvehicleintransport",
        "motorvehicledriver",
        "vehicledriver",
        "operator",
        "vehicleoperator",
        "motorcycledriver",
        "motorcycleoperator",
        "motorcyclist",
    ],
    &[
        "passenger",
        "passengerofamotorvehicleintransport",
        "passengerofmotorvehicleintransport",
        "motorvehiclepassenger",
        "vehiclepassenger",
        "motorcyclepassenger",
        "occupant",
        "vehicleoccupant",
        "motorvehicleoccupant",
        "occupantofamotorvehicleintransport",
        "occupantofmotorvehicleintransport",
    ],
    &["pedestrian"],
    &[
        "bicyclist",
        "bicycle",
        "bicycledriver",
        "bicycleoperator",
        "bicyclerider",
        "cyclist",
        "pedalcyclist",
        "pedalcycle",
    ],
    &["othercyclist", "otherpedalcyclist"],
    &[
        "othernonmotorist",
        "nonmotorist",
        "otherpedestrian",
        "personalconveyance",
        "persononpersonalconveyance",
        "persononapersonalconveyance",
        "personsonpersonalconveyances",
        "occupantofamotorvehiclenotintransport",
        "occupantofmotorvehiclenotintransport",
        "occupantofanonmotorvehicletransportationdevice",
        "occupantofanonmotorvehicletransportdevice",
        "occupantofnonmotorvehicletransportationdevice",
        "unknowntypeofnonmotorist",
        "personinoronbuilding",
        "personsinoronbuildings",
    ],
    &["unknown", "unknownoccupanttypeinamotorvehicleintransport"],
];

/// Words for a value that is not known.
const UNKNOWN: [&str; 8] =
    ["unknown", "u", "unk", "na", "notapplicable", "notreported", "notavailable", "reportedasunknown"];

/// An injury's severity: a name of [`INJURY_SEVERITIES`], a KABCO letter, or a word of a crash report.
pub(super) fn severity(value: &FieldValue<'_>) -> Result<Option<SmolStr>, Problem> {
    let key = |text: &str| key(text).replace("injury", "").replace("injuries", "");
    let is_meant = |key: &str, (letter, words): (char, &[&str])| {
        let without_letter = || key.strip_prefix(letter).into_iter().chain(key.strip_suffix(letter));
        words.contains(&key) || without_letter().any(|word| word.is_empty() || words.contains(&word))
    };
    named(value, &INJURY_SEVERITIES, " or a KABCO letter (K, A, B, C, O, U)", |text| {
        let key = key(text);
        SEVERITIES.into_iter().position(|severity| is_meant(&key, severity) || is_unreported(&key, severity.0))
    })
}

fn is_unreported(key: &str, letter: char) -> bool {
    letter == 'u' && UNKNOWN.contains(&key)
}

/// The part that somebody took in a crash: a name of [`PERSON_TYPES`], or a word of a crash report.
pub(super) fn person_type(value: &FieldValue<'_>) -> Result<Option<SmolStr>, Problem> {
    named(value, &PERSON_TYPES, "", |text| {
        let key = key(text);
        let is_unknown = UNKNOWN.contains(&key.as_str());
        // MMUCC explains `Other Pedestrian` by examples in parentheses.
        let of_words = || PEOPLE.iter().position(|words| words.contains(&key.as_str()));
        let of_examples = || key.starts_with("otherpedestrian").then_some(5);
        if is_unknown { Some(6) } else { of_words().or_else(of_examples) }
    })
}

/// A yes or a no: a boolean (rule N36), a word for an unknown value, or a sentence that begins with yes, no, not
/// or one of `yes`, such as `Not transported`, `Yes, driver left scene`, `Towed due to disabling damage`.
pub(super) fn flag(value: &FieldValue<'_>, yes: &[&str]) -> Result<Option<bool>, Problem> {
    let refused = match normalize::boolean(value) {
        Ok(flag) => return Ok(flag),
        Err(problem) => problem,
    };
    let Some(text) = normalize::text(value, LONGEST).ok().flatten() else { return Err(refused) };
    let key = key(&text);
    let first = text.split(|character: char| !character.is_alphanumeric()).next().unwrap_or_default();
    if UNKNOWN.contains(&key.as_str()) {
        Ok(None)
    } else if ["no", "not"].iter().any(|word| first.eq_ignore_ascii_case(word)) {
        Ok(Some(false))
    } else if first.eq_ignore_ascii_case("yes") || yes.iter().any(|word| key.starts_with(word)) {
        Ok(Some(true))
    } else {
        Err(refused)
    }
}

/// The name at the place that `find` gives.
fn named(
    value: &FieldValue<'_>,
    names: &[&'static str],
    more: &str,
    find: impl FnOnce(&str) -> Option<usize>,
) -> Result<Option<SmolStr>, Problem> {
    let Some(text) = normalize::text(value, LONGEST)? else { return Ok(None) };
    let exact = || names.iter().position(|name| key(name) == key(&text));
    let name = exact().or_else(|| find(&text)).and_then(|place| names.get(place));
    name.map(|name| Some(SmolStr::new_static(name)))
        .ok_or_else(|| Problem::counted(ProblemKind::NotAllowed, format!("must be one of {}{more}", names.join(", "))))
}

/// The letters and digits of a text in lower case.
fn key(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).map(|character| character.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(
        rule: impl Fn(&FieldValue<'_>) -> Result<Option<SmolStr>, Problem>,
        expected: Option<&str>,
        texts: &[&'static str],
    ) {
        for text in texts {
            let found = rule(&FieldValue::from(*text)).ok().flatten();
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn an_injury_is_read_in_the_words_of_any_crash_report() {
        let table: [(Option<&str>, &[&'static str]); 7] = [
            (
                Some("fatal"),
                &["K", "k", "Fatal", "Fatal Injury", "Fatal Injury (K)", "K - Fatal", "Killed", "FATALITY"],
            ),
            (
                Some("suspected_serious"),
                &[
                    "A",
                    "Suspected Serious Injury",
                    "suspected serious",
                    "SUSPECTED_SERIOUS",
                    "A-Suspected Serious Injury",
                    "Incapacitating",
                    "Incapacitating Injury",
                    "(A) Incapacitating",
                    "Serious Injury",
                    "Severe",
                    "Disabling",
                ],
            ),
            (
                Some("suspected_minor"),
                &[
                    "B",
                    "Suspected Minor Injury",
                    "Suspected Minor",
                    "Minor injuries",
                    "Non-Incapacitating",
                    "Nonincapacitating Injury",
                    "Non-incapacitating Evident Injury (B)",
                    "Evident Injury",
                ],
            ),
            (
                Some("possible"),
                &["C", " c ", "Possible Injury", "possible", "C: Possible", "Complaint of Pain", "Possible Injury (C)"],
            ),
            (
                Some("none"),
                &[
                    "O",
                    "No Apparent Injury",
                    "No Apparent Injury (O)",
                    "No Injury",
                    "Not Injured",
                    "None",
                    "Property Damage Only",
                    "PDO",
                    "O - Property damage only",
                    "Uninjured",
                ],
            ),
            (
                Some("unknown"),
                &["U", "Unknown", "Unknown Injury", "Not Reported", "Injured, Severity Unknown", "Unk", "N/A"],
            ),
            (None, &["", "sad", "D", "KA", "1", "01", "injury", "0", "serious minor", "Fatal or serious"]),
        ];
        for (expected, texts) in table {
            check(severity, expected, texts);
        }
        let problem = severity(&FieldValue::from("sad")).unwrap_err().to_string();
        assert!(
            problem.contains("suspected_minor") && problem.ends_with("KABCO letter (K, A, B, C, O, U)"),
            "{problem}"
        );
    }

    #[test]
    fn no_word_stands_for_two_values() {
        for ((letter, words), name) in SEVERITIES.into_iter().zip(INJURY_SEVERITIES) {
            let mut written: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            written.extend(words.iter().flat_map(|word| [format!("{letter}-{word}"), format!("{word} ({letter})")]));
            written.extend([letter.to_string(), format!("{name} injury")]);
            for text in written {
                let found = severity(&FieldValue::from(text.as_str())).ok().flatten();
                assert_eq!(found.as_deref(), Some(name), "{text}");
            }
        }
        for (words, name) in PEOPLE.into_iter().zip(PERSON_TYPES) {
            for word in words {
                assert_eq!(person_type(&FieldValue::from(*word)).ok().flatten().as_deref(), Some(name), "{word}");
            }
        }
    }

    #[test]
    fn a_person_is_read_in_the_words_of_any_crash_report() {
        let table: [(Option<&str>, &[&'static str]); 8] = [
            (
                Some("driver"),
                &["Driver", "DRIVER", "Driver of a Motor Vehicle In-Transport", "Motor Vehicle Driver", "Operator"],
            ),
            (
                Some("passenger"),
                &["passenger", "Passenger of a motor vehicle in transport", "Occupant", "Motor vehicle occupant"],
            ),
            (Some("pedestrian"), &["Pedestrian"]),
            (Some("bicyclist"), &["Bicyclist", "Pedalcyclist", "Cyclist"]),
            (Some("other_cyclist"), &["Other Cyclist", "other_cyclist", "Other Pedalcyclist"]),
            (
                Some("other_nonmotorist"),
                &[
                    "Other Nonmotorist",
                    "Other Non-Motorist",
                    "Other Pedestrian (wheelchair, person in a building, skater, etc.)",
                    "Occupant of a Motor Vehicle Not In-Transport",
                    "Occupant of a Non-Motor Vehicle Transportation Device",
                    "Unknown Type of Non-Motorist",
                ],
            ),
            (Some("unknown"), &["Unknown", "Not reported", "U"]),
            (None, &["", "pilot", "1", "witness", "owner"]),
        ];
        for (expected, texts) in table {
            check(person_type, expected, texts);
        }
    }

    #[test]
    fn a_yes_or_a_no_is_read_in_the_words_of_any_crash_report() {
        let check = |expected: Result<Option<bool>, ()>, yes: &[&str], texts: &[&'static str]| {
            for text in texts {
                assert_eq!(flag(&FieldValue::from(*text), yes).map_err(|_| ()), expected, "{text}");
            }
        };
        let yes = &["transported", "towed", "hitandrun"];
        check(Ok(Some(true)), yes, &["Y", "yes", "1", "TRUE", "Transported", "Transported by EMS"]);
        check(Ok(Some(true)), yes, &["Towed due to disabling damage", "Yes, Driver Left Scene", "Hit and Run"]);
        check(Ok(Some(false)), yes, &["N", "No", "0", "Not Transported", "NOT TOWED", "No, did not leave scene"]);
        check(Ok(None), yes, &["", "Unknown", "U", "Not reported", "N/A", "Not Applicable"]);
        check(Err(()), yes, &["perhaps", "None of it", "Notes", "Yesterday", "X"]);
        assert!(flag(&FieldValue::Array, yes).is_err());
    }
}
