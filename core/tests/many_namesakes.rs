//! Thousands of clients of one name: what a batch and a list decide about them, without comparing each with each.

use matterbook_core::{
    client::{Client, ClientFields, ClientInput},
    id::IdMint,
    plan::{Batch, DuplicateFinder, Known, ListRow, Plan, UpsertResult},
    store::NAMESAKES_SHOWN,
    time::Timestamp,
};
use uuid::Uuid;

/// With each compared with each other, a test of this file takes minutes.
const NAMESAKES: usize = 40_000;

fn redacted(street: Option<usize>, external_id: Option<usize>) -> ClientFields {
    ClientFields {
        external_id: external_id.map(|number| format!("R-{number}").into()),
        last_name: Some("Redacted".into()),
        address_line1: street.map(|number| format!("{number} Elm St").into()),
        ..ClientFields::default()
    }
}

fn known(fields: impl Iterator<Item = ClientFields>) -> Vec<Client> {
    let at = |number: i64| Timestamp::from_micros(1_600_000_000_000_000 + number);
    let client = |(number, fields): (i64, ClientFields)| Client {
        id: Uuid::from_u128(1_000_000 - u128::from(number.unsigned_abs())),
        fields,
        created_at: at(number),
        updated_at: at(number),
    };
    (0..).zip(fields).map(client).collect()
}

fn decide(clients: &[Client], inputs: impl Iterator<Item = ClientFields>) -> Plan {
    let inputs = inputs.map(|fields| Ok(ClientInput { fields, new_settlement: None })).collect();
    let mint = IdMint::new(Timestamp::from_micros(1_700_000_000_000_000), [7; 10]);
    Batch::new(Uuid::nil(), inputs, mint, false).explained().decide(Known { clients, ..Known::default() })
}

/// The sentence of a conflict.
fn sentence(result: &UpsertResult) -> String {
    let UpsertResult::Conflict(conflict) = result else { panic!("{result:?}") };
    conflict.to_string()
}

#[test]
fn a_batch_without_zips_is_told_apart_by_street_from_many_of_one_name() {
    let clients = known((0..NAMESAKES).map(|number| redacted(Some(number), None)));
    let plan = decide(&clients, (0..NAMESAKES).map(|number| redacted(Some(number + NAMESAKES - 1), None)));
    let conflict = "A client of the same name, with no external_id, cannot be told apart from this one. Send zip.";
    assert_eq!(sentence(&plan.results[0]), conflict);
    assert_eq!(plan.explanations[0].candidates, [clients[NAMESAKES - 1].id]);
    assert_eq!(plan.change_set.created.len(), NAMESAKES - 1);
}

#[test]
fn a_name_alone_conflicts_with_more_than_twenty() {
    let clients = known((0..NAMESAKES).map(|number| redacted(Some(number), Some(number))));
    let plan = decide(&clients, (0..NAMESAKES).map(|_| redacted(None, None)));
    let conflict = "More than 20 clients of the same name cannot be told apart from this one: external_id \"R-0\", \
                    \"R-1\", \"R-2\" and more. Send address_line1 and zip, or the external_id of the one that is meant.";
    assert!(plan.results.iter().all(|result| sentence(result) == conflict));
    let oldest: Vec<_> = clients.iter().take(NAMESAKES_SHOWN).map(|client| client.id).collect();
    assert!(plan.explanations.iter().all(|explanation| explanation.candidates == oldest));
}

#[test]
fn new_external_ids_go_to_the_oldest_of_many_without_one() {
    let equal = |external_id| ClientFields { zip: Some("00000".into()), ..redacted(Some(1), external_id) };
    let with_id = (0..NAMESAKES).map(|number| equal(Some(number)));
    let clients = known(with_id.chain((0..NAMESAKES).map(|_| equal(None))));
    let plan = decide(&clients, (0..=NAMESAKES).map(|number| equal(Some(NAMESAKES + number))));
    for (number, result) in plan.results.iter().take(NAMESAKES).enumerate() {
        assert_eq!(*result, UpsertResult::Updated(clients[NAMESAKES + number].id), "{number}");
    }
    let conflict = "More than 20 clients have this name, street and ZIP: external_id \"R-0\", \"R-1\", \"R-2\" and \
                    more, not the one sent; two people are never merged. Send the external_id of the one that is \
                    meant, or check the name and address if it is another person.";
    assert_eq!(sentence(&plan.results[NAMESAKES]), conflict);
}

#[test]
fn a_list_without_zips_is_told_apart_by_street() {
    let mut list = DuplicateFinder::default();
    for number in 0..NAMESAKES {
        assert_eq!(list.add(1 + number as u64, &redacted(Some(number), None)), ListRow::New, "{number}");
    }
    assert_eq!(list.add(0, &redacted(Some(7), None)), ListRow::NotToldApart { number: 8 });
    assert_eq!(list.add(0, &redacted(None, None)), ListRow::NotToldApart { number: 1 });
    assert_eq!(list.add(0, &redacted(None, Some(7))), ListRow::NotToldApart { number: 1 });
}

/// A client of one name on one street, told apart by the unit alone: in line 1, or in line 2.
fn in_unit(unit: usize, in_line2: bool, zip: Option<&str>) -> ClientFields {
    let unit_text = format!("Apt {unit}");
    ClientFields {
        last_name: Some("Redacted".into()),
        address_line1: Some(if in_line2 { "1 Elm St".into() } else { format!("1 Elm St {unit_text}").into() }),
        address_line2: in_line2.then(|| unit_text.into()),
        zip: zip.map(Into::into),
        ..ClientFields::default()
    }
}

#[test]
fn a_batch_of_one_street_is_told_apart_by_unit() {
    for zip in [None, Some("00000")] {
        let clients = known((0..NAMESAKES).map(|unit| in_unit(unit, false, zip)));
        let plan = decide(&clients, (0..NAMESAKES).map(|unit| in_unit(unit + NAMESAKES - 1, false, zip)));
        assert_eq!(plan.change_set.created.len(), NAMESAKES - 1);
        // A unit in line 2 is compared with one in line 1.
        let again = decide(&clients, std::iter::once(in_unit(7, true, zip)));
        match zip {
            Some(_) => assert_eq!(again.results, [UpsertResult::Updated(clients[7].id)]),
            None => assert_eq!(again.explanations[0].candidates, [clients[7].id]),
        }
        let new = decide(&clients, std::iter::once(in_unit(NAMESAKES, true, zip)));
        assert!(matches!(new.results[..], [UpsertResult::Created(_)]), "{:?}", new.results);
    }
}

#[test]
fn a_list_of_one_street_is_told_apart_by_unit() {
    for zip in [None, Some("00000")] {
        let mut list = DuplicateFinder::default();
        for unit in 0..NAMESAKES {
            assert_eq!(list.add(1 + unit as u64, &in_unit(unit, false, zip)), ListRow::New, "{unit}");
        }
        let same = match zip {
            Some(_) => ListRow::SamePerson { number: 8, line2_differs: false },
            None => ListRow::NotToldApart { number: 8 },
        };
        assert_eq!(list.add(0, &in_unit(7, true, zip)), same);
    }
}
