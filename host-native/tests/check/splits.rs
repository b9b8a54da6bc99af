//! Values that stand together in one column, or apart in several.

use matterbook_import::records::{self, Content, Options};
use serde_json::Value;

use super::file::TestFile;

/// Asserts that the rows, mapped so, are the clients of the plain file.
fn assert_same(headers: &str, rows: &str, maps: &[&str], plain: &str) {
    assert_eq!(clients(&format!("{headers}\n{rows}"), maps), clients(plain, &[]), "{headers}");
}

/// The clients that `push` would send.
fn clients(file: &str, maps: &[&str]) -> Vec<Value> {
    let mappings = maps.iter().map(|map| map.parse().expect("a map")).collect();
    let options = Options { mappings, ..Options::default() };
    let content = Content::of_bytes(file.as_bytes().to_vec());
    let rows = records::read("a.csv".as_ref(), content, &options).expect("rows");
    rows.map(|row| serde_json::from_str(row.expect("a row").sendable().expect("a client")).expect("JSON")).collect()
}

const PLAIN: &str = "first_name,last_name,address_line1,address_line2,city,state,zip,external_id\n\
                     Ana,Specimenez,12 Oak St,Apt 4,Springfield,IL,62704,1\n\
                     Bob,Sampleton,PO Box 7,,New York,NY,10001-0007,2\n";

#[test]
fn names_and_addresses_that_stand_together_are_split() {
    assert_same(
        "Client Name,Address,Unit,City State Zip,ID",
        "Ana Specimenez,12 Oak St,Apt 4,\"Springfield, IL 62704\",1\n\
         Bob Sampleton,PO Box 7,,New York NY 10001-0007,2\n",
        &["Client Name=first_last", "City State Zip=city_state_zip"],
        PLAIN,
    );
    assert_same(
        "Client,Full Address,ID",
        "\"Specimenez, Ana\",\"12 Oak St\nApt 4\nSpringfield, IL 62704\nUSA\",1\n\
         \"Sampleton, Bob\",\"PO Box 7, New York, NY 10001-0007\",2\n",
        &["Client=last_comma_first", "Full Address=whole_address"],
        PLAIN,
    );
}

#[test]
fn columns_that_stand_apart_are_joined_in_the_order_of_the_map() {
    assert_same(
        "First,Last,Street,House No,Unit,No,City,State,Zip,ID",
        "Ana,Specimenez,Oak St,12,4,Apt,Springfield,IL,62704,1\n\
         Bob,Sampleton,PO Box 7,,,,New York,NY,10001-0007,2\n",
        &["House No + Street=address_line1", "No + Unit=address_line2"],
        PLAIN,
    );
    // A damaged part is an error of the row: March 4 was a house number.
    let file = TestFile::new("a.csv", "Last,No,Street\nLi,#REF!,Oak St\nLi,3,Elm St\n");
    let report = file.report(&["--map", "No + Street=address_line1"]);
    assert_eq!(
        report.findings(2),
        ["address_line1 is an error of the spreadsheet: fix its formula, or empty the cell."]
    );
    let columns = &report.json["columns"];
    assert_eq!((&columns[1]["use"], &columns[1]["note"]), (&"joined".into(), &"joined with Street".into()));
}

#[test]
fn what_could_be_split_in_two_ways_is_an_error_that_says_what_to_do() {
    let file = TestFile::new(
        "a.csv",
        "Client Name,Full Address,ID\n\
         John & Mary Sampleton,,1\n\
         Ana Maria Specimenez,,2\n\
         John Sampleton Jr,,3\n\
         Ana Specimenez,12 Oak St Springfield IL 62704,4\n",
    );
    let report = file.report(&["--map", "Client Name=first_last", "--map", "Full Address=whole_address"]);
    assert_eq!(
        report.all_findings(),
        [
            (2, "first_last is the name of several people: write a row for each of them.".to_owned()),
            (3, "first_last must be one first and one last name: write them into columns of their own.".to_owned()),
            (
                4,
                "first_last has \"Jr\": write first and last name into columns of their own, \"Jr\" with the last."
                    .to_owned()
            ),
            (
                5,
                "whole_address cannot be split: write it as \"12 Oak St, Apt 4, Springfield, IL 62704\", or the \
                 street, the city, the state and the ZIP in columns of their own."
                    .to_owned()
            ),
        ]
    );
    // The report for people shows the value under the file's own header.
    let output = file.check(&["--map", "Client Name=first_last"]);
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(printed.contains("Client Name \"John & Mary Sampleton\": first_last is the name of several"), "{printed}");
    let file = TestFile::new("a.csv", "Client,ID\n\"Sampleton, John Jr\",1\n\"Sampleton, John & Mary\",2\n");
    assert_eq!(
        file.report(&["--map", "Client=last_comma_first"]).all_findings(),
        [
            (
                2,
                "last_comma_first has \"Jr\" after the first name: write it after the last name, as in \"Lee Jr, Sam\"."
                    .to_owned()
            ),
            (3, "last_comma_first is the name of several people: write a row for each of them.".to_owned()),
        ]
    );
}
