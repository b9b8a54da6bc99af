//! Each worked example of the page on matching ends as it shows.

use serde_json::{Map, Value, json};

use super::{markdown::table_rows, world::World};

const PAGE: &str = include_str!("../../../docs/matching.md");

/// The columns of every example's table, after the one that says which row it is.
const FIELDS: [&str; 5] = ["external_id", "first_name", "last_name", "address_line1", "zip"];

#[test]
fn every_worked_example_of_matching_ends_as_it_shows() {
    let headings: Vec<_> =
        PAGE.lines().filter(|line| line.starts_with("### ")).map(|line| line.trim_start_matches("### ")).collect();
    assert!(headings.len() >= 20, "{} worked examples", headings.len());
    for (number, heading) in (1..).zip(&headings) {
        assert!(heading.starts_with(&format!("{number}. ")), "{heading} is not the {number}. example");
        let rows = table_rows(PAGE, &format!("### {heading}"));
        let (sent, known) = rows.split_last().expect("a row that is sent");
        assert!(sent[0] == "sent" && known.iter().all(|row| row[0] == "known"), "{heading}");
        assert_eq!(outcome(known, sent), shown(heading), "{heading}");
    }
}

/// What the page says under an example's table.
fn shown(heading: &str) -> &'static str {
    let section = PAGE.split_once(&format!("\n### {heading}\n")).expect("the example").1;
    let mut after_table = section.lines().skip_while(|line| !line.starts_with('|')).skip_while(|line| !line.is_empty());
    after_table.nth(1).expect("what becomes of it")
}

/// What becomes of the client that is sent, in the page's words.
fn outcome(known: &[Vec<&str>], sent: &[&str]) -> String {
    let world = World::new();
    let (with_id, without_id): (Vec<_>, Vec<_>) = known.iter().partition(|row| !row[1].is_empty());
    // Clients with an id are first created by the id alone, so that two clients can share a name and an
    // address. This happens when one of them moves in with the other.
    let strangers =
        with_id.iter().map(|row| json!({"external_id": row[1], "first_name": format!("Stranger {}", row[1])}));
    let steps = [strangers.collect(), clients(&without_id), clients(&with_id)];
    let mut ids = vec![None; known.len()];
    for (step, rows) in steps.iter().zip([&with_id, &without_id, &with_id]) {
        for (result, row) in world.post(step).iter().zip(rows) {
            let place = known.iter().position(|known| std::ptr::eq(known, *row)).expect("a known row");
            ids[place] = Some(result["id"].as_str().expect("a client who is saved").to_owned());
        }
    }
    let result = world.post(&[client(sent)]).remove(0);
    match result["status"].as_str().expect("a status") {
        "created" => "**created**.".to_owned(),
        "updated" => match ids.iter().position(|id| id.as_deref() == result["id"].as_str()) {
            Some(0) => "**updated**, the known client.".to_owned(),
            Some(1) => "**updated**, the second known client.".to_owned(),
            place => panic!("nobody of the table is updated: {place:?}"),
        },
        status => format!("**{status}**: {}", result["message"].as_str().expect("a message")),
    }
}

fn clients(rows: &[&Vec<&str>]) -> Vec<Value> {
    rows.iter().map(|row| client(row)).collect()
}

/// The client of a row: a cell in backticks is JSON, any other a text.
fn client(row: &[&str]) -> Value {
    let member = |(name, cell): (&&str, &&str)| {
        let value = cell
            .strip_prefix('`')
            .map_or_else(|| json!(cell), |json| serde_json::from_str(json.trim_end_matches('`')).expect("JSON"));
        ((*name).to_owned(), value)
    };
    Value::Object(FIELDS.iter().zip(&row[1..]).map(member).collect::<Map<_, _>>())
}
