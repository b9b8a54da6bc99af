//! A duplicates has the same results as a batch in an empty account.

use std::collections::HashMap;

use matterbook_core::{
    client::{Client, ClientFields, ClientInput},
    id::IdMint,
    plan::{Batch, DuplicateFinder, Known, ListRow, UpsertResult},
    store::Alias,
    time::Timestamp,
};
use proptest::prelude::*;
use uuid::Uuid;

/// A client of a small set of names and addresses, so that many are equal.
fn client() -> impl Strategy<Value = ClientFields> {
    let one_of = |texts: &[Option<&'static str>]| prop::sample::select(texts.to_vec());
    (
        one_of(&[None, None, Some("1"), Some("2"), Some("3"), Some("4")]),
        one_of(&[None, Some("Ana"), Some("ANA"), Some("Bo"), Some("-")]),
        one_of(&[None, Some("Li"), Some("Li Jr"), Some(".")]),
        one_of(&[None, Some("1 Oak Street"), Some("1 Oak St. Apt 4"), Some("2 Elm St"), Some(",")]),
        one_of(&[None, None, Some("#4"), Some("Apt 5"), Some("c/o Ruiz"), Some("C/O RUIZ")]),
        one_of(&[None, Some("02134"), Some("02134-1001"), Some("00000")]),
    )
        .prop_map(|(external_id, first_name, last_name, address_line1, address_line2, zip)| ClientFields {
            external_id: external_id.map(Into::into),
            first_name: first_name.map(Into::into),
            last_name: last_name.map(Into::into),
            address_line1: address_line1.map(Into::into),
            address_line2: address_line2.map(Into::into),
            zip: zip.map(Into::into),
            ..ClientFields::default()
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn duplicate_finder_decides_as_a_batch(clients in proptest::collection::vec(client(), 1..40)) {
        let inputs = clients.iter().map(|fields| Ok(ClientInput { fields: fields.clone(), new_settlement: None }));
        let mint = IdMint::new(Timestamp::from_micros(1_700_000_000_000_000), [7; 10]);
        let plan = Batch::new(Uuid::nil(), inputs.collect(), mint, false).explained().decide(Known::default());
        let mut duplicates = DuplicateFinder::default();
        let mut numbers: HashMap<Uuid, u64> = HashMap::new();
        let results = plan.results.iter().zip(&plan.explanations);
        for ((number, fields), (outcome, explanation)) in (1..).zip(&clients).zip(results) {
            let list_row = duplicates.add(number, fields);
            if let ListRow::SamePerson { line2_differs, .. } = list_row {
                prop_assert_eq!(line2_differs, explanation.line2_differs, "{}", number);
            }
            match outcome {
                UpsertResult::Created(id) => {
                    prop_assert_eq!(list_row, ListRow::New, "{}", number);
                    numbers.insert(*id, number);
                }
                UpsertResult::Updated(id) => {
                    let number = numbers[id];
                    let is_same = matches!(
                        list_row,
                        ListRow::SameExternalId { number: found } | ListRow::SamePerson { number: found, .. } if found == number
                    );
                    prop_assert!(is_same, "{number}: {list_row:?}");
                }
                UpsertResult::Nameless { has_external_id, .. } => {
                    prop_assert_eq!(list_row, ListRow::Nameless { has_external_id: *has_external_id });
                }
                UpsertResult::Conflict(conflict) => {
                    let kind = match list_row {
                        ListRow::OtherExternalId { .. } => "other_external_id",
                        ListRow::Several { .. } => "several",
                        ListRow::NotToldApart { .. } => "not_told_apart",
                        _ => "no conflict",
                    };
                    prop_assert_eq!(conflict.kind.name(), kind, "{}: {}", number, conflict);
                }
                UpsertResult::Invalid(error) => prop_assert!(false, "{error}"),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn with_known_clients_and_their_aliases_it_decides_as_a_batch_that_has_them(
        known in proptest::collection::vec(client(), 1..12),
        aliases in proptest::collection::vec((0_usize..12, prop::sample::select(vec!["5", "6"])), 0..3),
        clients in proptest::collection::vec((client(), prop::option::weighted(0.2, prop::sample::select(vec!["5", "6"]))), 1..40),
    ) {
        let now = Timestamp::from_micros(1_700_000_000_000_000);
        let mut duplicates = DuplicateFinder::default();
        let (mut saved, mut told) = (Vec::new(), Vec::new());
        for (id, fields) in (1..).map(Uuid::from_u128).zip(known) {
            let is_taken = |other: &Client| fields.external_id.is_some() && other.fields.external_id == fields.external_id;
            if !saved.iter().any(is_taken) {
                told.push(duplicates.add_known(0, &fields));
                saved.push(Client { id, fields, created_at: now, updated_at: now });
            }
        }
        let mut of_saved: Vec<Alias> = Vec::new();
        for (place, external_id) in aliases {
            if let Some(client) = saved.get(place).filter(|client| client.fields.external_id.is_some())
                && !of_saved.iter().any(|alias| alias.external_id == external_id)
            {
                duplicates.add_alias(told[place], external_id);
                of_saved.push(Alias { client: client.id, external_id: external_id.into() });
            }
        }
        let clients = clients.into_iter().map(|(fields, alias)| match alias {
            Some(alias) => ClientFields { external_id: Some(alias.into()), ..fields },
            None => fields,
        });
        let clients: Vec<ClientFields> = clients.collect();
        let inputs = clients.iter().map(|fields| Ok(ClientInput { fields: fields.clone(), new_settlement: None }));
        let batch = Batch::new(Uuid::nil(), inputs.collect(), IdMint::new(now, [7; 10]), false);
        let plan = batch.decide(Known { clients: &saved, aliases: &of_saved, ..Known::default() });
        for ((number, fields), outcome) in (1..).zip(&clients).zip(&plan.results) {
            let found = match duplicates.add(number, fields) {
                ListRow::New => "created",
                ListRow::SameExternalId { .. } | ListRow::SamePerson { .. } => "updated",
                ListRow::Nameless { .. } => "nameless",
                _ => "conflict",
            };
            let expected = match outcome {
                UpsertResult::Created(_) => "created",
                UpsertResult::Updated(_) => "updated",
                UpsertResult::Nameless { .. } => "nameless",
                UpsertResult::Conflict(_) => "conflict",
                UpsertResult::Invalid(_) => "invalid",
            };
            prop_assert_eq!(found, expected, "{}", number);
        }
    }
}
