//! An account that is exported from one database and imported into another is the same account there, whichever form
//! of queries either runs.

mod file;

use crate::{
    script::{firm_of_the_script, other_firm, step},
    support::{Fault, Form, Shared, at, database, dump, firm::Firm},
};
use matterbook_core::{
    store::{AccountChange, OperatorAnswer, OperatorCommand, Refusal, StoreError},
    time::Timestamp,
};
use matterbook_store_sql::account_tables::{Kind, TABLES};
use rusqlite::Connection;

use file::File;

/// What an export leaves out: what opens the console in a browser, what belongs to no account, what only this database
/// needs.
const LEFT_OUT: [&str; 13] = [
    "account_imports",
    "copied_changes",
    "key_secrets",
    "prospect_clock",
    "prospect_databases",
    "prospect_lock",
    "prospect_tombstones",
    "prospects",
    "sessions",
    "sign_in_links",
    "sqlite_sequence",
    "sqlite_stat1",
    "stale_read",
];

/// A database in which the script has taken so many steps, and the random numbers of the next ones.
fn played(form: Form, steps: u128) -> (Shared, Firm, fastrand::Rng, Timestamp) {
    let driver = Shared::new(&database(), form);
    other_firm(&driver);
    let firm = firm_of_the_script(&driver);
    let (mut random, mut now) = (fastrand::Rng::with_seed(4), at(10));
    for number in 1_000..1_000 + steps {
        step(&firm, &mut random, number, now);
        now = now.plus_seconds(i64::try_from(random.u64(..20)).unwrap());
    }
    (driver, firm, random, now)
}

/// A database without the firm of the script, but with the prospects of another, and the sessions that an export leaves
/// out.
fn elsewhere(form: Form, source: &Connection) -> Shared {
    let driver = Shared::new(&database(), form);
    // So that the firm gets another number within the database.
    Firm::create(&driver, 3);
    other_firm(&driver);
    for (table, row) in dump(source) {
        if table.starts_with("prospect") || table == "sessions" {
            let values = vec!["?"; row.len()].join(",");
            let sql = format!("insert or replace into {table} values ({values})");
            driver.connection.execute(&sql, rusqlite::params_from_iter(row)).unwrap();
        }
    }
    driver
}

fn refusal(answer: Result<OperatorAnswer, StoreError>) -> Refusal {
    match answer {
        Ok(OperatorAnswer::Refused(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

fn unsuspend(firm: &Firm, now: Timestamp) -> Result<OperatorAnswer, StoreError> {
    let change = AccountChange { suspended: Some(false), ..AccountChange::default() };
    firm.try_operate(OperatorCommand::SetAccount { account: firm.account, change }, now)
}

#[test]
fn an_imported_firm_gets_the_same_answers_as_before() {
    for (from, to) in [(Form::Rows, Form::Set), (Form::Set, Form::Rows)] {
        let (source, firm, mut random, mut now) = played(from, 500);
        let file = File::read(&firm, now);
        for table in TABLES.iter().skip(1).filter(|table| !["passkeys", "letters_on"].contains(&table.name)) {
            assert!(!file.rows_of(table.name).is_empty(), "the script leaves rows of {}", table.name);
        }
        let target = elsewhere(to, &source.connection);
        let imported = firm.over(&target).over(&target);
        file.import(&imported, now, 100);
        assert_eq!(File::read(&imported, now).rows.len(), file.rows.len() + 2, "its begin and its end are logged");
        // Both with ids that are new to them.
        let [firm, imported] = [&source, &target].map(|driver| firm.over(driver));
        let mut twin = random.clone();
        for number in 5_000..5_300 {
            let [before, after] = [step(&firm, &mut random, number, now), step(&imported, &mut twin, number, now)];
            // The other accounts of the two databases differ.
            let own = |text: String| text.split(" Accounts(").map(str::to_owned).collect::<Vec<_>>()[0].clone();
            let [before, after] = [own(before), own(after)];
            let common = before.chars().zip(after.chars()).take_while(|(before, after)| before == after).count();
            let rest = |text: &str| text.chars().skip(common).take(400).collect::<String>();
            assert_eq!(rest(&before), rest(&after), "step {number} after {from:?} became {to:?}");
            now = now.plus_seconds(i64::try_from(random.u64(..20)).unwrap());
            twin.u64(..20);
        }
        let [before, after] = [&firm, &imported].map(|firm| File::read(firm, now).without_log());
        assert_eq!(before, after, "the whole account is the same");
    }
}

/// One request with all rows once took 24 statements, more than the Worker may send.
#[test]
fn rows_of_every_table_in_one_request_are_saved_in_parts() {
    let (source, firm, _, now) = played(Form::Set, 500);
    let file = File::read(&firm, now);
    let target = elsewhere(Form::Set, &source.connection);
    let imported = firm.over(&target);
    imported.operate(file.begin(&imported), now);
    let (mut received, mut requests) = (0, 0);
    loop {
        let before = target.statements.get();
        let answer = imported.operate(file.rows_from(&imported, received, file.rows.len()), now);
        let OperatorAnswer::AccountImport(state) = answer else { panic!("{answer:?}") };
        let statements = target.statements.get() - before;
        assert!(statements < 20, "{statements} statements");
        assert!(state.received_rows > received, "each request saves some");
        (received, requests) = (state.received_rows, requests + 1);
        if state.is_done {
            break;
        }
    }
    assert!(requests > 1, "{requests} requests");
    let [before, after] = [&firm, &imported].map(|firm| File::read(firm, now).without_log());
    assert_eq!(before, after, "the whole account is the same");
}

#[test]
fn an_import_ends_whatever_is_lost_or_sent_twice() {
    let (source, firm, mut random, now) = played(Form::Rows, 150);
    let file = File::read(&firm, now);
    let whole = elsewhere(Form::Set, &source.connection);
    file.import(&firm.over(&whole), now, 500);
    for _ in 0..5 {
        let target = elsewhere(Form::Set, &source.connection);
        let faults = (0..200).map(|_| [Fault::None, Fault::LostBatch, Fault::LostAnswer][random.usize(..3)]);
        target.faults.borrow_mut().extend(faults);
        let imported = firm.over(&target);
        file.import(&imported, now, 1 + random.usize(..60));
        target.faults.borrow_mut().clear();
        // Again from the start, and a part of it: nothing happens.
        assert!(
            matches!(imported.operate(file.begin(&imported), now), OperatorAnswer::AccountImport(state) if state.is_done)
        );
        let sent_again = imported.operate(file.rows_from(&imported, 3, 5), now);
        assert!(matches!(sent_again, OperatorAnswer::AccountImport(state) if state.is_done));
        let without_log = |driver: &Shared| {
            let rows = dump(&driver.connection).into_iter();
            rows.filter(|(table, _)| table != "operator_log").collect::<Vec<_>>()
        };
        assert_eq!(without_log(&target), without_log(&whole));
    }
}

#[test]
fn a_damaged_file_never_serves_and_can_be_discarded() {
    for form in [Form::Rows, Form::Set] {
        let (source, firm, _, now) = played(Form::Rows, 200);
        let file = File::read(&firm, now);
        let target = elsewhere(form, &source.connection);
        let before = dump(&target.connection);
        let imported = firm.over(&target);
        let mut damaged = file.clone();
        let place = damaged.rows.iter().position(|row| row.starts_with("[\"clients\"") && row.contains("Number"));
        let place = place.expect("a client whose name has a number");
        damaged.rows[place] = damaged.rows[place].replace("Number", "Numbers");
        // Announced is the whole file, sent is the damaged one.
        imported.operate(file.begin(&imported), now);
        let count = file.rows.len();
        damaged.send(&imported, now, count - 1);
        let last = i64::try_from(count - 1).unwrap();
        assert_eq!(refusal(imported.try_operate(damaged.rows_from(&imported, last, 1), now)), Refusal::OtherDigest);
        // It is suspended, and stays so.
        assert_eq!(refusal(unsuspend(&imported, now)), Refusal::Importing);
        let export = OperatorCommand::ExportAccount { account: firm.account, after: None };
        assert_eq!(refusal(imported.try_operate(export, now)), Refusal::Importing);
        assert_eq!(refusal(imported.try_operate(damaged.begin(&imported), now)), Refusal::AccountExists);
        let discard = || OperatorCommand::DiscardAccountImport { account: firm.account };
        let mut left = Vec::new();
        loop {
            let OperatorAnswer::AccountImport(state) = imported.operate(discard(), now) else { panic!("no state") };
            left.push(state.received_rows);
            if state.received_rows == 0 {
                break;
            }
            assert_eq!(refusal(imported.try_operate(file.rows_from(&imported, 0, 1), now)), Refusal::Discarding);
        }
        assert!(left.len() > 5 && left.is_sorted_by(|a, b| a >= b), "{left:?}");
        let rest = dump(&target.connection).into_iter().filter(|row| !before.contains(row));
        let mut rest: Vec<_> = rest.map(|(table, _)| table).collect();
        rest.dedup();
        rest.retain(|table| table != "operator_log" && table != "key_secrets");
        assert_eq!(rest, ["account_imports", "accounts"], "nothing else is left");
        file.import(&imported, now, 100);
        assert_eq!(refusal(imported.try_operate(discard(), now)), Refusal::ImportEnded);
        assert!(matches!(unsuspend(&imported, now), Ok(OperatorAnswer::Account(_))));
        assert_eq!(File::read(&imported, now).rows_of("clients"), file.rows_of("clients"));
    }
}

#[test]
fn an_account_that_exists_is_not_imported_over() {
    let (source, firm, _, now) = played(Form::Rows, 50);
    let file = File::read(&firm, now);
    let before = dump(&source.connection);
    assert_eq!(refusal(firm.try_operate(file.begin(&firm), now)), Refusal::AccountExists);
    let rows = firm.try_operate(file.rows_from(&firm, 0, 5), now);
    assert_eq!(refusal(rows), Refusal::NoAccountImport);
    let discard = OperatorCommand::DiscardAccountImport { account: firm.account };
    assert_eq!(refusal(firm.try_operate(discard, now)), Refusal::NoAccountImport);
    assert!(dump(&source.connection) == before, "nothing is written");
}

#[test]
fn rows_of_another_shape_or_of_another_account_save_nothing() {
    for form in [Form::Rows, Form::Set] {
        let (source, firm, _, now) = played(Form::Rows, 50);
        let mut file = File::read(&firm, now);
        let target = elsewhere(form, &source.connection);
        let imported = firm.over(&target);
        // The owner's login of another account of the target.
        let other = Firm::create(&target, 7);
        let login = other.login.simple().to_string();
        let passkey = format!("[\"passkeys\",\"ab\",\"{login}\",\"{login}\",\"cd\",\"a passkey\",1,null]");
        file.rows.insert(0, passkey);
        imported.operate(file.begin(&imported), now);
        let before = dump(&target.connection);
        let stolen = imported.try_operate(file.rows_from(&imported, 0, 1), now);
        assert_eq!(refusal(stolen), Refusal::RowTaken, "a passkey for another account's login");
        // Ids and keys that another account has, each after a row that could be saved.
        let of_other = File::read(&other, now);
        let own = "[\"county_grants\",\"06037\",\"2024-01-01\"]".to_owned();
        for table in ["logins", "api_keys"] {
            let theirs = of_other.rows_of(table).first().map(|row| (*row).clone()).expect("a row");
            let rows = vec![own.clone(), theirs];
            let rows = OperatorCommand::ImportAccountRows { account: firm.account, from: 0, rows };
            assert_eq!(refusal(imported.try_operate(rows, now)), Refusal::RowTaken, "{table} of another account");
        }
        for row in [
            "[\"logins\"]",
            "[\"accounts\",1]",
            "[\"unknown\",1]",
            "[]",
            "7",
            "[\"county_grants\",\"06037\",null]",
            "[\"county_grants\",\"06037\",7]",
            "[\"county_grants\",\"06037\",\"2024-01-01\",1]",
            "[\"client_tombstones\",\"xy\",1]",
            "[\"client_tombstones\",\"abc\",1]",
            "[\"client_tombstones\",\"\",1]",
        ] {
            let rows =
                OperatorCommand::ImportAccountRows { account: firm.account, from: 0, rows: vec![row.to_owned()] };
            assert_eq!(refusal(imported.try_operate(rows, now)), Refusal::MalformedRow, "{row}");
        }
        assert!(dump(&target.connection) == before, "nothing is written");
        let mut head = file.clone();
        head.head.tables = head.head.tables.replace("zip", "postcode");
        assert_eq!(refusal(firm.over(&source).try_operate(head.begin(&firm), now)), Refusal::AccountExists);
        let nowhere = Shared::new(&database(), form);
        assert_eq!(refusal(firm.over(&nowhere).try_operate(head.begin(&firm), now)), Refusal::OtherColumns);
    }
}

/// On D1 another request may come between the look and the batch that writes.
#[test]
fn an_id_that_another_account_gets_meanwhile_is_refused_like_one_that_it_had() {
    let (source, firm, _, now) = played(Form::Rows, 50);
    let file = File::read(&firm, now);
    let target = elsewhere(Form::Set, &source.connection);
    let imported = firm.over(&target);
    imported.operate(file.begin(&imported), now);
    let before = dump(&target.connection);
    let login = file.rows_of("logins")[0].split('"').nth(3).expect("an id").to_owned();
    let take = "insert into logins (id, account_id, email, role, created_at) \
                select unhex(?1), account_id, 'taken@firm.example', role, created_at from logins limit 1";
    let (connection, taken) = (target.connection.clone(), login.clone());
    let takes = move || {
        connection.execute(take, [&taken]).expect("another account gets it");
    };
    target.interruptions.borrow_mut().push_back(Box::new(takes));
    let rows = file.rows_from(&imported, 0, file.rows.len());
    assert_eq!(refusal(imported.try_operate(rows, now)), Refusal::RowTaken);
    target.connection.execute("delete from logins where id = unhex(?1)", [&login]).expect("it has it no more");
    assert!(dump(&target.connection) == before, "nothing is written");
}

#[test]
fn keys_of_an_import_may_be_revoked_with_it() {
    let (source, firm, _, now) = played(Form::Rows, 50);
    let file = File::read(&firm, now);
    let target = elsewhere(Form::Set, &source.connection);
    let imported = firm.over(&target);
    let OperatorCommand::BeginAccountImport { account, mut import } = file.begin(&imported) else { panic!() };
    import.revokes_keys = true;
    imported.operate(OperatorCommand::BeginAccountImport { account, import }, now);
    file.send(&imported, now, file.rows.len());
    let OperatorAnswer::Keys(keys) = imported.operate(OperatorCommand::ListKeys { account }, now) else { panic!() };
    assert!(!keys.is_empty() && keys.iter().all(|key| key.revoked_at == Some(now)), "{keys:?}");
}

#[test]
fn an_export_knows_every_table_and_column_of_an_account() {
    let connection = database();
    let names = |sql: &str| -> Vec<String> {
        let mut statement = connection.prepare(sql).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    let tables = names("select name from sqlite_schema where type = 'table' order by name");
    for table in tables.iter().filter(|table| !LEFT_OUT.contains(&table.as_str())) {
        let known = TABLES.iter().find(|known| known.name == table);
        let known = known.unwrap_or_else(|| panic!("{table} is neither exported nor left out"));
        let mut columns: Vec<_> = known.columns.iter().map(|column| column.name.to_owned()).collect();
        columns.push(if table == "accounts" { "id".to_owned() } else { "account_id".to_owned() });
        columns.extend((table == "accounts").then(|| "public_id".to_owned()));
        columns.sort();
        let mut found = names(&format!("select name from pragma_table_info('{table}')"));
        // Its account is that of its login.
        found.extend((table == "passkeys").then(|| "account_id".to_owned()));
        found.sort();
        assert_eq!(columns, found, "{table}");
        for column in &known.columns {
            let kinds = names(&format!("select type from pragma_table_info('{table}') where name = '{}'", column.name));
            let kind = match column.kind {
                Kind::Integer => "INTEGER",
                Kind::Text => "TEXT",
                Kind::Bytes | Kind::Login => "BLOB",
            };
            assert_eq!(kinds, [kind], "{table}.{}", column.name);
            let required = names(&format!(
                "select name from pragma_table_info('{table}') where name = '{}' and \"notnull\" = 1",
                column.name
            ));
            assert_eq!(required.is_empty(), column.is_optional, "{table}.{}", column.name);
        }
    }
}

#[test]
fn each_page_of_an_export_is_read_by_an_index() {
    let connection = database();
    for table in TABLES.iter() {
        let queries = [Some(&table.export), Some(&table.import), table.discard.as_ref()];
        for sql in queries.into_iter().flatten().flat_map(|query| [query.row_sql.as_str(), query.d1_sql()]) {
            let mut statement = connection.prepare(&format!("explain query plan {sql}")).unwrap();
            let mut rows = statement.raw_query();
            while let Some(row) = rows.next().unwrap() {
                let step: String = row.get(3).unwrap();
                let is_scan = step.starts_with("SCAN ") && TABLES.iter().any(|table| step.contains(table.name));
                assert!(!is_scan, "{sql}: {step}");
                // Only passkeys of several logins have to be sorted.
                assert!(table.name == "passkeys" || !step.contains("TEMP B-TREE"), "{sql}: {step}");
            }
        }
    }
}
