use matterbook_import::records::{Content, Options, read};

use super::*;

#[test]
fn nothing_of_a_file_steers_the_terminal() {
    assert_eq!(visible("a\u{1b}[31mb\r\nc", None), "a [31mb  c");
    assert_eq!(visible("abcdef", Some(4)), "abc…");
}

/// The report on a list with long headers, values and sentences.
fn report(width: Option<usize>, all: bool) -> String {
    let long = "Supercalifragilisticexpialidocious".repeat(2);
    let file = format!(
        "A title\n\nClient Identification Number,First Name,Last Name,Home_Phone_Number_With_Area,Zip,Street,Email,\
         Settled,DOI,{long},Mobile Phone,Telephone\n\
         1,Ana,Specimenez,1,501, {long} Street,{long}@EXAMPLE.com,1/2/2025,,,+12175550134,\n\
         1,Ana,Specimenez,,,,,2/2/2025,,,,\n\
         2,Bob,Sampleton,(217) 555-0134,2134,5 Demo Ave,,,,,(217) 555-0135,\n\
         3,Bob,Sampleton,,02134,5 Demo Avenue,,,,,,\n\
         4,Dee,Exampl\u{e9}ton,,02134,5 Demo Avenue,,,,\n"
    );
    let file: Vec<u8> = file.chars().map(|character| u8::try_from(u32::from(character)).unwrap()).collect();
    let mappings = vec!["Home_Phone_Number_With_Area=phone".parse().unwrap()];
    let options = Options { mappings, ..Options::default() };
    let mut records = read(Path::new("clients.csv"), Content::of_bytes(file), &options).unwrap();
    let mut printed = Vec::new();
    let mut report = TextReport::to(&mut printed, Path::new("clients.csv"), all, width);
    report.begin(&records);
    let mut check = Check::default();
    while let Some(record) = records.next() {
        let record = record.unwrap();
        let judged = check.judge(&record);
        judged.findings.iter().for_each(|finding| report.finding(finding, &record, records.mapping()));
    }
    report.end(&records, &check, None);
    anstream::adapter::strip_str(&String::from_utf8(printed).unwrap()).to_string()
}

#[test]
fn no_line_is_wider_than_80_columns_and_no_word_is_broken() {
    for all in [false, true] {
        let wide = report(None, all);
        let narrow = report(Some(80), all);
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&narrow), words(&wide), "every word is there as it is");
        for line in narrow.lines() {
            // One word that is longer than the terminal cannot be helped.
            let is_one_word = line.split_whitespace().count() == 1;
            assert!(line.chars().count() <= 80 || is_one_word, "{line:?} in\n{narrow}");
        }
    }
}
