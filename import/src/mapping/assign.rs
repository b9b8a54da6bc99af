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

impl Use {
    /// The target that the column is used as, alone or with others.
    #[must_use]
    pub const fn target(&self) -> Option<Target> {
        match self {
            Self::Target(target) | Self::Fallback(target, _) | Self::Joined(target, _) => Some(*target),
            Self::Beaten(..) | Self::Known(_) | Self::LeftOut | Self::Unknown => None,
        }
    }

    /// What people are told about it; empty if its target says all. Other headers are shown as `shown` gives them.
    #[must_use]
    pub fn note(&self, shown: impl Fn(&str) -> String) -> String {
        let list = |headers: &[String]| headers.iter().map(|header| shown(header)).collect::<Vec<_>>();
        match self {
            Self::Target(_) => String::new(),
            Self::Fallback(_, better) => where_empty(&list(better)),
            Self::Joined(_, others) => joined_with(&list(others)),
            Self::Beaten(target, better) => format!("{} is the column \"{}\"", target.name(), shown(better)),
            Self::Known(reason) => (*reason).to_owned(),
            Self::LeftOut => "left out, as asked".to_owned(),
            Self::Unknown => "not recognized".to_owned(),
        }
    }
}

/// The note on a column that is used only where the columns of these headers are empty.
#[must_use]
pub fn where_empty(better: &[String]) -> String {
    let are = if better.len() == 1 { "is" } else { "are" };
    format!("where {} {are} empty", listed(better.iter().map(String::as_str)))
}

/// The note on a column that is joined with the columns of these headers.
#[must_use]
pub fn joined_with(others: &[String]) -> String {
    format!("joined with {}", listed(others.iter().map(String::as_str)))
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
mod tests;
