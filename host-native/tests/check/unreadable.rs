//! Rows that are taken without the values that cannot be read.

use super::file::TestFile;

const FLAG: &str = "--leave-out-unreadable";
const FILE: &str = "ID,First Name,Last Name,Street,Zip,Phone,Opened,State,DNM\n\
                    1,Ana,Specimenez,12 Oak St,501,217-555,########,Narnia,\n\
                    2,Bob,Sampleton,5 Demo Ave,02134,1,,,maybe\n\
                    ,Carl,Demowitz,9 Test St,501,,,,\n\
                    1.2E+11,Dee,Exampleton,7 Trial Rd,89501,,,,\n\
                    5,#N/A,Fictova,8 Sham Ct,33601,1,,,\n\
                    6,Gus,Pretendorf,4 Feign Way,80202,303-555-0177,,,\n";

#[test]
fn optional_values_that_cannot_be_read_are_left_out_and_listed() {
    let file = TestFile::new("clients.csv", FILE);
    let without = file.report(&[]);
    assert_eq!((without.count("errors"), without.count("incomplete")), (5, 0));
    let report = file.report(&[FLAG]);
    assert_eq!(
        report.findings(2),
        [
            "opened_on was exported as ### since its column was too narrow: widen it and export again.",
            "state must be a US state: a two-letter USPS code or the state's full name.",
            "zip must have 5 or 9 digits, but has 3; leading zeros may have been lost: send it as text.",
            "phone must have 10 to 15 digits, but has 6.",
        ]
        .map(|sentence| format!("incomplete: {sentence}"))
    );
    assert_eq!((report.count("incomplete"), report.count("errors")), (1, 4));
}

#[test]
fn names_ids_and_do_not_mail_are_never_left_out() {
    let report = TestFile::new("clients.csv", FILE).report(&[FLAG]);
    for (row, field) in [(3, "do_not_mail must"), (5, "external_id was"), (6, "first_name is")] {
        let findings = report.findings(row);
        assert!(findings.last().is_some_and(|error| error.contains(field)), "{findings:?}");
        assert!(!findings.iter().any(|finding| finding.starts_with("incomplete")), "{findings:?}");
    }
    // Without an id, street and ZIP tell people of one name apart.
    assert!(report.findings(4)[0].starts_with("zip must have 5 or 9 digits"), "{:?}", report.findings(4));
    assert_eq!(report.status, Some(1));
}

#[test]
fn the_report_for_people_and_the_file_of_all_rows_name_what_is_left_out() {
    let file = TestFile::new("clients.csv", "ID,Last Name,Phone\n1,Li,12\n2,Orr,123\n3,Eck,303-555-0177\n");
    let output = file.check(&[FLAG, "--out", "out.csv"]);
    assert_eq!(output.status.code(), Some(0));
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(
        printed
            .contains("2  incomplete   Phone \"12\": phone must have 10 to 15 digits, but has 2. And 1 more like it."),
        "{printed}"
    );
    assert!(printed.contains("  2 rows taken without values that cannot be read\n"), "{printed}");
    let written = std::fs::read_to_string(file.beside("out.csv")).expect("a file");
    assert!(
        written.contains("Left out: phone must have 10 to 15 digits, but has 2.\",incomplete,2,1,Li,12\r\n"),
        "{written}"
    );
}
