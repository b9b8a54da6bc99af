//! Text files of every origin are read alike.

use super::file::TestFile;

/// A list as text, with an accent and a quoted line break; its ZIP tells that it was read right.
const LIST: &str = "Last Name,Address,City,Zip\r\nPeñarol,\"12 Oak St\r\nRear\",\"Reno, NV\",2134\r\n";

fn check(name: &str, bytes: impl AsRef<[u8]>) {
    let file = TestFile::new(name, bytes);
    let report = file.report(&["--out", "out.csv"]);
    assert_eq!(report.status, Some(0), "{name}: {}", report.sentence);
    assert_eq!(report.findings(2), ["zip: 2134 → 02134"], "{name}");
    let written = std::fs::read_to_string(file.beside("out.csv")).expect("UTF-8");
    assert_eq!(
        written,
        "\u{feff}matterbook_reason,matterbook_status,matterbook_row,Last Name,Address,City,Zip\r\n\
         \"zip \"\"2134\"\" becomes \"\"02134\"\".\",repaired,2,Peñarol,\"12 Oak St\nRear\",\"Reno, NV\",2134\r\n",
        "{name}"
    );
}

#[test]
fn a_list_is_the_same_in_every_encoding() {
    check("utf8.csv", LIST);
    check("mark.csv", format!("\u{feff}{LIST}"));
    let windows: Vec<u8> = LIST.chars().map(|character| u8::try_from(u32::from(character)).expect("Latin 1")).collect();
    check("windows.csv", &windows);
    let units = || format!("\u{feff}{LIST}").encode_utf16().collect::<Vec<u16>>();
    check("utf16le.csv", units().into_iter().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    check("utf16be.txt", units().into_iter().flat_map(u16::to_be_bytes).collect::<Vec<u8>>());
    check("unix.csv", LIST.replace("\r\n", "\n"));
    check("mac.csv", LIST.replace("\r\n", "\r"));
}

#[test]
fn a_list_is_the_same_with_every_separator() {
    let separated = |separator: &str| {
        "Last Name,Address,City,Zip\r\nPeñarol,\"12 Oak St\r\nRear\",\"Reno;NV\",2134\r\n"
            .replace(',', separator)
            .replace("Reno;NV", "Reno, NV")
    };
    check("semicolon.csv", separated(";"));
    check("tab.tsv", separated("\t"));
    check("pipe.txt", separated("|"));
    check("said.csv", format!("sep=;\r\n{}", separated(";")));
}

#[test]
fn a_file_that_was_put_together_of_two_is_read_right() {
    let file = TestFile::new("a.csv", b"Last,Zip\nPe\xF1a,2134\nPe\xC3\xB1a,2135\n");
    let report = file.report(&["--out", "o.csv"]);
    assert_eq!((report.count("windows_1252_rows"), report.count("rows")), (1, 2));
    let written = std::fs::read_to_string(file.beside("o.csv")).expect("UTF-8");
    assert!(written.contains("Peña,2134\r\n") && written.contains("Peña,2135\r\n"), "{written}");
}

#[test]
fn blank_rows_and_titles_are_left_out_and_counted() {
    let file = TestFile::new(
        "a.csv",
        "Clients of 2026,,\r\n\r\nLast Name,City,Zip\r\n,,\r\nLi,Reno,89501\r\n\r\nReed,Ely,1\r\n",
    );
    let report = file.report(&[]);
    assert_eq!(report.json["rows_above_header"], serde_json::json!([1]));
    assert_eq!((report.count("rows"), report.count("ready")), (2, 1));
    assert_eq!(report.findings(7), ["zip must have 5 or 9 digits, but has 1."]);
    let printed = String::from_utf8(file.check(&[]).stdout).expect("UTF-8");
    assert!(printed.contains("Row 1 is above the header, and left out.\n"), "{printed}");
}

#[test]
fn a_short_row_is_filled_up_and_a_long_one_is_an_error() {
    let file = TestFile::new("a.csv", "Last,City,Zip\nLi\nReed,Reno,89501,,\nOrr,Ely,89301,x\n");
    let report = file.report(&[]);
    assert_eq!(report.all_findings(), [(4, "The row has 4 values for 3 columns.".to_owned())]);
    assert_eq!((report.count("ready"), report.count("short_rows")), (2, 1));
}

#[test]
fn a_cell_of_ten_megabytes_is_an_error_of_its_row_and_the_rest_goes_on() {
    let long = "x".repeat(10 * 1_024 * 1_024);
    let file = TestFile::new("a.csv", format!("Last,City,Notes\nLi,{long},\nReed,Reno,{long}\nOrr,Ely,\n"));
    let report = file.report(&[]);
    assert_eq!(report.all_findings(), [(2, "city must have at most 200 characters, but has 10485760.".to_owned())]);
    assert_eq!(report.count("ready"), 2);
}
