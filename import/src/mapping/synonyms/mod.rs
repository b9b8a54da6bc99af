//! The names that exports use for the fields of a client and of a prospect.
//!
//! Those of a client, and how headers are compared, are in `matterbook_rules::columns`. Tables are in the order of
//! preference: of several columns for a field, the one whose name comes first is used.

mod crash;
mod known;

pub(super) use matterbook_core::columns::{AddressKind, key};

use matterbook_core::columns::{ColumnField, named, named_of_address, own_name, person_prefixes};

use super::{ListKind, Target, target::is_of};

/// The meaning of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A field; a lower rank is better.
    Target(Target, Rank),
    /// Known, with the reason why it is used only on request.
    Known(&'static str),
    /// Not known.
    Unknown,
}

/// How well a name fits its field: the address that it belongs to, and its index in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    /// The kind of address, for a part of one.
    pub(super) address: Option<AddressKind>,
    pub(super) place: usize,
}

/// Whether a header is a field or another name known from exports.
pub(crate) fn is_recognized(kind: ListKind, header: &str) -> bool {
    meaning(kind, header) != Meaning::Unknown
}

/// The meaning of a header in such a file.
pub(super) fn meaning(kind: ListKind, header: &str) -> Meaning {
    let whole = key(own_name(header));
    if whole == "newsettlement" && kind == ListKind::Clients {
        return Meaning::Target(Target::NewSettlement, Rank { address: None, place: 0 });
    }
    let without = |prefix: &str| meaning_of(kind, whole.strip_prefix(prefix)?);
    // The whole header is tried first: `Client ID` is an id, `Contact Number` a phone.
    meaning_of(kind, &whole)
        .or_else(|| match kind {
            ListKind::Clients => person_prefixes().find_map(without),
            ListKind::Prospects => CRASH_PREFIXES.into_iter().find_map(without),
        })
        .unwrap_or(Meaning::Unknown)
}

/// Prefixes that mean the person in the crash.
const CRASH_PREFIXES: [&str; 6] = ["person", "occupant", "participant", "party", "individual", "victim"];

fn meaning_of(kind: ListKind, key: &str) -> Option<Meaning> {
    if let Some(meaning) = (kind == ListKind::Prospects).then(|| of_crash(key)).flatten() {
        return Some(meaning);
    }
    let target = |found: ColumnField| {
        Meaning::Target(Target::Field(found.field), Rank { address: found.address, place: found.rank })
    };
    let is_of_kind = |found: &ColumnField| is_of(kind, found.field);
    if let Some(found) = named(key).filter(is_of_kind) {
        return Some(target(found));
    }
    if let Some((_, reason)) = known::KNOWN.iter().find(|(names, _)| names.contains(&key)) {
        return Some(Meaning::Known(reason));
    }
    named_of_address(key).filter(is_of_kind).map(target)
}

/// A field that only prospects have, or a column of crash reports that is not used.
fn of_crash(key: &str) -> Option<Meaning> {
    let place = |names: &[&str]| names.iter().position(|name| *name == key);
    let known = || crash::KNOWN.iter().find(|(names, _)| names.contains(&key)).map(|(_, why)| Meaning::Known(why));
    let target = |field, place| Meaning::Target(Target::Prospect(field), Rank { address: None, place });
    crash::NAMES.iter().find_map(|(field, names)| Some(target(*field, place(names)?))).or_else(known)
}

#[cfg(test)]
mod tests {
    use matterbook_core::{columns::names_of, normalize::Field};

    use super::{super::ProspectField, *};

    fn meaning(header: &str) -> Meaning {
        super::meaning(ListKind::Clients, header)
    }

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
    fn every_field_of_a_prospect_is_known_by_its_own_name() {
        for target in Target::all(ListKind::Prospects).filter(|target| target.parts().is_empty()) {
            let found = super::meaning(ListKind::Prospects, target.name());
            assert!(matches!(found, Meaning::Target(found, _) if found == target), "{target:?} {found:?}");
        }
        assert!(ProspectField::ALL.iter().all(|field| crash::NAMES.iter().any(|(known, _)| known == field)));
        let client_only = ["external_id", "settled_on", "do_not_mail", "new_settlement", "Case Type"];
        for header in client_only {
            let found = super::meaning(ListKind::Prospects, header);
            assert!(
                !matches!(found, Meaning::Target(Target::Field(_) | Target::NewSettlement, _)),
                "{header} {found:?}"
            );
        }
    }

    #[test]
    fn no_name_of_a_crash_report_stands_for_two_things() {
        let of_fields = crash::NAMES.iter().flat_map(|(_, names)| names.iter());
        let mut names: Vec<&&str> = of_fields.chain(crash::KNOWN.iter().flat_map(|(names, _)| names.iter())).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(names.iter().all(|name| key(name) == ***name));
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
        for target in Target::all(ListKind::Clients).filter(|target| target.parts().is_empty()) {
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
        let fields = Field::ALL.into_iter().flat_map(|field| names_of(field).iter());
        let mut names: Vec<&&str> = fields.chain(known::KNOWN.iter().flat_map(|(names, _)| names.iter())).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(names.iter().all(|name| key(name) == ***name));
    }
}
