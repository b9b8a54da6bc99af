use super::*;

fn shown(target: Target, text: &str) -> Result<String, String> {
    let parts = split(target, text)?;
    Ok(parts.iter().map(|(_, part)| part.trim()).collect::<Vec<_>>().join("|"))
}

fn check(target: Target, expected: &[(&str, &str)]) {
    for (text, expected) in expected {
        assert_eq!(shown(target, text).as_deref(), Ok(*expected), "{text:?}");
    }
}

fn refused(target: Target, texts: &[&str], problem: &str) {
    for text in texts {
        assert_eq!(shown(target, text), Err(problem.to_owned()), "{text:?}");
    }
}

#[test]
fn a_name_of_two_words_is_a_first_and_a_last_name() {
    let target = Target::FirstLast;
    check(target, &[("Ana Specimenez", "Ana|Specimenez"), (" J.  O’Sample-Lee ", "J.|O’Sample-Lee")]);
    refused(
        target,
        &[
            "Ana",
            "Ana Maria Specimenez",
            "Specimenez, Ana",
            "De Souza",
            "Van Sample",
            "Sample J",
            "Case 12",
            "Ana (dec)",
        ],
        NO_NAME,
    );
    refused(target, &["John & Mary Sample", "John/Mary Sample", "John and Mary"], TWO_PEOPLE);
    refused(target, &["Sample LLC", "Sample Trust"], ORGANIZATION);
    refused(
        target,
        &["John Sample Jr."],
        "has \"Jr.\": write first and last name into columns of their own, \"Jr.\" with the last",
    );
    refused(target, &["Mr. Sample"], "has the title \"Mr.\": write the name without it");
}

#[test]
fn a_name_with_one_comma_is_split_there() {
    let target = Target::LastCommaFirst;
    check(target, &[("Sample Jr., Ana Maria", "Ana Maria|Sample Jr."), ("de la Sample, Ana V", "Ana V|de la Sample")]);
    refused(target, &["Ana Sample", "Sample, Ana, Jr", ""], NO_COMMA);
    refused(target, &["Sample, John & Mary", "Sample, John and Mary"], TWO_PEOPLE);
    refused(target, &["Sample, Inc."], ORGANIZATION);
    refused(
        target,
        &["Sample, John Jr"],
        "has \"Jr\" after the first name: write it after the last name, as in \"Lee Jr, Sam\"",
    );
}

#[test]
fn the_end_of_an_address_is_a_city_a_state_and_a_zip() {
    let target = Target::CityStateZip;
    check(
        target,
        &[
            ("Springfield, IL 62704", "Springfield|IL|62704"),
            ("Upper Darby, PA 19082", "Upper Darby|PA|19082"),
            ("St. Louis, Missouri, 63101-1234", "St. Louis|MO|63101-1234"),
            ("New York NY 10001", "New York|NY|10001"),
            ("Washington D.C. 20001", "Washington|DC|20001"),
        ],
    );
    refused(
        target,
        &[
            "Springfield, IL",
            "Springfield 62704",
            "Kansas City Missouri 64105",
            "IL 62704",
            "Springfield, IL 2704",
            "Apt 4, IL 62704",
            "12 Oak St, Springfield, IL 62704",
            "Georgetown, Washington 20001",
            "62704",
            "",
            "Springfield, Narnia 62704",
        ],
        NO_PLACE,
    );
}

#[test]
fn a_whole_address_is_split_where_each_part_is_sure() {
    let target = Target::WholeAddress;
    let short = "12 Oak St|Springfield|IL|62704";
    let long = "12 Oak St|Apt 4|Springfield|IL|62704";
    check(
        target,
        &[
            ("12 Oak St, Springfield, IL 62704", short),
            ("12 Oak St\nSpringfield, IL 62704\nUSA", short),
            ("12 Oak St, Springfield, IL, 62704", short),
            ("12 Oak St, Springfield IL 62704", short),
            ("12 Oak St, Springfield, Illinois 62704, U.S.A.", short),
            ("12 Oak St, Apt 4, Springfield, IL 62704", long),
            ("PO Box 7, New York, NY 10001-0007", "PO Box 7|New York|NY|10001-0007"),
            ("12 Oak St, #4, New York, New York 10001", "12 Oak St|#4|New York|NY|10001"),
        ],
    );
    refused(
        target,
        &[
            "12 Oak St Springfield, IL 62704",
            "12 Oak St Springfield IL 62704",
            "Springfield, IL 62704",
            "Ana Sample, 12 Oak St, Springfield, IL 62704",
            "12 Oak St, Oak Park, Springfield, IL 62704",
            "12 Oak St, Apt 4 Springfield IL 62704",
            "12 Oak St, New York 10001",
            "12 Oak St",
            "",
            "12 Oak St, Apt B, Washington 20001",
            "Apt 4, Springfield, IL 62704",
            "12 Oak St, Springfield, IL",
            "12 Oak St, Toronto, ON M5V 2T6",
        ],
        NO_ADDRESS,
    );
}
