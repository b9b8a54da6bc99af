//! Words for people of a law firm: fields have labels, and sentences name fields by them.

use matterbook_core::normalize::Field;
use matterbook_import::mapping::{ListKind, Target};

/// What a field is called in a list of fields.
pub(crate) const fn label(target: Target) -> &'static str {
    match target {
        Target::Field(field) => match field {
            Field::ExternalId => "Your system's number",
            Field::FirstName => "First name",
            Field::LastName => "Last name",
            Field::AddressLine1 => "Address",
            Field::AddressLine2 => "Address, line 2",
            Field::City => "City",
            Field::State => "State",
            Field::Zip => "ZIP",
            Field::Email => "E-mail",
            Field::Phone => "Phone",
            Field::CaseType => "Case type",
            Field::OpenedOn => "Opened on",
            Field::SettledOn => "Settled on",
            Field::DoNotMail => "No letters",
        },
        Target::NewSettlement => "Begins a new settlement (yes or no)",
        Target::LastCommaFirst => "Whole name, written Last, First",
        Target::FirstLast => "Whole name, written First Last",
        Target::CityStateZip => "City, state and ZIP together",
        Target::WholeAddress => "Whole address together",
        Target::Prospect(field) => field.name(),
    }
}

/// All uses of a column that a person can choose, each with its name, its label and whether columns can be joined to it.
pub(crate) fn choices() -> impl Iterator<Item = (&'static str, &'static str, bool)> {
    Target::all(ListKind::Clients).map(|target| (target.name(), label(target), target.can_be_joined()))
}

/// A sentence of the command line for a page that has no flags.
pub(crate) fn without_flags(text: &str) -> String {
    if !text.contains(" --") {
        return plain(text);
    }
    let mut kept: Vec<&str> = text.split_inclusive(". ").filter(|sentence| !sentence.contains(" --")).collect();
    if text.contains("--map") {
        kept.push(
            "Give the columns headers such as First Name, Last Name, Address and Zip, and choose the file again. ",
        );
    }
    if text.contains("--sheet") {
        kept.push("If the clients are on another sheet, move that sheet to the front and save the file.");
    }
    plain(kept.concat().trim())
}

/// Phrases before single words: the API's sentences speak of a number as a field.
const PHRASES: [(&str, &str); 5] = [
    ("another external_id", "another number of your system"),
    ("that external_id", "that number of your system"),
    ("the external_id", "the number of your system"),
    ("with external_id", "with the number"),
    ("by external_id", "by the number of your system"),
];

/// A sentence of the API or the command line for people: fields by their labels. Quoted text stays as it is.
pub(crate) fn plain(sentence: &str) -> String {
    let mut plain = String::with_capacity(sentence.len());
    for (place, part) in sentence.split('"').enumerate() {
        if place > 0 {
            plain.push('"');
        }
        if place % 2 == 0 { plain_part(part, &mut plain) } else { plain.push_str(part) }
    }
    let mut characters = plain.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => plain,
    }
}

fn plain_part(part: &str, plain: &mut String) {
    let mut part = part.to_owned();
    for (phrase, words) in PHRASES {
        part = part.replace(phrase, words);
    }
    let is_of_name = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let mut rest = part.as_str();
    while let Some(start) = rest.find(is_of_name) {
        let (before, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|character| !is_of_name(character)).unwrap_or(from.len()));
        plain.push_str(before);
        match Target::from_name(word).filter(|target| Target::all(ListKind::Clients).any(|known| known == *target)) {
            Some(target @ Target::Field(field)) if field != Field::Zip => plain.push_str(&label(target).to_lowercase()),
            Some(target) => plain.push_str(label(target)),
            None => plain.push_str(word),
        }
        rest = after;
    }
    plain.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_name_fields_by_their_labels() {
        for (sentence, expected) in [
            ("zip must have 5 or 9 digits, but has 3.", "ZIP must have 5 or 9 digits, but has 3."),
            ("external_id was cut by the spreadsheet.", "Your system's number was cut by the spreadsheet."),
            (
                "A client of the same name, with external_id \"M-1\", cannot be told apart. Send address_line1 and zip, \
                 or that external_id if it is the same person.",
                "A client of the same name, with the number \"M-1\", cannot be told apart. Send address and ZIP, or that \
                 number of your system if it is the same person.",
            ),
            ("The values \"zip\" and ziphead stay.", "The values \"zip\" and ziphead stay."),
            ("", ""),
        ] {
            assert_eq!(plain(sentence), expected);
        }
    }

    #[test]
    fn no_field_is_shown_by_its_name_in_programs() {
        for (name, label, _) in choices() {
            assert!(!label.contains('_') && label != name, "{name}");
        }
    }
}
