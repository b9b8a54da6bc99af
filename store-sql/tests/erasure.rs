//! What is left of an erased client: digests, and nothing else (S12).

use crate::support::{
    FORMS, Shared, at, database,
    firm::{Firm, hash_of, update_of},
    id,
};
use matterbook_core::{
    client::ClientFields,
    store::{
        ChangeSet, Decided, IdempotencyRecord, NewClient, OperatorAnswer, OperatorCommand, SettlementChange, Snapshot,
        StoredResponse,
    },
};
use rusqlite::{Connection, types::ValueRef};

/// The places in the database that hold a text or an id. The operator's log is excluded: it names the
/// erased clients on purpose.
fn places_of(connection: &Connection, needles: &[&str]) -> Vec<String> {
    let mut tables = connection.prepare("select name from sqlite_schema where type = 'table'").unwrap();
    let tables: Vec<String> = tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let mut places = Vec::new();
    for table in tables.iter().filter(|table| *table != "operator_log") {
        let mut statement = connection.prepare(&format!("select * from {table}")).unwrap();
        let width = statement.column_count();
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next().unwrap() {
            for index in 0..width {
                let text = match row.get_ref_unwrap(index) {
                    ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
                    ValueRef::Blob(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
                    _ => continue,
                };
                if needles.iter().any(|needle| text.contains(needle)) {
                    places.push(format!("{table}: {text}"));
                }
            }
        }
    }
    places
}

#[test]
fn nothing_of_an_erased_client_is_left() {
    for form in FORMS {
        let driver = Shared::new(&database(), form);
        let firm = Firm::create(&driver, 1);
        let client = id(0x00C1_1E27);
        let fields = ClientFields {
            external_id: Some("case \"7\" ß".into()),
            first_name: Some("Zephyrine".into()),
            last_name: Some("Quux".into()),
            address_line1: Some("1 Erased Way".into()),
            zip: Some("62704".into()),
            phone: Some("+12175550111".into()),
            do_not_mail: true,
            ..ClientFields::default()
        };
        let body = |text: &str| serde_json::json!({ "message": text }).to_string();
        let save = |number: u128, change_set: ChangeSet, body: String| {
            let response = StoredResponse { status: 200, body, replayed: false };
            let saved = IdempotencyRecord { request_digest: "d".repeat(43), response: response.clone() };
            let change_set = ChangeSet { idempotency_record: Some(saved), ..change_set };
            let decide = move |_: &Snapshot| Decided { change_set: change_set.clone(), response: response.clone() };
            let now = at(i64::try_from(number).unwrap());
            let mut request = firm.request(number, now, Vec::new(), Box::new(decide));
            request.idempotency_key = Some(number.to_string());
            firm.change(request).unwrap().unwrap();
        };
        let (person, fingerprint) = (hash_of(&fields), fields.fingerprint());
        let created = vec![NewClient { id: client, fields: fields.clone(), person, fingerprint }];
        let settled_on = "2026-01-01".parse().unwrap();
        let settlements = vec![SettlementChange::Begun { id: id(8), client, settled_on, former_dates: Vec::new() }];
        save(1, ChangeSet { created, settlements, ..ChangeSet::default() }, body(&client.to_string()));
        let before = firm.page(at(100), None, 1).clients.remove(0);
        let after = ClientFields { phone: Some("+12175550222".into()), ..fields.clone() };
        let update = update_of(&before, after);
        let external_id = fields.external_id.as_deref().unwrap();
        save(
            2,
            ChangeSet { updated: vec![update], ..ChangeSet::default() },
            body(&format!("external_id \"{external_id}\" stands there")),
        );
        save(3, ChangeSet::default(), body("of somebody else"));

        let hex = client.simple().to_string();
        let needles = ["Zephyrine", "Quux", "Erased Way", "+1217555", "case \"7", "case \\\"7", &hex];
        assert!(places_of(&driver.connection, &needles).len() > 10, "it is there before");
        let erase = OperatorCommand::EraseClient { account: firm.account, client };
        assert_eq!(firm.operate(erase, at(4)), OperatorAnswer::Erased);
        assert_eq!(places_of(&driver.connection, &needles), Vec::<String>::new());
        let count = |sql: &str| driver.connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
        assert_eq!(count("select count(*) from settlements"), 0);
        assert_eq!(count("select count(*) from saved_answers"), 1, "answers to others stay");
        assert!(count("select count(*) from client_tombstones where do_not_mail") > 0);
    }
}
