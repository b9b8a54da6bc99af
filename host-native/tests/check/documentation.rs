//! The page on spreadsheets shows what the program prints.

use super::file::TestFile;

const PAGE: &str = include_str!("../../../docs/spreadsheets.md");

/// The blocks of a page with their language.
fn blocks() -> Vec<(&'static str, &'static str)> {
    let mut blocks = Vec::new();
    let mut rest = PAGE;
    while let Some((_, after)) = rest.split_once("\n```") {
        let (language, after) = after.split_once('\n').expect("a line");
        let (text, after) = after.split_once("```").expect("its end");
        blocks.push((language, text));
        rest = after;
    }
    blocks
}

/// A `csv` block is `clients.csv`; a command in the `sh` block after it prints the `text` block after that.
#[test]
fn each_example_is_what_the_program_prints() {
    let mut file = None;
    let mut command = None;
    let mut count = 0;
    for (language, text) in blocks() {
        match (language, command.take()) {
            ("csv", _) => file = Some(TestFile::new("clients.csv", text)),
            ("sh", _) => command = text.strip_prefix("matterbook check clients.csv"),
            ("text", Some(arguments)) => {
                let arguments: Vec<String> = arguments.split('"').enumerate().flat_map(words).collect();
                let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
                let output = file.as_ref().expect("a file").check(&arguments);
                let printed = [output.stdout, output.stderr].concat();
                assert_eq!(String::from_utf8(printed).expect("UTF-8"), text);
                count += 1;
            }
            _ => {}
        }
    }
    assert!(count >= 2, "{count} examples were found");
}

/// The words of a part of a command line; every second part stood within quotes.
fn words((number, part): (usize, &str)) -> Vec<String> {
    if number % 2 == 1 { vec![part.to_owned()] } else { part.split_whitespace().map(str::to_owned).collect() }
}

/// The table's rows: a header, a cell, and what is said of it.
#[test]
fn each_damage_of_the_table_is_told_as_shown() {
    let rows = PAGE.lines().skip_while(|line| !line.starts_with("| column | cell |")).skip(2);
    let mut count = 0;
    for row in rows.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`')).collect();
        let [header, cell, said] = cells[..] else { panic!("{row}") };
        let name = if header == "Last Name" { "First Name" } else { "Last Name" };
        let file = TestFile::new("a.csv", format!("{name}\t{header}\nLi\t{cell}\n"));
        let findings = file.report(&[]).findings(2);
        // A repair is shown as what is kept, an error as its sentence.
        let found = findings.last().map_or("", |line| line.rsplit_once(" → ").map_or(line.as_str(), |(_, kept)| kept));
        assert_eq!(found, said, "{row}");
        count += 1;
    }
    assert!(count > 8, "{count} rows were found");
}

#[test]
fn every_field_and_the_headers_that_are_shown_for_it_are_recognized() {
    let rows = PAGE.lines().skip_while(|line| !line.starts_with("| field | headers |")).skip(2);
    let mut fields = 0;
    for row in rows.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [field, headers] = cells[..] else { panic!("{row}") };
        let field = field.trim_matches('`');
        for header in headers.split(", ") {
            let file = TestFile::new("a.csv", format!("{header}\tNotes\nx\ty\n"));
            assert_eq!(file.report(&[]).used_columns(), [format!("{header} → {field}")], "{row}");
        }
        fields += 1;
    }
    assert_eq!(fields, 14);
}
