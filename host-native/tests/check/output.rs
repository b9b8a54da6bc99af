//! What people see, and the file that they fix.

use std::{io::Write as _, process::Stdio};

use super::file::TestFile;
use crate::support::matterbook;

const LIST: &str = "\
Case No,Last Name,Zip,Phone,Mobile,DOI,Notes
1,Li,2134,(617) 555-0142,,,x
2,Reed,021,,,,
2,Orr,89501,,,,
";

#[test]
fn people_see_the_columns_the_findings_and_how_many_rows_are_ready() {
    let output = TestFile::new("a.csv", LIST).check(&[]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "the totals come once");
    assert_eq!(
        String::from_utf8(output.stdout).expect("UTF-8"),
        "\
a.csv: text with separators

  Case No    external_id
  Last Name  last_name
  Zip        zip
  Phone      phone
  Mobile     phone        where Phone is empty
  DOI        -            the day of the incident, which is neither the day the case opened nor the day it settled
  Notes      -            not recognized
--map \"Header=field\" maps a column differently.

      3  error        Zip \"021\": zip must have 5 or 9 digits, but has 3; leading zeros may have been lost: send it as text.

      2  repaired     zip  \"2134\" becomes \"02134\"
      2  repaired     phone  \"(617) 555-0142\" becomes \"+16175550142\"

3 rows
  1 row taken as it is
  1 row taken, with values repaired
  1 row not taken: something is wrong with it
"
    );
}

#[test]
fn the_first_findings_of_each_status_are_shown_and_all_when_asked_for() {
    let rows: String = (0..25).map(|number| format!("Li{number},21\n")).collect();
    let file = TestFile::new("a.csv", format!("Last Name,Zip\n{rows}"));
    let printed = |arguments: &[&str]| String::from_utf8(file.check(arguments).stdout).expect("UTF-8");
    let first = printed(&[]);
    assert_eq!(first.matches("zip must have").count(), 1);
    assert!(first.contains("      2  error        Zip \"21\": zip must have 5 or 9 digits, but has 2."), "{first}");
    assert!(first.contains(" And 24 more like it.\n"), "{first}");
    let all = printed(&["--all"]);
    assert_eq!(all.matches("zip must have").count(), 25);
    assert!(!all.contains("--all"));
}

#[test]
fn each_kind_of_repair_is_shown_once_however_many_dates_come_before_it() {
    let dates: String = (0..1_204).map(|number| format!("Li{number},02134,{}/5/2026\n", number % 12 + 1)).collect();
    let rest = "Orr,2134,\nReed,62704.0,\nRay,89501,\"Jan 5, 2026\"\nRoe,2139,\n";
    let file = TestFile::new("a.csv", format!("Last Name,Zip,Opened\n{dates}{rest}"));
    let printed = |arguments: &[&str]| String::from_utf8(file.check(arguments).stdout).expect("UTF-8");
    let found = "
   1206  repaired     zip  \"2134\" becomes \"02134\", and 1 more like it
   1207  repaired     zip  \"62704.0\" becomes \"62704\"
      2  repaired     opened_on  \"1/5/2026\" becomes \"2026-01-05\", and 1,203 more like it
   1208  repaired     opened_on  \"Jan 5, 2026\" becomes \"2026-01-05\"
         … 1,208 repairs in all; --all shows each

1,208 rows
";
    assert!(printed(&[]).contains(found), "{}", printed(&[]));
    let all = printed(&["--all"]);
    assert_eq!((all.matches("becomes").count(), all.contains("--all")), (1_208, false));
    let report = file.report(&[]);
    assert_eq!(report.json["findings"].as_array().expect("findings").len(), 1_208, "for programs it is whole");
}

#[test]
fn many_kinds_of_findings_are_counted() {
    let phones = ["(617) 555-0142", "617-555-0142", "617.555.0142", "617/555/0142", "617_555_0142", "617 555 0142"];
    let rows: String = phones.iter().map(|phone| format!("Li,{phone}\n")).collect();
    let printed = TestFile::new("a.csv", format!("Last Name,Phone\n{rows}")).check(&[]).stdout;
    let printed = String::from_utf8(printed).expect("UTF-8");
    assert_eq!(printed.matches("becomes").count(), 3, "{printed}");
    assert!(
        printed.contains("         … 3 more of phone\n         … 6 repairs in all; --all shows each\n"),
        "{printed}"
    );
}

#[test]
fn a_phone_names_the_columns_that_come_before_it_wherever_they_stand() {
    let file = TestFile::new("a.csv", "Last Name,Work Phone,Mobile,Home Phone\nLi,,,\n");
    let printed = String::from_utf8(file.check(&[]).stdout).expect("UTF-8");
    assert!(printed.contains("  Work Phone  phone      where Mobile and Home Phone are empty\n"), "{printed}");
    assert!(printed.contains("  Home Phone  phone      where Mobile is empty\n"), "{printed}");
    assert_eq!(file.report(&[]).json["columns"][3]["note"], "where Mobile is empty");
}

#[test]
fn a_file_without_a_column_of_names_is_told_of_before_its_rows() {
    let sentence = "No column is a first or last name: a row is taken only where a client with its external_id is saved \
                    already.\n";
    let file = TestFile::new("a.csv", "Name,Case No,Zip\n\"Li, Ana\",1,02134\n");
    let printed = |arguments: &[&str]| String::from_utf8(file.check(arguments).stdout).expect("UTF-8");
    assert!(printed(&[]).contains(sentence), "{}", printed(&[]));
    assert!(!printed(&["--map", "Name=last_comma_first"]).contains(sentence));
}

#[test]
fn what_a_file_holds_does_not_steer_the_terminal() {
    let file =
        TestFile::new("a\u{1b}.csv", "Last \u{1b}[31mName,Zip,Notes\u{1b}]0;x\u{7}\n\u{1b}[2JLi\u{200b},2134,\n");
    for arguments in [&[][..], &["--all"]] {
        // As a terminal gets it, with the report's own colours.
        let mut command = matterbook(&["check", file.path()]);
        command.args(arguments).env("CLICOLOR_FORCE", "1").stdin(Stdio::null());
        let printed = String::from_utf8(command.output().expect("the program starts").stdout).expect("UTF-8");
        assert!(printed.contains("\u{1b}[36mrepaired"), "{printed:?}");
        for foreign in ["\u{1b}[31mName", "\u{1b}]", "\u{1b}[2J", "\u{1b}.csv", "\u{7}"] {
            assert!(!printed.contains(foreign), "{foreign:?} in {printed:?}");
        }
    }
}

#[test]
fn colour_is_for_terminals_only() {
    let file = TestFile::new("a.csv", LIST);
    let run = |name: &str, value: &str| {
        let mut command = matterbook(&["check", file.path()]);
        let output = command.env(name, value).stdin(Stdio::null()).output().expect("the program starts");
        output.stdout.contains(&0x1b)
    };
    assert!(!run("TERM", "xterm-256color"));
    assert!(run("CLICOLOR_FORCE", "1"));
    assert!(!run("NO_COLOR", "1"));
}

#[test]
fn standard_input_is_read_as_a_file_is() {
    for (input, kind) in [(LIST, "csv"), ("{\"Last Name\":\"Li\",\"Zip\":\"021\"}\n", "ndjson")] {
        let mut command = matterbook(&["check", "-", "--json"]);
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        process.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("written");
        let output = process.wait_with_output().expect("an end");
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!((json["check"]["kind"].as_str(), output.status.code()), (Some(kind), Some(1)));
        assert_eq!(json["check"]["summary"]["errors"], 1);
    }
}

#[test]
fn the_file_of_out_has_every_row_with_its_status_and_reason() {
    let file = TestFile::new("a.csv", format!("{LIST}=1+1,x,,,,,,,,extra\r\n"));
    let output = file.check(&["--out", "o.csv"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(said.contains("o.csv has every row, each with its status and reason.\n"), "{said}");
    let written = std::fs::read_to_string(file.beside("o.csv")).expect("text");
    assert_eq!(
        written,
        "\u{feff}matterbook_reason,matterbook_status,matterbook_row,Case No,Last Name,Zip,Phone,Mobile,DOI,Notes\r\n\
         \"phone \"\"(617) 555-0142\"\" becomes \"\"+16175550142\"\". zip \"\"2134\"\" becomes \"\"02134\"\".\",repaired,2,\
         1,Li,2134,(617) 555-0142,,,x\r\n\
         \"zip must have 5 or 9 digits, but has 3; leading zeros may have been lost: send it as text.\",error,3,\
         2,Reed,021,,,,\r\n\
         ,ready,4,2,Orr,89501,,,,\r\n\
         The row has 10 values for 7 columns.,error,5,=1+1,x,,,,,,,,extra\r\n"
    );
    // It can be mended and checked again: what was added is no field.
    let again = TestFile::new("o.csv", &written).report(&[]);
    assert_eq!(again.used_columns().len(), 5);
    assert_eq!(again.json["columns"][0]["note"], "added by check or push");
    let sentence = "o.csv is there already, and may hold somebody's work: name another, or remove it.";
    assert_eq!(file.refused(&["--out", "o.csv"]), (Some(1), sentence.to_owned()));
}

#[cfg(unix)]
#[test]
fn the_file_of_out_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let file = TestFile::new("a.csv", LIST);
    file.check(&["--out", "o.csv"]);
    let mode = std::fs::metadata(file.beside("o.csv")).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn every_row_is_written_to_a_workbook_of_texts_that_can_be_checked_again() {
    let list = "ID,Last Name,Zip,Notes\n007,Li,02134,=1+1\n8,Reed,123,\n";
    let file = TestFile::new("clients.csv", list);
    let output = file.check(&["--out", "out.xlsx"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let hint = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(hint.contains("out.xlsx has every row, each with its status and reason."), "{hint}");
    // Read again, it is the same list, with the rows of the first file.
    let read = |name: &str, out: &str| {
        let mut command = matterbook(&["check", name, "--out", out]);
        let output = command.current_dir(file.beside(".")).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        std::fs::read_to_string(file.beside(out)).expect("a file")
    };
    assert_eq!(read("out.xlsx", "again.csv"), read("clients.csv", "first.csv"));
    let names =
        || std::fs::read_dir(file.beside(".")).expect("a directory").map(|entry| entry.expect("a file").file_name());
    assert_eq!(names().count(), 4, "nothing else is left there: {:?}", names().collect::<Vec<_>>());
    let again = file.check(&["--out", "out.xlsx"]);
    assert!(String::from_utf8_lossy(&again.stderr).contains("out.xlsx is there already"), "{again:?}");
}
