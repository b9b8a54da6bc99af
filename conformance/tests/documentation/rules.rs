//! The rules that the wire cases cite exist.

use matterbook_conformance::wire::cases;

const SPECIFICATION: &str = include_str!("../../../docs/specification.md");

#[test]
fn every_rule_that_a_wire_case_cites_is_in_the_specification() {
    let mut complaints = String::new();
    for case in cases::all() {
        for rule in case.rules.split(", ") {
            if !SPECIFICATION.contains(&format!("\n- **{rule}** ")) {
                complaints += &format!("{}: {rule:?}\n", case.name);
            }
        }
    }
    assert!(complaints.is_empty(), "no such rules:\n{complaints}");
}
