//! The names that exports use for the fields of a client.
//!
//! A header is compared by its key: its letters and digits in lower case, `#` as `number`. So
//! `First Name`, `first_name`, `FirstName` and `FIRST-NAME` are one. Tables are in the order of
//! preference: where a file has several columns for a field, the one whose name comes first is best.

use matterbook_core::normalize::Field;

use super::Target;

/// What a header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// It is this field; a lower rank is better.
    Target(Target, Rank),
    /// It is known what it is, and why it is not used unless asked for.
    Known(&'static str),
    /// Nothing that is known.
    Unknown,
}

/// How good a name is for its field: which address it is part of, and its place in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    /// Of a part of an address, where the file may have several.
    pub(super) address: Option<AddressKind>,
    pub(super) place: usize,
}

/// Which of a person's addresses a column belongs to; letters go to the first of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum AddressKind {
    Mailing,
    Plain,
    Home,
    Physical,
    Billing,
}

/// Whether a header is the name of a field or of something else that is known in exports.
pub(crate) fn is_recognized(header: &str) -> bool {
    meaning(header) != Meaning::Unknown
}

/// What a header says.
pub(super) fn meaning(header: &str) -> Meaning {
    let whole = key(header);
    if whole == "newsettlement" {
        return Meaning::Target(Target::NewSettlement, Rank { address: None, place: 0 });
    }
    // The whole header first: `Client ID` is an id, `Contact Number` a phone.
    meaning_of(&whole)
        .or_else(|| PERSON_PREFIXES.iter().find_map(|prefix| meaning_of(whole.strip_prefix(prefix)?)))
        .unwrap_or(Meaning::Unknown)
}

/// The letters and digits of a header in lower case, `#` as `number`.
pub(super) fn key(header: &str) -> String {
    let mut key = String::with_capacity(header.len());
    for character in header.chars() {
        if character == '#' {
            key.push_str("number");
        } else if character.is_alphanumeric() {
            key.extend(character.to_lowercase());
        }
    }
    key
}

/// Whose field it is: the client's, in other words.
const PERSON_PREFIXES: [&str; 8] =
    ["primarycontact", "client", "contact", "customer", "plaintiff", "claimant", "person", "injuredparty"];

fn meaning_of(key: &str) -> Option<Meaning> {
    let target = |field, place, address| Meaning::Target(Target::Field(field), Rank { address, place });
    let find = |key: &str| {
        SYNONYMS.iter().find_map(|(field, names)| Some((*field, names.iter().position(|name| *name == key)?)))
    };
    if let Some((field, place)) = find(key) {
        return Some(target(field, place, is_of_address(field).then_some(AddressKind::Plain)));
    }
    if let Some((_, reason)) = KNOWN.iter().find(|(names, _)| names.contains(&key)) {
        return Some(Meaning::Known(reason));
    }
    ADDRESS_PREFIXES.iter().find_map(|(prefix, kind)| {
        let rest = key.strip_prefix(prefix)?;
        // `Mailing Address Street` has a second one.
        let rest = rest.strip_prefix("address").filter(|rest| find(rest).is_some()).unwrap_or(rest);
        let (field, place) = find(rest)?;
        is_of_address(field).then(|| target(field, place, Some(*kind)))
    })
}

pub(super) const fn is_of_address(field: Field) -> bool {
    matches!(field, Field::AddressLine1 | Field::AddressLine2 | Field::City | Field::State | Field::Zip)
}

const ADDRESS_PREFIXES: [(&str, AddressKind); 10] = [
    ("mailing", AddressKind::Mailing),
    ("mail", AddressKind::Mailing),
    ("primary", AddressKind::Plain),
    ("current", AddressKind::Plain),
    ("address", AddressKind::Plain),
    ("home", AddressKind::Home),
    ("residential", AddressKind::Home),
    ("residence", AddressKind::Home),
    ("physical", AddressKind::Physical),
    ("billing", AddressKind::Billing),
];

const SYNONYMS: [(Field, &[&str]); 14] = [
    (Field::FirstName, &["firstname", "first", "fname", "givenname", "forename", "firstnm", "namefirst", "given"]),
    (Field::LastName, &["lastname", "last", "lname", "surname", "familyname", "lastnm", "namelast", "family"]),
    (
        Field::AddressLine1,
        &[
            "addressline1",
            "address1",
            "addr1",
            "addrline1",
            "streetaddress1",
            "streetaddress",
            "streetaddressline1",
            "street1",
            "streetline1",
            "street",
            "address",
            "addr",
            "line1",
        ],
    ),
    (
        Field::AddressLine2,
        &[
            "addressline2",
            "address2",
            "addr2",
            "addrline2",
            "streetaddress2",
            "streetaddressline2",
            "street2",
            "streetline2",
            "line2",
            "apt",
            "aptnumber",
            "aptno",
            "apartment",
            "apartmentnumber",
            "unit",
            "unitnumber",
            "unitno",
            "suite",
            "suitenumber",
            "ste",
            "aptunit",
            "unitapt",
            "aptsuite",
            "aptste",
            "aptsuiteunit",
            "aptunitsuite",
            "aptorunit",
        ],
    ),
    (Field::City, &["city", "town", "cityname", "citytown", "cityortown", "townorcity", "locality", "municipality"]),
    (
        Field::State,
        &[
            "state",
            "st",
            "stateprovince",
            "stateorprovince",
            "provincestate",
            "provincest",
            "stateprov",
            "province",
            "statecode",
            "stateabbr",
            "stateabbreviation",
            "stateregion",
            "usstate",
        ],
    ),
    (
        Field::Zip,
        &[
            "zip",
            "zipcode",
            "zippostalcode",
            "zipcodepostalcode",
            "zippostal",
            "postalcode",
            "postcode",
            "postalzip",
            "postalcodezip",
            "uszip",
            "zip5",
            "postal",
        ],
    ),
    (
        Field::Email,
        &[
            "email",
            "emailaddress",
            "primaryemail",
            "primaryemailaddress",
            "email1",
            "emailaddress1",
            "personalemail",
            "homeemail",
            "emailaddr",
            "workemail",
            "businessemail",
            "email2",
            "emailaddress2",
            "secondaryemail",
            "alternateemail",
            "otheremail",
        ],
    ),
    (
        Field::Phone,
        &[
            "phone",
            "phonenumber",
            "phoneno",
            "phonenum",
            "primaryphone",
            "primaryphonenumber",
            "mainphone",
            "phone1",
            "phonenumber1",
            "preferredphone",
            "contactnumber",
            "mobile",
            "mobilephone",
            "mobilephonenumber",
            "mobilenumber",
            "mobileno",
            "cell",
            "cellphone",
            "cellphonenumber",
            "cellnumber",
            "cellular",
            "phonemobile",
            "phonecell",
            "telephone",
            "telephonenumber",
            "telephoneno",
            "tel",
            "telno",
            "telnumber",
            "homephone",
            "homephonenumber",
            "phonehome",
            "hometelephone",
            "hometel",
            "dayphone",
            "daytimephone",
            "eveningphone",
            "phone2",
            "phonenumber2",
            "secondaryphone",
            "alternatephone",
            "altphone",
            "otherphone",
            "workphone",
            "workphonenumber",
            "phonework",
            "businessphone",
            "officephone",
        ],
    ),
    (
        Field::CaseType,
        &[
            "casetype",
            "typeofcase",
            "mattertype",
            "typeofmatter",
            "practicearea",
            "areaofpractice",
            "matterpracticearea",
            "casepracticearea",
            "areaoflaw",
            "casecategory",
            "mattercategory",
            "casekind",
            "kindofcase",
        ],
    ),
    (
        Field::OpenedOn,
        &[
            "openedon",
            "dateopened",
            "openeddate",
            "opendate",
            "dateopen",
            "opened",
            "caseopened",
            "caseopendate",
            "caseopeneddate",
            "datecaseopened",
            "caseopenedon",
            "matteropened",
            "matteropendate",
            "matteropeneddate",
            "datematteropened",
            "fileopened",
            "fileopendate",
            "fileopeneddate",
            "datefileopened",
            "dateretained",
            "retaineddate",
            "retainerdate",
            "datesigned",
            "signeddate",
            "signupdate",
            "engagementdate",
            "intakedate",
            "dateofintake",
            "casestartdate",
        ],
    ),
    (
        Field::SettledOn,
        &[
            "settledon",
            "datesettled",
            "settleddate",
            "settlementdate",
            "dateofsettlement",
            "settledate",
            "settled",
            "casesettled",
            "casesettledon",
            "casesettleddate",
            "datecasesettled",
            "dispositiondate",
            "dateofdisposition",
        ],
    ),
    (
        Field::ExternalId,
        &[
            "externalid",
            "clientid",
            "clientnumber",
            "clientno",
            "clientnum",
            "clientkey",
            "clientref",
            "contactid",
            "customerid",
            "customernumber",
            "personid",
            "recordid",
            "recordnumber",
            "recordno",
            "id",
            "uniqueid",
            "externalref",
            "externalreference",
            "matterid",
            "matternumber",
            "matterno",
            "matternum",
            "matterref",
            "caseid",
            "casenumber",
            "caseno",
            "casenum",
            "caseref",
            "casereference",
            "projectid",
            "fileid",
            "filenumber",
            "fileno",
            "filenum",
            "fileref",
        ],
    ),
    (
        Field::DoNotMail,
        &[
            "donotmail",
            "dnm",
            "nomail",
            "nomailings",
            "donotsendmail",
            "donotsendletters",
            "mailoptout",
            "optoutofmail",
            "optoutmail",
            "optout",
            "optedout",
            "suppressmail",
            "donotcontact",
        ],
    ),
];

/// Headers whose meaning is known, and why they are not taken by themselves.
const KNOWN: [(&[&str], &str); 10] = [
    (&["matterbookrow", "matterbookstatus", "matterbookreason"], "added by check or push"),
    (
        &[
            "doi",
            "dateofincident",
            "dateofinjury",
            "incidentdate",
            "injurydate",
            "dol",
            "dateofloss",
            "lossdate",
            "doa",
            "dateofaccident",
            "accidentdate",
            "crashdate",
        ],
        "the day of the incident, which is neither the day the case opened nor the day it settled",
    ),
    (
        &[
            "name",
            "fullname",
            "wholename",
            "displayname",
            "nameofclient",
            "clientname",
            "lastfirst",
            "lastnamefirstname",
        ],
        "whole names; where one ends and the other begins is not guessed (=last_comma_first takes \"Last, First\" apart)",
    ),
    (
        &["middlename", "middle", "mname", "middleinitial", "mi", "minitial"],
        "a middle name is part of first_name: put it into that column if people are told apart by it",
    ),
    (
        &["suffix", "namesuffix", "suffixname", "generation"],
        "a suffix is part of last_name: put \"Jr\" into that column, or father and son may be taken for one",
    ),
    (
        &["zip4", "plus4", "zipplus4", "zip9", "zipext", "zipextension"],
        "it may hold the last four digits only; =zip takes it as the whole ZIP",
    ),
    (
        &[
            "dateclosed",
            "closeddate",
            "closedate",
            "closed",
            "closedon",
            "caseclosed",
            "caseclosedate",
            "datecaseclosed",
        ],
        "a closed case need not have settled, and a settled date sends a letter",
    ),
    (
        &["mailok", "oktomail", "maymail", "mailable", "sendmail", "canmail", "optin", "optedin", "mailoptin"],
        "it says the opposite of do_not_mail",
    ),
    (&["dob", "dateofbirth", "birthdate", "birthday", "ssn", "socialsecuritynumber"], "not kept"),
    (&["fax", "faxnumber", "faxno", "homefax", "workfax", "businessfax"], "a fax is no phone"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(headers: &[&str], field: Field) {
        for header in headers {
            assert!(
                matches!(meaning(header), Meaning::Target(Target::Field(found), _) if found == field),
                "{header} is {:?}, not {field:?}",
                meaning(header)
            );
        }
    }

    #[test]
    fn letter_case_spaces_and_punctuation_do_not_matter() {
        check(
            &["first_name", "First Name", "FIRST-NAME", "firstName", " First  Name: ", "\"First.Name\""],
            Field::FirstName,
        );
    }

    #[test]
    fn the_names_of_exports_are_known() {
        check(&["client_first_name", "Given Name", "fname", "Contact First Name", "Plaintiff First"], Field::FirstName);
        check(&["Surname", "Last", "LName", "Client Last Name"], Field::LastName);
        check(
            &["Street", "Address", "Address 1", "Mailing Address", "Home Street", "Address - Street"],
            Field::AddressLine1,
        );
        check(&["Apt #", "Apt/Unit", "Unit No.", "Mailing Address Line 2", "Suite"], Field::AddressLine2);
        check(&["Town", "Mailing City", "Primary Address City"], Field::City);
        check(&["ST", "Province/ST", "Mailing State/Province", "State"], Field::State);
        check(&["Zip Code", "Postal Code", "client_zip", "Mailing Zip/Postal Code", "ZIP"], Field::Zip);
        check(&["E-mail", "Email Address", "Client E-Mail"], Field::Email);
        check(&["Phone #", "Mobile", "Cell", "Home Phone", "Tel.", "Contact Number"], Field::Phone);
        check(&["Matter Type", "Practice Area", "Case Type"], Field::CaseType);
        check(&["Date opened", "Open Date", "Intake Date", "Opened"], Field::OpenedOn);
        check(&["Settled", "Settlement Date", "Disposition date"], Field::SettledOn);
        check(&["Case No", "Matter ID", "Client ID", "File #", "Record ID", "ID", "Case Number"], Field::ExternalId);
        check(&["DNM", "Do Not Mail", "No Mail", "Opt out", "Do-Not-Mail?"], Field::DoNotMail);
    }

    #[test]
    fn every_field_is_known_by_its_own_name() {
        for target in Target::all().filter(|target| *target != Target::LastCommaFirst) {
            assert!(matches!(meaning(target.name()), Meaning::Target(found, _) if found == target), "{target:?}");
        }
    }

    #[test]
    fn what_only_looks_like_a_field_is_not_taken() {
        for header in
            ["DOI", "Date of Loss", "Name", "Client Name", "Date Closed", "OK to mail", "ZIP+4", "Zip 4", "Suffix"]
        {
            assert!(matches!(meaning(header), Meaning::Known(_)), "{header} is {:?}", meaning(header));
        }
        for header in [
            "",
            "#",
            "No.",
            "Attorney First Name",
            "Spouse Phone",
            "Insurance City",
            "Other Street",
            "Work Address",
            "Member ID",
            "Employer Zip",
            "Referred by",
            "Firstname2",
            "Statement",
            "Status",
            "Contact Type",
            "Country",
            "County",
        ] {
            assert_eq!(meaning(header), Meaning::Unknown, "{header}");
        }
    }

    #[test]
    fn no_name_stands_for_two_things() {
        let fields = SYNONYMS.iter().flat_map(|(_, names)| names.iter());
        let mut names: Vec<&&str> = fields.chain(KNOWN.iter().flat_map(|(names, _)| names.iter())).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(names.iter().all(|name| key(name) == ***name));
    }
}
