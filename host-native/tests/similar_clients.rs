//! `client similar` names the saved clients that may be one person, each pair with its reasons, and
//! `client similar-decide` decides about them (Y5, Y6, Y8).

use crate::support::{Place, Serving, account, run, run_json, text};
use serde_json::{Value, json};

const CLIENTS: &str = "/api/v1/clients";

fn people() -> Vec<Value> {
    // Strangers between the two, so that they are on different pages.
    let stranger = |number: usize| {
        json!({"external_id": format!("s{number}"), "first_name": "Nr", "last_name": format!("Stranger {number}"),
               "address_line1": format!("{number} Elm St"), "zip": "62704"})
    };
    let robert = json!({"external_id": "1", "first_name": "Robert", "last_name": "Specimenez",
                        "address_line1": "1 Oak St", "zip": "02134", "do_not_mail": true});
    let bob = json!({"external_id": "2", "first_name": "Bob", "last_name": "Specimenez",
                     "address_line1": "1 Oak Street", "zip": "02134"});
    let [ana, anna] = ["Ana", "Anna"].map(|name| {
        json!({"external_id": name, "first_name": name, "last_name": "Li", "address_line1": "2 Oak St", "zip": "02134"})
    });
    [vec![robert], (0..120).map(stranger).collect(), vec![bob, ana, anna]].concat()
}

#[test]
fn saved_clients_that_may_be_one_person_are_named_with_reasons() {
    let place = Place::new();
    let (account, key) = account(&place.database());
    let serving = Serving::start(&place.database());
    assert_eq!(serving.post(&key, CLIENTS, &json!({"clients": people()})).0, 200);
    let database = place.database();
    let database = database.to_str().expect("a plain name");
    let similar =
        |flags: &[&str]| run_json(&[&["client", "similar", "--account", &account, "--db", database], flags].concat());
    let pairs = |answer: &Value| {
        let pairs = answer["similar"].as_array().expect("pairs").iter();
        let mut pairs: Vec<_> = pairs
            .map(|pair| {
                let [one, other] = [0, 1].map(|place| text(&pair["clients"][place]["external_id"]));
                (one, other, pair["reasons"].clone())
            })
            .collect();
        pairs.sort_by(|one, other| one.0.cmp(&other.0));
        pairs
    };
    let robert = ("1".to_owned(), "2".to_owned(), json!(["nickname"]));
    let ana = ("Ana".to_owned(), "Anna".to_owned(), json!(["one_letter"]));
    let robert_alone = || vec![robert.clone()];
    assert_eq!(pairs(&similar(&[])), [], "before a comparison");
    assert_eq!(pairs(&similar(&["--find"])), [robert.clone(), ana.clone()]);
    assert_eq!(pairs(&similar(&["--letters"])), robert_alone(), "one of the two gets letters, the other does not");
    let printed = run(&["client", "similar", "--account", &account, "--db", database]);
    let printed = String::from_utf8(printed.stdout).expect("text");
    assert!(printed.contains("a nickname\n") && printed.contains("no letters"), "{printed}");

    let answer = similar(&["--letters"]);
    let ids = [0, 1].map(|place| text(&answer["similar"][0]["clients"][place]["id"]));
    let decide = |decision: &str| {
        let words = ["client", "similar-decide", &ids[1], &ids[0], decision, "--account", &account, "--db", database];
        String::from_utf8(run(&words).stdout).expect("text")
    };
    assert_eq!(decide("--different"), "They are two people.\n");
    assert_eq!(pairs(&similar(&["--find"])), [ana]);
    assert_eq!(pairs(&similar(&["--decided"])), robert_alone());
    assert_eq!(decide("--open"), "Nothing is decided about them.\n");
    assert_eq!(decide("--same"), "They are one person, who gets letters only if both do.\n");
    assert_eq!(pairs(&similar(&["--letters"])), robert_alone(), "it is one person who gets no letters");
}

#[test]
fn without_possible_duplicates_it_says_so() {
    let place = Place::new();
    let (account, _) = account(&place.database());
    let database = place.database();
    let printed = run(&["client", "similar", "--account", &account, "--db", database.to_str().expect("a plain name")]);
    assert_eq!(String::from_utf8_lossy(&printed.stdout), "No possible duplicates.\n");
}
