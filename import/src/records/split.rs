//! Splits whole names and addresses (rule F37). Only what can be split in one way is split: a guess could change
//! a person or an address.

use matterbook_core::normalize::{Field, FieldValue, STATE_CODES, state, trim};

use crate::mapping::Target;

/// The parts of a value, each with its field.
pub(super) type Parts = Vec<(Field, String)>;

const NO_NAME: &str = "must be one first and one last name: write them into columns of their own";
const NO_COMMA: &str = "must be written \"Last, First\", with one comma";
const TWO_PEOPLE: &str = "is the name of several people: write a row for each of them";
const ORGANIZATION: &str =
    "is the name of an organization: write it into the column of the last name, or leave the row out";
const NO_PLACE: &str = "cannot be split: write it as \"Springfield, IL 62704\", or the city, the state and the ZIP in \
                        columns of their own";
const NO_ADDRESS: &str = "cannot be split: write it as \"12 Oak St, Apt 4, Springfield, IL 62704\", or the street, the \
                          city, the state and the ZIP in columns of their own";

/// Words that join the names of several people.
const JOINING: [&str; 5] = ["and", "or", "et", "und", "y"];
const SUFFIXES: [&str; 9] = ["jr", "sr", "ii", "iii", "iv", "esq", "md", "phd", "dds"];
const TITLES: [&str; 9] = ["mr", "mrs", "ms", "miss", "mx", "dr", "prof", "rev", "hon"];
const ORGANIZATIONS: [&str; 19] = [
    "llc",
    "inc",
    "incorporated",
    "corp",
    "corporation",
    "co",
    "company",
    "ltd",
    "lp",
    "llp",
    "pc",
    "pa",
    "pllc",
    "plc",
    "trust",
    "estate",
    "bank",
    "insurance",
    "association",
];
/// A name that begins with one of these may be a last name only: `De Souza`.
const PARTICLES: [&str; 27] = [
    "de", "del", "della", "des", "di", "da", "dos", "du", "van", "von", "der", "den", "ter", "la", "le", "los", "las",
    "mac", "mc", "st", "saint", "san", "santa", "o", "el", "bin", "ibn",
];
/// The first words of a second address line.
const UNITS: [&str; 20] = [
    "apt",
    "apartment",
    "unit",
    "ste",
    "suite",
    "fl",
    "floor",
    "rm",
    "room",
    "bldg",
    "building",
    "lot",
    "spc",
    "space",
    "trlr",
    "trailer",
    "pmb",
    "bsmt",
    "basement",
    "penthouse",
];
/// Such words too, but a city may begin with one: `Upper Darby`.
const SIDES: [&str; 4] = ["lower", "upper", "rear", "front"];
const COUNTRIES: [&str; 4] = ["us", "usa", "unitedstates", "unitedstatesofamerica"];

/// Splits a value, or says why it cannot be split: the rest of a sentence that begins with the target.
pub(super) fn split(target: Target, text: &str) -> Result<Parts, String> {
    match target {
        Target::LastCommaFirst => last_comma_first(text),
        Target::FirstLast => first_last(text),
        Target::CityStateZip => city_state_zip(text).map(Vec::from).ok_or_else(|| NO_PLACE.to_owned()),
        Target::WholeAddress => whole_address(text).ok_or_else(|| NO_ADDRESS.to_owned()),
        Target::Field(_) | Target::NewSettlement | Target::Prospect(_) => Ok(Vec::new()),
    }
}

fn last_comma_first(text: &str) -> Result<Parts, String> {
    let (last, first) =
        text.split_once(',').filter(|(_, first)| !first.contains(',')).ok_or_else(|| NO_COMMA.to_owned())?;
    check_one_person(text)?;
    if let Some(suffix) = first.split_whitespace().next_back().filter(|word| is_one_of(word, &SUFFIXES)) {
        return Err(format!(
            "has \"{suffix}\" after the first name: write it after the last name, as in \"Lee Jr, Sam\""
        ));
    }
    Ok(vec![(Field::FirstName, first.to_owned()), (Field::LastName, last.to_owned())])
}

fn first_last(text: &str) -> Result<Parts, String> {
    check_one_person(text)?;
    let words: Vec<&str> = text.split_whitespace().collect();
    if let Some(suffix) = words.iter().find(|word| is_one_of(word, &SUFFIXES)) {
        return Err(format!(
            "has \"{suffix}\": write first and last name into columns of their own, \"{suffix}\" with the last"
        ));
    }
    let is_name = |word: &str| word.chars().all(|character| character.is_alphabetic() || "-.'’".contains(character));
    match words[..] {
        // A last name of one letter may be the initial of a first name.
        [first, last]
            if is_name(first) && is_name(last) && plain(last).chars().count() > 1 && !is_one_of(first, &PARTICLES) =>
        {
            Ok(vec![(Field::FirstName, first.to_owned()), (Field::LastName, last.to_owned())])
        }
        _ => Err(NO_NAME.to_owned()),
    }
}

/// Refuses names of several people and of organizations, and titles in place of a name.
fn check_one_person(text: &str) -> Result<(), String> {
    let words = || text.split([' ', ',']).filter(|word| !word.is_empty());
    if text.contains(['&', '/', '+', ';']) || words().any(|word| is_one_of(word, &JOINING)) {
        return Err(TWO_PEOPLE.to_owned());
    }
    if words().any(|word| is_one_of(word, &ORGANIZATIONS)) {
        return Err(ORGANIZATION.to_owned());
    }
    match words().find(|word| is_one_of(word, &TITLES)) {
        Some(title) => Err(format!("has the title \"{title}\": write the name without it")),
        None => Ok(()),
    }
}

fn city_state_zip(text: &str) -> Option<[(Field, String); 3]> {
    let text = trim(text);
    let (rest, zip) = text.rsplit_once(|character: char| character.is_whitespace() || character == ',')?;
    let rest = rest.trim_end_matches([',', ' ']);
    let (city, state) = match rest.rsplit_once(',') {
        Some((city, state)) => (city, state_of(state)?),
        // Without a comma only a code is surely no part of the city.
        None => {
            let (city, code) = rest.rsplit_once(' ')?;
            (city, code_of(code)?)
        }
    };
    (is_zip(zip) && is_city(city))
        .then(|| [(Field::City, trim(city).to_owned()), (Field::State, state), (Field::Zip, zip.to_owned())])
}

fn whole_address(text: &str) -> Option<Parts> {
    let mut parts: Vec<&str> = text.split([',', '\n', '\r']).map(trim).filter(|part| !part.is_empty()).collect();
    if parts.last().is_some_and(|part| is_one_of(part, &COUNTRIES)) {
        parts.pop();
    }
    // The end is `IL 62704`, `IL` and `62704`, or `Springfield IL 62704`.
    let is_last = |is: fn(&str) -> bool| parts.last().is_some_and(|part| is(part));
    let length = if is_last(is_zip) {
        3
    } else if is_last(|part| part.rsplit_once(' ').is_some_and(|(rest, _)| state_of(rest).is_some())) {
        2
    } else {
        1
    };
    let end = parts.split_off(parts.len().checked_sub(length)?);
    let place = city_state_zip(&end.join(", "))?;
    let (street, unit) = match parts[..] {
        [street] => (street, None),
        [street, unit] if is_unit(unit) || is_one_of(unit.split(' ').next().unwrap_or_default(), &SIDES) => {
            (street, Some(unit))
        }
        _ => return None,
    };
    if !street.contains(|character: char| character.is_ascii_digit()) || is_unit(street) {
        return None;
    }
    let lines = [Some((Field::AddressLine1, street)), unit.map(|unit| (Field::AddressLine2, unit))];
    let lines = lines.into_iter().flatten().map(|(field, text)| (field, text.to_owned()));
    Some(lines.chain(place).collect())
}

/// A state by its code or name. Washington is also the city in front of a missing `DC`.
fn state_of(text: &str) -> Option<String> {
    let is_city_too = plain(text) == "washington";
    state(&FieldValue::Text(text.into())).ok().flatten().filter(|_| !is_city_too).map(|code| code.to_string())
}

fn code_of(text: &str) -> Option<String> {
    let code = text.replace('.', "").to_ascii_uppercase();
    STATE_CODES.contains(&code.as_str()).then_some(code)
}

fn is_zip(text: &str) -> bool {
    let digits = |text: &str, count: usize| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.split_once('-') {
        Some((first, last)) => digits(first, 5) && digits(last, 4),
        None => digits(text, 5) || digits(text, 9),
    }
}

/// Whether a text can be a city, and nothing else of an address.
fn is_city(text: &str) -> bool {
    let is_of_city = |character: char| character.is_alphabetic() || " .'’-".contains(character);
    text.contains(char::is_alphabetic) && text.chars().all(is_of_city) && !is_unit(text)
}

fn is_unit(text: &str) -> bool {
    let first = trim(text).split(' ').next().unwrap_or_default();
    first.starts_with('#') || is_one_of(first, &UNITS)
}

fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.contains(&plain(word).as_str())
}

/// The letters and digits in lower case.
fn plain(word: &str) -> String {
    word.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests;
