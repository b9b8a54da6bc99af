//! What was pulled is pushed, and nothing changes.

use serde_json::json;

use super::run::{Firm, run};

#[test]
fn a_copy_that_is_pushed_again_changes_nothing() {
    let firm = Firm::new();
    let clients = json!({"clients": [
        {"external_id": "000123", "first_name": "=A1+1", "last_name": "@SUM(A1)", "address_line1": "12 \"North\" St,\nRear\tdoor",
         "address_line2": "-1", "city": "+O’Fallon", "state": "IL", "zip": "02134-1001", "email": "a.b@example.com",
         "phone": "+4712345678", "case_type": "Auto; fleet", "opened_on": "2026-01-05", "settled_on": "2026-02-01",
         "do_not_mail": true},
        {"external_id": "18446744073709551616", "last_name": "राम"},
        {"external_id": "1.0", "first_name": "José", "last_name": "ﬂ", "zip": "00501"},
        {"first_name": "No", "last_name": "Number", "address_line1": "5 Demo Ave", "zip": "60601", "phone": "2175550134"},
        {"external_id": "true", "last_name": "null"},
        {"external_id": "2026-01-05", "last_name": " 007 Li "},
    ]});
    let (status, answer) = firm.serving.post(&firm.key, "/api/v1/clients", &clients);
    assert!(status == 200 && !answer.to_string().contains("error"), "{answer}");
    let before = firm.serving.clients(&firm.key);
    assert_eq!(before.len(), 6);
    for name in ["copy.csv", "copy.ndjson"] {
        let out = firm.place.file(name).to_str().expect("a plain name").to_owned();
        let ran = run(&["pull", "--out", &out], &firm.serving.origin, &firm.key);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let ran = run(&["push", &out, "--json"], &firm.serving.origin, &firm.key);
        assert_eq!(
            ran.status,
            Some(0),
            "{ran:?} {}",
            std::fs::read_to_string(format!("{out}.errors.csv")).unwrap_or_default()
        );
        assert_eq!(ran.json()["push"]["unchanged"], 6, "{name}: {ran:?}");
        assert_eq!(firm.serving.clients(&firm.key), before, "{name}: no record changed, nor its updated_at");
        let ran = run(&["pull", "--out", &out, "--json"], &firm.serving.origin, &firm.key);
        assert_eq!(ran.json()["pull"]["rows"], 0, "{name}: no list shows them again");
    }
}
