//! Normalizes columns of a CSV file: each value as its field's rule stores it. A value that the rule refuses stays
//! as it is, and a remark says where it is and what to fix.
//!
//! `normalize-csv "Zip Code=zip" "Phone=phone" <list.csv >normalized.csv`

use std::{error::Error, io, process::ExitCode};

use matterbook_rules::{
    client::stored_value,
    normalize::{Field, FieldValue},
};

fn main() -> ExitCode {
    let columns: Vec<String> = std::env::args().skip(1).collect();
    match normalize(&columns, io::stdin().lock(), io::stdout().lock()) {
        Ok(remarks) => {
            remarks.iter().for_each(|remark| eprintln!("{remark}"));
            ExitCode::from(u8::from(!remarks.is_empty()))
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Copies a CSV file, with the values of the named columns normalized, and returns a remark for each refused value.
/// A column is given as `name=field`.
fn normalize(columns: &[String], file: impl io::Read, out: impl io::Write) -> Result<Vec<String>, Box<dyn Error>> {
    let mut reader = csv::Reader::from_reader(file);
    let names = reader.headers()?.clone();
    let mut fields = vec![None; names.len()];
    for column in columns {
        let (name, field) = column.split_once('=').ok_or_else(|| format!("{column}: write it as name=field"))?;
        let place = names.iter().position(|listed| listed == name).ok_or_else(|| format!("no column {name}"))?;
        fields[place] = Some(Field::from_name(field).ok_or_else(|| format!("no field {field}"))?);
    }
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(&names)?;
    let mut remarks = Vec::new();
    for record in reader.records() {
        let record = record?;
        let line = record.position().map_or(0, csv::Position::line);
        for ((text, field), name) in record.iter().zip(&fields).zip(&names) {
            match field.map(|field| stored_value(field, &FieldValue::from(text))) {
                Some(Ok(kept)) => writer.write_field(kept.map(|kept| kept.to_string()).unwrap_or_default())?,
                Some(Err(problem)) => {
                    remarks.push(format!("line {line}: {name} {problem}"));
                    writer.write_field(text)?;
                }
                None => writer.write_field(text)?,
            }
        }
        writer.write_record(None::<&[u8]>)?;
    }
    writer.flush()?;
    Ok(remarks)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "\
Name,Zip Code,Cell,Opened
Ana Specimenez,2134,(617) 555-0142 x9,1/5/2026
Bob Sampleton,123,,2026-01-05T10:00Z
Carl Demowitz,62704-1234,555-0100,31/12/2026
";

    #[test]
    fn values_are_normalized_and_refused_ones_stay() {
        let columns = ["Zip Code=zip", "Cell=phone", "Opened=opened_on"].map(str::to_owned);
        let mut out = Vec::new();
        let remarks = normalize(&columns, LIST.as_bytes(), &mut out).unwrap();
        let expected = "\
Name,Zip Code,Cell,Opened
Ana Specimenez,02134,+16175550142,2026-01-05
Bob Sampleton,123,,2026-01-05
Carl Demowitz,62704-1234,555-0100,31/12/2026
";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
        assert_eq!(
            remarks,
            [
                "line 3: Zip Code must have 5 or 9 digits, but has 3; leading zeros may have been lost: send it as text",
                "line 4: Cell must have 10 to 15 digits, but has 7",
                "line 4: Opened must have a month from 1 to 12; in MM/DD/YYYY the month comes first",
            ]
        );
    }

    #[test]
    fn a_column_that_the_file_lacks_is_an_error() {
        let run = |column: &str| normalize(&[column.to_owned()], LIST.as_bytes(), Vec::new()).unwrap_err().to_string();
        assert_eq!(run("Town=city"), "no column Town");
        assert_eq!(run("Name=full_name"), "no field full_name");
        assert_eq!(run("Name"), "Name: write it as name=field");
    }
}
