//! Finds the people of a second client list who are in the first, whatever the two lists do to a name, a street or a
//! ZIP. Writes those that only the second list has.
//!
//! `two-lists clients.csv newcomers.csv >new.csv`. The columns have the names of the fields.

use std::{
    collections::HashMap,
    error::Error,
    fs,
    io::{self, Write},
};

use matterbook_rules::{
    client::ClientFields,
    matching::{MatchKey, same_person},
    normalize::{self, Field, FieldValue},
};

fn main() -> Result<(), Box<dyn Error>> {
    let [first, second] = std::env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| "name two files")?;
    let (new, remarks) = only_in_second(&fs::read_to_string(first)?, &fs::read_to_string(second)?)?;
    remarks.iter().for_each(|remark| eprintln!("{remark}"));
    io::stdout().write_all(new.as_bytes())?;
    Ok(())
}

/// The rows of the second list whose person the first list does not have, and a remark on each of the others.
fn only_in_second(first: &str, second: &str) -> Result<(String, Vec<String>), Box<dyn Error>> {
    let mut known: HashMap<_, Vec<(u64, MatchKey)>> = HashMap::new();
    for row in rows(first)? {
        let (line, _, key) = row?;
        if key.is_complete() {
            known.entry(name_and_zip(&key)).or_default().push((line, key));
        }
    }
    let mut new = csv::Writer::from_writer(Vec::new());
    new.write_record(csv::Reader::from_reader(second.as_bytes()).headers()?)?;
    let mut remarks = Vec::new();
    for row in rows(second)? {
        let (line, record, key) = row?;
        let candidates = known.get(&name_and_zip(&key)).into_iter().flatten();
        match candidates.into_iter().find(|(_, other)| same_person(&key, other)) {
            Some((other, _)) => remarks.push(format!("line {line} is line {other} of the first list")),
            None => new.write_record(&record)?,
        }
    }
    Ok((String::from_utf8(new.into_inner()?)?, remarks))
}

/// What two records of one person always share. Their streets are compared by [`same_person`], because a unit may
/// stand in either line of an address.
fn name_and_zip(key: &MatchKey) -> (Option<String>, Option<String>) {
    (key.name.as_ref().map(ToString::to_string), key.zip5.as_ref().map(ToString::to_string))
}

/// Each row of a list with its line and its match key. A ZIP that cannot be read counts as missing.
fn rows(
    list: &str,
) -> Result<impl Iterator<Item = Result<(u64, csv::StringRecord, MatchKey), csv::Error>>, csv::Error> {
    let mut reader = csv::Reader::from_reader(list.as_bytes());
    let fields: Vec<Option<Field>> = reader.headers()?.iter().map(Field::from_name).collect();
    Ok(reader.into_records().map(move |record| {
        let record = record?;
        let mut client = ClientFields::default();
        for (field, text) in fields.iter().zip(&record) {
            let text_of = |max| normalize::text(&FieldValue::from(text), max).ok().flatten();
            match field {
                Some(Field::FirstName) => client.first_name = text_of(Field::TEXT_MAX_LENGTH),
                Some(Field::LastName) => client.last_name = text_of(Field::TEXT_MAX_LENGTH),
                Some(Field::AddressLine1) => client.address_line1 = text_of(Field::ADDRESS_MAX_LENGTH),
                Some(Field::AddressLine2) => client.address_line2 = text_of(Field::ADDRESS_MAX_LENGTH),
                Some(Field::Zip) => client.zip = normalize::zip(&FieldValue::from(text)).ok().flatten(),
                _ => {}
            }
        }
        let line = record.position().map_or(0, csv::Position::line);
        Ok((line, record, MatchKey::of(&client)))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_found_however_they_are_written() {
        let first = "\
first_name,last_name,address_line1,address_line2,zip
José,O'Sample,12 North Main Street,Apt 4,2134
Ana,Specimenez,5 Demo Ave,,62704
";
        let second = "\
zip,last_name,first_name,address_line1
02134-1001,OSAMPLE,JOSE,12 N. Main St. #4
02134,O'Sample,José,12 North Main Street Apt 5
62704,Specimenez Jr,Ana,5 Demo Avenue
62704,SPECIMENEZ,ANA,5 Demo Avenue
";
        let (new, remarks) = only_in_second(first, second).unwrap();
        let expected = "\
zip,last_name,first_name,address_line1
02134,O'Sample,José,12 North Main Street Apt 5
62704,Specimenez Jr,Ana,5 Demo Avenue
";
        assert_eq!(new, expected);
        assert_eq!(remarks, ["line 2 is line 2 of the first list", "line 5 is line 3 of the first list"]);
    }
}
