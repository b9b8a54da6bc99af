//! The mapping of a file is kept for its next export.

use super::file::TestFile;

const FILE: &str = "Client,Ref,Zip\n\"Specimenez, Ana\",1,62704\n";
const MAPS: [&str; 4] = ["--map", "Client=last_comma_first", "--map", "Ref=external_id"];

fn said(file: &TestFile, arguments: &[&str]) -> (Option<i32>, String) {
    let output = file.check(arguments);
    (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
}

#[test]
fn a_mapping_is_used_again_and_changed_columns_are_shown() {
    let file = TestFile::new("clients.csv", FILE);
    let kept = "The mapping is kept in clients.csv.mapping.json, for the next time.\n";
    assert_eq!(said(&file, &MAPS), (Some(0), kept.to_owned()));
    let reused = "Columns are mapped as kept in clients.csv.mapping.json: \"Client=last_comma_first\", \
                  \"Ref=external_id\". --ignore-mapping leaves it out.\n";
    assert_eq!(said(&file, &[]), (Some(0), reused.to_owned()));
    assert_eq!(file.report(&[]).used_columns(), ["Client → last_comma_first", "Ref → external_id", "Zip → zip"]);

    std::fs::write(file.path(), "Client,Postal Code,Zip,City\n\"Specimenez, Ana\",62704,62704,Reno\n")
        .expect("written");
    let changed = format!("{reused}New columns: \"Postal Code\", \"City\".\nColumns that are gone: \"Ref\".\n{kept}");
    assert_eq!(said(&file, &[]), (Some(0), changed));
    assert_eq!(said(&file, &[]), (Some(0), reused.to_owned()), "a change is shown once");
    // The column of ids comes back.
    std::fs::write(file.path(), FILE).expect("written");
    assert_eq!(file.report(&[]).used_columns(), ["Client → last_comma_first", "Ref → external_id", "Zip → zip"]);
}

#[test]
fn flags_come_before_what_is_kept_and_it_can_be_ignored() {
    let file = TestFile::new("clients.csv", FILE);
    file.check(&MAPS);
    assert_eq!(
        file.report(&["--map", "Zip=external_id"]).used_columns(),
        ["Client → last_comma_first", "Zip → external_id"]
    );
    assert_eq!(file.report(&["--ignore-mapping"]).used_columns(), ["Zip → zip"]);
    // An error file of the list is mapped as the list.
    let rows = std::fs::read(file.path()).expect("a file");
    std::fs::write(file.beside("clients.csv.errors.2.csv"), rows).expect("written");
    let mut command = crate::support::matterbook(&["check", "clients.csv.errors.2.csv"]);
    let output = command.current_dir(file.beside(".")).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn a_link_or_another_file_in_its_place_is_not_followed() {
    let file = TestFile::new("clients.csv", FILE);
    let other = file.beside("somebody.json");
    std::fs::write(&other, "{}").expect("written");
    let place = file.beside("clients.csv.mapping.json");
    std::os::unix::fs::symlink(&other, &place).expect("a link");
    let (status, sentence) = said(&file, &MAPS);
    assert_eq!(status, Some(1));
    assert!(
        sentence.contains("symbolic link, which is not followed") && sentence.contains("--ignore-mapping"),
        "{sentence}"
    );
    assert_eq!(std::fs::read_to_string(&other).expect("a file"), "{}");
    std::fs::remove_file(&place).expect("removed");
    std::fs::write(&place, "[]").expect("written");
    let (status, sentence) = said(&file, &[]);
    assert_eq!(status, Some(1));
    assert!(sentence.contains("clients.csv.mapping.json is not a mapping."), "{sentence}");
    assert_eq!(said(&file, &[&MAPS[..], &["--ignore-mapping"]].concat()), (Some(0), String::new()));
}
