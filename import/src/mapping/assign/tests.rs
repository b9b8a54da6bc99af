use super::*;

/// The columns of a header row with their use: `field`, `+field` for a fallback, `(field)` for a column
/// that lost to a better one, `?` if unknown, `-` if left out.
fn shown(headers: &str, said: &[&str]) -> Result<String, String> {
    let said: Vec<HeaderMapping> = said.iter().map(|text| text.parse().unwrap()).collect();
    let mapping = Mapping::new(headers.split('|'), &said).map_err(|error| error.to_string())?;
    let uses = mapping.columns().iter().map(|column| match &column.used_as {
        Use::Target(target) => target.name().to_owned(),
        Use::Fallback(target, _) => format!("+{}", target.name()),
        Use::Beaten(target, _) => format!("({})", target.name()),
        Use::Joined(target, _) => format!("&{}", target.name()),
        Use::Known(_) => "known".to_owned(),
        Use::LeftOut => "-".to_owned(),
        Use::Unknown => "?".to_owned(),
    });
    Ok(uses.collect::<Vec<_>>().join("|"))
}

fn check(headers: &str, expected: &str) {
    assert_eq!(shown(headers, &[]).as_deref(), Ok(expected), "{headers}");
}

#[test]
fn real_header_rows_are_mapped() {
    check(
        "first_name|last_name|company_name|address|city|county|state|zip|phone1|phone2|email|web",
        "first_name|last_name|?|address_line1|city|?|state|zip|phone|+phone|email|?",
    );
    check(
        "Contact ID|First Name|Last Name|Mailing Street|Mailing City|Mailing State/Province|Mailing Zip/Postal Code|\
         Mailing Country|Other Street|Other City|Phone|Mobile|Fax|Email|Do Not Call|Birthdate",
        "external_id|first_name|last_name|address_line1|city|state|zip|?|?|?|phone|+phone|known|email|?|known",
    );
    check(
        "Matter ID|Client ID|Client Name|Practice Area|Open Date|Close Date|DOI",
        "(external_id)|external_id|known|case_type|opened_on|known|known",
    );
    check(
        "Given Name|Family Name|E-mail Address|Mobile Phone|Home Phone|Home Street|Home City|Home State|\
         Home Postal Code|Business Street|Business Phone",
        "first_name|last_name|email|phone|+phone|address_line1|city|state|zip|known|+phone",
    );
    check(
        "FNAME|LNAME|ADDR1|ADDR2|CITY|ST|ZIP|PHONE #|DNM",
        "first_name|last_name|address_line1|address_line2|city|state|zip|phone|do_not_mail",
    );
    check(
        "Case No|Surname|Forename|Settlement Date|Apt #",
        "external_id|last_name|first_name|settled_on|address_line2",
    );
    check(
        "id|external_id|first_name|last_name|created_at|updated_at|do_not_mail|settled_on",
        "(external_id)|external_id|first_name|last_name|?|?|do_not_mail|settled_on",
    );
}

#[test]
fn the_layouts_of_case_systems_are_mapped() {
    // Clio, Google Contacts, MyCase, Filevine, Litify, SmartAdvocate, Lead Docket.
    check(
        "first_name|middle_name|last_name|company|business_street|business_city|business_state|business_postal_code|\
         business_country|business_phone|mobile_phone|email_address",
        "first_name|known|last_name|?|address_line1|city|state|zip|?|+phone|phone|email",
    );
    check(
        "First Name|Middle Name|Last Name|Organization Name|Notes|Labels|E-mail 1 - Label|E-mail 1 - Value|\
         Phone 1 - Label|Phone 1 - Value|Address 1 - Label|Address 1 - Formatted|Address 1 - Street|Address 1 - City|\
         Address 1 - PO Box|Address 1 - Region|Address 1 - Postal Code|Address 1 - Country|\
         Address 1 - Extended Address",
        "first_name|known|last_name|?|?|?|?|email|?|phone|?|known|address_line1|city|?|state|zip|?|address_line2",
    );
    check(
        "First Name|Last Name|Home Street|Home Street 2|Home City|Home State|Home Postal Code|Home Country/Region|\
         Work Phone|Mobile Phone|E-mail Address|Birthday|:id|Cases",
        "first_name|last_name|address_line1|address_line2|city|state|zip|?|+phone|phone|email|known|external_id|?",
    );
    check(
        "Project ID|Client First Name|Client Last Name|Client Address Line 1|Client Address City|\
         Client Address State|Client Address Postal Code|Incident Date|Phase",
        "external_id|first_name|last_name|address_line1|city|state|zip|known|?",
    );
    check(
        "litify_pm__First_Name__c|litify_pm__Last_Name__c|PersonMailingStreet|PersonMailingCity|PersonMailingState|\
         PersonMailingPostalCode|PersonMobilePhone|PersonEmail|litify_pm__Open_Date__c",
        "first_name|last_name|address_line1|city|state|zip|phone|email|opened_on",
    );
    check(
        "Case Number|Plaintiff First Name|Plaintiff Last Name|Plaintiff Address 1|Plaintiff City|Plaintiff State|\
         Plaintiff Zip|Plaintiff Cell|Case Type|Date of Incident|Case Status",
        "external_id|first_name|last_name|address_line1|city|state|zip|phone|case_type|known|?",
    );
    check(
        "Lead ID|First Name|Last Name|Mobile Phone|Home Phone|Email|Address1|Address2|City|State|Zip|Case Type|\
         Incident Date|Status|Sub Status",
        "external_id|first_name|last_name|phone|+phone|email|address_line1|address_line2|city|state|zip|case_type|\
         known|?|?",
    );
}

#[test]
fn one_address_is_used_and_not_parts_of_two() {
    check(
        "Address|City|Zip|Mailing Address|Mailing City|Mailing Zip",
        "(address_line1)|(city)|(zip)|address_line1|city|zip",
    );
    check("Address|City|State|Zip|Mailing Address", "address_line1|city|state|zip|(address_line1)");
    check("Mailing Address|City|State|Zip", "address_line1|city|state|zip");
    check("Home Address|Home City|Billing City|Billing Zip", "address_line1|city|known|known");
    check(
        "Address|City|Billing City|Billing Zip|Home Zip|Home City|Home State",
        "address_line1|(city)|known|known|zip|city|state",
    );
}

#[test]
fn headers_may_be_empty_or_come_twice() {
    check("Last Name||Phone|Phone|Zip|Zip", "last_name|?|phone|+phone|zip|(zip)");
    assert_eq!(shown("Last Name||Zip", &["column 2=city"]).as_deref(), Ok("last_name|city|zip"));
}

#[test]
fn what_a_person_says_comes_first() {
    assert_eq!(shown("Zip|ZC|City", &["zc=zip"]).as_deref(), Ok("(zip)|zip|city"));
    assert_eq!(shown("Zip|City", &["Zip="]).as_deref(), Ok("-|city"));
    assert_eq!(shown("DOI|Last", &["DOI=opened_on"]).as_deref(), Ok("opened_on|last_name"));
    assert_eq!(shown("A|B|Phone", &["B=phone", "A=phone"]).as_deref(), Ok("+phone|phone|(phone)"));
    assert_eq!(
        shown("Name|First Name|Zip", &["Name=last_comma_first"]).as_deref(),
        Ok("last_comma_first|(first_name)|zip")
    );
}

#[test]
fn columns_are_joined_unless_their_header_has_the_sign_itself() {
    assert_eq!(
        shown("Address|Street|House No|Zip", &["House No + Street=address_line1"]).as_deref(),
        Ok("(address_line1)|&address_line1|&address_line1|zip")
    );
    let said = ["House No + Street=address_line1".parse().unwrap()];
    let mapping = Mapping::new(["Street", "House No"].into_iter(), &said).unwrap();
    assert_eq!(mapping.sources(), [(Target::Field(Field::AddressLine1), vec![1, 0])]);
    assert_eq!(
        shown("House No + Street|Zip", &["House No + Street=address_line1"]).as_deref(),
        Ok("address_line1|zip")
    );
}

#[test]
fn what_is_split_takes_the_place_of_its_parts() {
    assert_eq!(
        shown("Client Name|Street|CSZ|Zip", &["Client Name=first_last", "CSZ=city_state_zip"]).as_deref(),
        Ok("first_last|address_line1|city_state_zip|(zip)")
    );
    assert_eq!(
        shown("Full Address|City|Zip|Last", &["Full Address=whole_address"]).as_deref(),
        Ok("whole_address|(city)|(zip)|last_name")
    );
}

#[test]
fn what_cannot_be_done_is_told_with_what_there_is() {
    assert_eq!(
        shown("Zip|City", &["Postal=zip"]),
        Err("The file has no column \"Postal\"; its columns are Zip and City.".to_owned())
    );
    assert_eq!(
        shown("Name|Last", &["Name=last_comma_first", "Last=last_name"]),
        Err("last_comma_first gives first_name and last_name: map no other column to these.".to_owned())
    );
    assert_eq!(
        shown("Address|Zip", &["Address=whole_address", "Zip=city_state_zip"]),
        Err("whole_address gives address_line1, address_line2, city, state and zip: map no other column to these."
            .to_owned())
    );
    assert_eq!(
        shown("No|Street", &["No + Lane=address_line1"]),
        Err("The file has no column \"Lane\"; its columns are No and Street.".to_owned())
    );
    assert_eq!(
        shown("Day|Year", &["Day + Year=settled_on"]),
        Err("settled_on takes one column: columns cannot be joined to it.".to_owned())
    );
    assert_eq!(
        shown("No|Street|Lane", &["No + Street=address_line1", "Lane=address_line1"]),
        Err("address_line1 has joined columns: map no other column to it.".to_owned())
    );
    assert_eq!(
        shown("No|Street", &["No + Street="]),
        Err("Columns that are left out are not joined: write a --map for each.".to_owned())
    );
}

#[test]
fn a_column_that_is_met_late_takes_its_place() {
    let mut mapping = Mapping::new(["Home Phone"].into_iter(), &[]).unwrap();
    assert_eq!(mapping.add("Mobile"), 1);
    assert_eq!(mapping.sources(), [(Target::Field(Field::Phone), vec![1, 0])]);
}
