//! Assigns a use to each column by its header.

use matterbook_core::normalize::Field;

use super::{
    HeaderMapping, ListKind, MapError, ProspectField, Target,
    explicit::listed,
    synonyms::{AddressKind, Meaning, Rank, key, meaning},
};

/// What one column is used as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Use {
    /// It is used as this target.
    Target(Target),
    /// It is used as this target where the columns with these headers are empty.
    Fallback(Target, Vec<String>),
    /// It fits this target, but the column with that header fits better.
    Beaten(Target, String),
    /// It is joined with the columns of these headers to this target, in the order of `--map`.
    Joined(Target, Vec<String>),
    /// It is recognized but not used, for this reason.
    Known(&'static str),
    /// `--map "Header="` leaves it out.
    LeftOut,
    /// It is not recognized.
    Unknown,
}

/// A column of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The trimmed header; `column 3` if it is empty.
    pub header: String,
    /// What it is used as.
    pub used_as: Use,
}

/// The columns of a file and what they are used as.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mapping {
    kind: ListKind,
    /// The state of crashes whose rows have none.
    crash_state: Option<String>,
    columns: Vec<Column>,
    /// The columns of each target, best first; those of a joined target in the order of `--map`.
    sources: Vec<(Target, Vec<usize>)>,
    /// The targets whose columns are joined.
    joined: Vec<Target>,
    /// The `--map` arguments, for columns that are found later.
    explicit: Vec<HeaderMapping>,
}

/// How many recognized columns of one field are used.
const FALLBACKS: usize = 20;

/// How a column candidates a target: by `--map` or by its header; a lower candidate wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Candidate {
    Said(usize),
    Found(Rank),
}

impl Mapping {
    /// Assigns the columns with these headers to the fields of a client.
    ///
    /// # Errors
    /// As for [`Mapping::of`].
    pub fn new<'h>(headers: impl Iterator<Item = &'h str>, explicit: &[HeaderMapping]) -> Result<Self, MapError> {
        Self::of(ListKind::Clients, headers, explicit)
    }

    /// Assigns the columns with these headers.
    ///
    /// # Errors
    /// A sentence when `--map` names a missing header, or two targets that exclude each other.
    pub fn of<'h>(
        kind: ListKind,
        headers: impl Iterator<Item = &'h str>,
        explicit: &[HeaderMapping],
    ) -> Result<Self, MapError> {
        let headers: Vec<String> = (1_usize..).zip(headers).map(|(number, header)| named(header, number)).collect();
        check_headers(&headers, explicit)?;
        check_targets(&headers, explicit)?;
        let mut mapping = Self { kind, explicit: explicit.to_vec(), ..Self::default() };
        let unknown = |header| Column { header, used_as: Use::Unknown };
        mapping.columns = headers.into_iter().map(unknown).collect();
        mapping.assign();
        Ok(mapping)
    }

    /// This mapping, with a state for the crashes whose rows have none.
    #[must_use]
    pub(crate) fn with_crash_state(self, crash_state: Option<String>) -> Self {
        Self { crash_state, ..self }
    }

    /// The state of crashes whose rows have none.
    pub(crate) fn crash_state(&self) -> Option<&str> {
        self.crash_state.as_deref()
    }

    /// What the file lists.
    #[must_use]
    pub const fn kind(&self) -> ListKind {
        self.kind
    }

    /// Whether any column is used as this field of a prospect.
    pub(super) fn has(&self, field: ProspectField) -> bool {
        self.sources.iter().any(|(target, _)| *target == Target::Prospect(field))
    }

    /// The columns, in the order of the file.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The indexes of the columns of each target, best first.
    #[must_use]
    pub fn sources(&self) -> &[(Target, Vec<usize>)] {
        &self.sources
    }

    /// Whether any column is used.
    #[must_use]
    pub fn is_of_use(&self) -> bool {
        !self.sources.is_empty()
    }

    /// Whether any column is a part of a client's name.
    #[must_use]
    pub fn has_name(&self) -> bool {
        self.fills(Field::FirstName) || self.fills(Field::LastName)
    }

    /// Whether any column gives a value to this field.
    #[must_use]
    pub fn fills(&self, field: Field) -> bool {
        self.sources.iter().any(|(target, _)| target.fills(field))
    }

    /// Whether the columns of this target are joined, instead of using the first that is not empty.
    #[must_use]
    pub fn is_joined(&self, target: Target) -> bool {
        self.joined.contains(&target)
    }

    /// The indexes of the columns with this header, apart from letter case and punctuation.
    pub(crate) fn places(&self, header: &str) -> Vec<usize> {
        let columns = self.columns.iter().enumerate();
        columns.filter(|(_, column)| is_meant(&column.header, header)).map(|(place, _)| place).collect()
    }

    /// Adds a column that appears late, as in a file of objects; returns its index.
    pub fn add(&mut self, header: &str) -> usize {
        let place = self.columns.len();
        self.columns.push(Column { header: named(header, place + 1), used_as: Use::Unknown });
        self.assign();
        place
    }

    fn assign(&mut self) {
        let (home, other) = self.addresses();
        let mut candidates: Vec<(Target, Candidate, usize)> = Vec::new();
        let said = resolved(self.columns.iter().map(|column| column.header.as_str()), &self.explicit);
        for (place, column) in self.columns.iter_mut().enumerate() {
            let said = said.iter().find(|said| is_meant(&column.header, &said.header));
            column.used_as = match said.map(|said| (said.place, said.target)) {
                Some((_, None)) => Use::LeftOut,
                Some((said, Some(target))) => {
                    candidates.push((target, Candidate::Said(said), place));
                    Use::Target(target)
                }
                None => match meaning(self.kind, &column.header) {
                    Meaning::Known(reason) => Use::Known(reason),
                    Meaning::Unknown => Use::Unknown,
                    Meaning::Target(target, rank) => {
                        if rank
                            .address
                            .is_some_and(|kind| ![home, other, Some(AddressKind::Plain)].contains(&Some(kind)))
                        {
                            column.used_as = Use::Known("part of another address than the one that is used");
                            continue;
                        }
                        // The address with the most parts in the file comes before any other.
                        let address = rank.address.filter(|address| Some(*address) != home);
                        candidates.push((target, Candidate::Found(Rank { address, ..rank }), place));
                        Use::Target(target)
                    }
                },
            };
        }
        self.share_out(candidates, &said);
        self.join(&said);
    }

    /// Marks the targets whose columns are joined.
    fn join(&mut self, said: &[Said]) {
        self.joined = said.iter().filter(|said| said.is_joined).filter_map(|said| said.target).collect();
        for (target, places) in self.sources.iter().filter(|(target, _)| self.joined.contains(target)) {
            let headers: Vec<String> =
                places.iter().filter_map(|place| Some(self.columns.get(*place)?.header.clone())).collect();
            for place in places {
                if let Some(column) = self.columns.get_mut(*place) {
                    let others = headers.iter().filter(|header| **header != column.header).cloned().collect();
                    column.used_as = Use::Joined(*target, others);
                }
            }
        }
    }

    fn share_out(&mut self, mut candidates: Vec<(Target, Candidate, usize)>, said: &[Said]) {
        // Targets that are split come first, because they fill several fields.
        candidates.sort_by_key(|(target, candidate, place)| (target.parts().is_empty(), *target, *candidate, *place));
        let split: Vec<Target> =
            candidates.iter().map(|(target, ..)| *target).filter(|target| !target.parts().is_empty()).collect();
        self.sources.clear();
        for (target, candidate, place) in candidates {
            let filling = |split: &&Target| matches!(target, Target::Field(field) if split.fills(field));
            let winner = split.iter().find(filling).copied().unwrap_or(target);
            let first = self.sources.iter().find(|(taken, _)| *taken == winner).and_then(|(_, places)| places.first());
            // A column of `--map` excludes columns that were only recognized.
            let is_said = |place: usize| {
                self.columns
                    .get(place)
                    .is_some_and(|column| said.iter().any(|said| is_meant(&column.header, &said.header)))
            };
            let header = |place: &usize| Some(self.columns.get(*place)?.header.clone());
            let better = self.sources.iter().find(|(taken, _)| *taken == winner).map(|(_, places)| places.as_slice());
            let better: Vec<String> = better.unwrap_or_default().iter().filter_map(header).collect();
            let joins = match (first, candidate) {
                (None, _) => true,
                (Some(_), Candidate::Said(_)) => true,
                (Some(first), Candidate::Found(_)) => {
                    target.takes_several() && !is_said(*first) && better.len() < FALLBACKS
                }
            };
            let used_as = match (joins, better.first()) {
                (true, None) => Use::Target(target),
                (true, Some(_)) => Use::Fallback(target, better),
                (false, first) => Use::Beaten(target, first.cloned().unwrap_or_default()),
            };
            if joins {
                match self.sources.iter_mut().find(|(taken, _)| *taken == target) {
                    Some((_, places)) => places.push(place),
                    None => self.sources.push((target, vec![place])),
                }
            }
            if let Some(column) = self.columns.get_mut(place) {
                column.used_as = used_as;
            }
        }
    }

    /// The address with the most parts in the file, and the one that may complete it (other than a plain
    /// `City`).
    fn addresses(&self) -> (Option<AddressKind>, Option<AddressKind>) {
        let mut parts: Vec<(AddressKind, Target)> = self
            .columns
            .iter()
            .filter_map(|column| match meaning(self.kind, &column.header) {
                Meaning::Target(target, Rank { address: Some(kind), .. }) => Some((kind, target)),
                _ => None,
            })
            .collect();
        parts.sort();
        parts.dedup();
        let count = |kind: &AddressKind| parts.iter().filter(|(of, _)| of == kind).count();
        // On a tie `max_by_key` takes the last, so the order is from worst to best.
        let kinds = || parts.iter().rev().map(|(kind, _)| *kind);
        let home = kinds().max_by_key(count);
        let other = match home {
            Some(AddressKind::Plain) => kinds().filter(|kind| *kind != AddressKind::Plain).max_by_key(count),
            _ => None,
        };
        (home, other)
    }
}

/// One header of a `--map`.
struct Said {
    header: String,
    target: Option<Target>,
    /// Its place among all headers of all `--map`.
    place: usize,
    is_joined: bool,
}

/// The headers of each `--map`. A ` + ` joins headers, unless it is a part of a column's own header.
fn resolved<'h>(headers: impl Iterator<Item = &'h str> + Clone, explicit: &[HeaderMapping]) -> Vec<Said> {
    let mut resolved = Vec::new();
    for said in explicit {
        let is_whole = headers.clone().any(|header| is_meant(header, &said.header));
        let names: Vec<&str> = if is_whole { vec![&said.header] } else { said.headers().collect() };
        let is_there = |name: &&str| headers.clone().any(|header| is_meant(header, name));
        if said.is_optional && !names.iter().all(is_there) {
            continue;
        }
        let is_joined = names.len() > 1;
        for name in names {
            let place = resolved.len();
            resolved.push(Said { header: name.to_owned(), target: said.target, place, is_joined });
        }
    }
    resolved
}

fn check_headers(headers: &[String], explicit: &[HeaderMapping]) -> Result<(), MapError> {
    for said in resolved(headers.iter().map(String::as_str), explicit) {
        if !headers.iter().any(|header| is_meant(header, &said.header)) {
            let headers = listed(headers.iter().map(String::as_str));
            return Err(MapError(format!("The file has no column \"{}\"; its columns are {headers}.", said.header)));
        }
    }
    Ok(())
}

/// Refuses targets that exclude each other: a field has one source.
fn check_targets(headers: &[String], explicit: &[HeaderMapping]) -> Result<(), MapError> {
    let asked = || explicit.iter().filter_map(|said| said.target);
    for target in asked().filter(|target| !target.parts().is_empty()) {
        let is_other = |other: &Target| *other != target && target.parts().iter().any(|field| other.fills(*field));
        if asked().any(|other| is_other(&other)) {
            let fields = listed(target.parts().iter().map(|field| field.name()));
            return Err(MapError(format!("{} gives {fields}: map no other column to these.", target.name())));
        }
    }
    for said in resolved(headers.iter().map(String::as_str), explicit).iter().filter(|said| said.is_joined) {
        let Some(target) = said.target else {
            return Err(MapError("Columns that are left out are not joined: write a --map for each.".to_owned()));
        };
        if !target.can_be_joined() {
            return Err(MapError(format!("{} takes one column: columns cannot be joined to it.", target.name())));
        }
        if asked().filter(|other| *other == target).count() > 1 {
            return Err(MapError(format!("{} has joined columns: map no other column to it.", target.name())));
        }
    }
    Ok(())
}

/// A header for display; a column without one is named by its number.
fn named(header: &str, number: usize) -> String {
    match matterbook_core::normalize::trim(header) {
        "" => format!("column {number}"),
        header => header.to_owned(),
    }
}

/// Whether `said` names this header: exactly, or apart from letter case and punctuation.
pub(super) fn is_meant(header: &str, said: &str) -> bool {
    header == said || (!key(said).is_empty() && key(header) == key(said))
}

#[cfg(test)]
mod tests {
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
}
