//! The generated bodies are read as they promise (groups N and R).

use matterbook_core::{
    client::{Member, parse_client},
    normalize::{Field, ProblemKind},
    strategies::{batch, client},
};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_client_is_read_as_it_says(client in client()) {
        let kind_of = |(member, problem): &(Member, matterbook_core::normalize::Problem)| match member {
            Member::Field(field) => Ok((*field, problem.kind())),
            Member::Record | Member::Other(_) => Err(*member),
        };
        match (parse_client(&client.json), &client.read) {
            (Ok(input), expected) => prop_assert_eq!(&Ok(input.fields), expected),
            (Err(error), expected) => {
                let problems: Result<Vec<(Field, ProblemKind)>, Member> = error.problems().iter().map(kind_of).collect();
                prop_assert_eq!(problems.as_ref().ok(), expected.as_ref().err());
            }
        }
    }

    #[test]
    fn both_bodies_of_a_batch_have_its_clients(batch in batch(0..5)) {
        let clients: Vec<&str> = batch.clients.iter().map(|client| client.json.as_str()).collect();
        let ndjson = batch.ndjson();
        prop_assert_eq!(ndjson.lines().collect::<Vec<_>>(), clients.clone());
        prop_assert_eq!(batch.json(), format!(r#"{{"clients":[{}]}}"#, clients.join(",")));
    }
}
