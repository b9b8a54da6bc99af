//! A cursor that was altered in any way is a 400 (rule C3).

use std::time::Duration;

use matterbook_conformance::wire::{Firm, Service as _};
use proptest::{prelude::*, sample::Index};
use serde_json::json;

use super::{cases, failed, service};

/// One way to alter a text.
#[derive(Clone, Debug)]
enum Alteration {
    Replace(Index, char),
    Insert(Index, char),
    Delete(Index),
    Swap(Index),
    Truncate(Index),
    Double,
}

fn alteration() -> impl Strategy<Value = Alteration> {
    let letter = || "[A-Za-z0-9_-]".prop_map(|text| text.chars().next().unwrap_or('A'));
    prop_oneof![
        4 => (any::<Index>(), letter()).prop_map(|(place, letter)| Alteration::Replace(place, letter)),
        2 => (any::<Index>(), letter()).prop_map(|(place, letter)| Alteration::Insert(place, letter)),
        2 => any::<Index>().prop_map(Alteration::Delete),
        2 => any::<Index>().prop_map(Alteration::Swap),
        1 => any::<Index>().prop_map(Alteration::Truncate),
        1 => Just(Alteration::Double),
    ]
}

fn altered(cursor: &str, alterations: &[Alteration]) -> String {
    let mut letters: Vec<char> = cursor.chars().collect();
    for alteration in alterations {
        if letters.len() < 2 {
            letters.push('A');
            letters.push('B');
        }
        let count = letters.len();
        match alteration {
            Alteration::Replace(place, letter) => letters[place.index(count)] = *letter,
            Alteration::Insert(place, letter) => letters.insert(place.index(count + 1), *letter),
            Alteration::Delete(place) => drop(letters.remove(place.index(count))),
            Alteration::Swap(place) => {
                let place = place.index(count - 1);
                letters.swap(place, place + 1);
            }
            Alteration::Truncate(place) => letters.truncate(place.index(count)),
            Alteration::Double => letters.extend_from_within(..),
        }
    }
    letters.into_iter().collect()
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn an_altered_cursor_is_a_400(
        alterations in prop::collection::vec(prop::collection::vec(alteration(), 1..4), 24),
        texts in prop::collection::vec("[A-Za-z0-9_-]{1,120}", 8),
    ) {
        let service = service();
        let firm = Firm::with(&service, &json!({"api_enabled": true, "digital_bundle": true})).map_err(failed)?;
        let county = firm.operator().fresh_county().map_err(failed)?;
        firm.grant(&county.fips, "2020-01-01").map_err(failed)?;
        firm.operator().import(&[county.prospect(&json!({})), county.prospect(&json!({}))]).map_err(failed)?;
        firm.post_clients(&[json!({"first_name": "Ada"}), json!({"first_name": "Bo"})]).map_err(failed)?;
        firm.settle(&json!({"external_id": "a", "last_name": "Ray", "settled_on": "2025-01-01"})).map_err(failed)?;
        firm.settle(&json!({"external_id": "b", "last_name": "Ray", "settled_on": "2025-01-01"})).map_err(failed)?;
        service.elapse(Duration::from_secs(3_601));
        let operator = firm.operator();
        let since = "updated_since=2020-01-01T00:00:00Z";
        for (path, query, is_operators) in [
            ("/clients".to_owned(), "limit=1", false),
            ("/clients".to_owned(), since, false),
            ("/prospects".to_owned(), "limit=1", false),
            (firm.path("/settlements"), "limit=1", true),
            ("/log".to_owned(), "limit=1", true),
        ] {
            let get = |query: &str| {
                let path = format!("{path}?{query}");
                if is_operators { operator.call("GET", &path) } else { firm.get(&path) }.map_err(failed)
            };
            let first = get(&format!("{query}&limit=1").replace("limit=1&limit=1", "limit=1"))?;
            let cursor = first.text("/next_cursor").map_err(failed)?;
            for text in alterations.iter().map(|alterations| altered(&cursor, alterations)).chain(texts.iter().cloned()) {
                let answer = get(&format!("cursor={text}"))?;
                let is_untouched = text == cursor || text.is_empty();
                prop_assert_eq!(answer.status, if is_untouched { 200 } else { 400 }, "{} for {}", text, cursor);
            }
        }
    }
}
