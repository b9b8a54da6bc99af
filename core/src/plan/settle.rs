//! The effect of a settled date on a person's settlements (rules T1 to T6): it begins one, corrects the
//! last one, or does nothing.

use chrono::NaiveDate;
use uuid::Uuid;

use super::people::{Person, PersonSettlement};

/// Applies a settled date, if there is one. `id` is for a settlement that it may begin.
pub(super) fn settle(person: &mut Person<'_>, settled_on: Option<NaiveDate>, new_settlement: bool, id: Uuid) {
    let Some(date) = settled_on else { return };
    if person.fields.settled_on == Some(date) {
        return;
    }
    let begins = new_settlement || person.settlements.is_empty();
    // A late retry must not send a second letter, and a late sync must not undo a newer settlement.
    let has = |settlement: &PersonSettlement<'_>| {
        settlement.settled_on == date || begins && settlement.former_dates.contains(&date)
    };
    if person.settlements.iter().any(has) {
        return;
    }
    match person.settlements.last_mut() {
        Some(latest) if !begins => correct(latest, date),
        _ => person.settlements.push(PersonSettlement { id, before: None, settled_on: date, former_dates: Vec::new() }),
    }
    person.fields.to_mut().settled_on = Some(date);
}

fn correct(settlement: &mut PersonSettlement<'_>, date: NaiveDate) {
    if !settlement.former_dates.contains(&settlement.settled_on) {
        settlement.former_dates.push(settlement.settled_on);
    }
    settlement.settled_on = date;
}
