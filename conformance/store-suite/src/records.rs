//! The operator's commands about prospects, clients, settlements and the log: what each does, what
//! it answers, when it is refused (group O of the specification).

use matterbook_core::{
    client::ClientFields,
    prospect::{Prospect, ProspectFields},
    store::{
        ChangeRequest, ChangeSet, ClientFilter, ImportOutcome, LogRecord, LookupKey, OperatorAnswer, OperatorCommand,
        Position, Refusal, SettlementChange, SettlementEntry,
    },
};

use super::{
    AnyStore, CaseResult, Failure, ensure, ensure_eq,
    log::whole_log,
    scene::{Scene, unexpected},
    values::{UNKNOWN, at, clients_at, crash, date, hash_of, new_client, person, prospects_at, saving, update_of},
};

const COOK: &str = "17031";

/// A `source_id` that is known is updated in place: given values replace, absent ones stay, and so
/// do id and `added_at`. Within a batch, order counts.
pub(super) async fn import_prospects_again_keeps_what_is_not_given(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.grant(&firm, COOK, "2020-01-01").await?;
    let text = |text: &str| Some(text.into());
    let full = ProspectFields {
        first_name: text("Ada"),
        address_line1: text("1 Main St"),
        address_line2: text("Apt 2"),
        city: text("Chicago"),
        state: text("IL"),
        zip: text("60601"),
        email: text("ada@mail.example"),
        phone: text("+13125550100"),
        person_type: text("driver"),
        injury_severity: text("possible"),
        transported: Some(true),
        crash_time: text("08:15"),
        crash_city: text("Chicago"),
        crash_state: text("IL"),
        crash_county: text("Cook"),
        crash_report_number: text("R1"),
        manner_of_collision: text("Angle"),
        vehicle_year: Some(2019),
        vehicle_make: text("Honda"),
        vehicle_model: text("Fit"),
        vehicle_towed: Some(true),
        hit_and_run: Some(false),
        ..crash("1", COOK, "2026-01-01")?
    };
    let bare = ProspectFields { last_name: None, ..crash("1", COOK, "2026-01-02")? };
    let changed = ProspectFields {
        city: text("Evanston"),
        transported: Some(false),
        hit_and_run: Some(true),
        vehicle_year: Some(2020),
        ..bare.clone()
    };
    let outcomes = scene.import(at(0), vec![full.clone(), crash("2", COOK, "2026-01-01")?, bare]).await?;
    let [ImportOutcome::Created(id), ImportOutcome::Created(other), ImportOutcome::Updated(again)] = outcomes[..]
    else {
        return Err(Failure(format!("a new prospect, another, and the first again came to {outcomes:?}")));
    };
    ensure!(id == again && id != other, "a prospect that is imported again gets another id: {outcomes:?}");
    let outcomes = scene.import(at(10), vec![changed]).await?;
    ensure_eq!(outcomes, [ImportOutcome::Updated(id)], "the outcome of a later import of a known prospect");
    let shown = scene.walk_prospects(&firm, prospects_at(at(3_600))).await?;
    let shown: Vec<_> = shown.into_iter().filter(|prospect| prospect.id == id).collect();
    let fields = ProspectFields {
        crash_date: date("2026-01-02")?,
        city: text("Evanston"),
        transported: Some(false),
        hit_and_run: Some(true),
        vehicle_year: Some(2020),
        ..full
    };
    let expected = Prospect { id, fields, added_at: at(0) };
    ensure_eq!(shown, [expected], "a prospect that was imported three times");
    Ok(())
}

/// An erased prospect is refused the second time.
pub(super) async fn erase_prospect_takes_it_from_the_pages(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.grant(&firm, COOK, "2020-01-01").await?;
    let outcomes = scene.import(at(0), vec![crash("1", COOK, "2026-01-01")?]).await?;
    let [ImportOutcome::Created(prospect)] = outcomes[..] else {
        return Err(Failure(format!("a new prospect came to {outcomes:?}")));
    };
    scene.refuses(OperatorCommand::EraseProspect { prospect: UNKNOWN }, Refusal::NoProspect).await?;
    let answer = scene.operate(at(1), "prospect.erase", OperatorCommand::EraseProspect { prospect }).await?;
    ensure_eq!(answer, OperatorAnswer::Erased, "the answer to the erasure of a prospect");
    let shown = scene.walk_prospects(&firm, prospects_at(at(7_200))).await?;
    ensure!(shown.is_empty(), "an erased prospect is on a page");
    scene.refuses(OperatorCommand::EraseProspect { prospect }, Refusal::NoProspect).await
}

/// The operator sees a client as it is now, while callers still see it as it was.
pub(super) async fn show_client_without_delay(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let fields = full_client()?;
    let ids = scene.create(&firm, at(0), std::slice::from_ref(&fields)).await?;
    let shown = scene.show_to_operator(&firm, ids[0]).await?;
    ensure_eq!(shown.fields, fields, "a client with every field, shown");
    scene.update(&firm, at(100), "1", |fields| fields.city = Some("Springfield".into())).await?;
    let shown = scene.show_to_operator(&firm, ids[0]).await?;
    let found = (shown.fields.city, shown.created_at, shown.updated_at);
    ensure_eq!(found, (Some("Springfield".into()), at(0), at(100)), "a client that changed just now, shown");
    let command = OperatorCommand::ShowClient { account: firm.account, client: UNKNOWN };
    scene.refuses(command, Refusal::NoClient).await
}

/// Clients are found by their present values, in their own account, in pages.
pub(super) async fn find_clients_as_they_are_now(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    let phone = |digits: &str| ClientFilter { phone: Some(digits.into()), ..ClientFilter::default() };
    let fields = |external_id| ClientFields { phone: Some("+16185550100".into()), ..person(external_id) };
    scene.create(&other, at(0), &[fields("1")]).await?;
    let ids = scene.create(&firm, at(0), &[fields("1"), fields("2"), fields("3")]).await?;
    scene.update(&firm, at(100), "2", |fields| fields.phone = Some("+16185550199".into())).await?;
    let find = async |filter: ClientFilter| {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let command =
                OperatorCommand::FindClients { account: firm.account, filter: filter.clone(), after, limit: 1 };
            match scene.operate(at(100), "client.find", command).await? {
                OperatorAnswer::Clients(clients, next) => {
                    found.extend(clients.into_iter().map(|client| client.id));
                    after = next;
                }
                other => return Err(unexpected("clients", &other)),
            }
            if after.is_none() {
                return Ok(found);
            }
        }
    };
    ensure_eq!(find(phone("+16185550100")).await?, [ids[0], ids[2]], "those with a phone number");
    ensure_eq!(find(phone("+16185550199")).await?, [ids[1]], "one that has a new number");
    ensure_eq!(find(ClientFilter::default()).await?, [ids[0], ids[2], ids[1]], "all clients");
    let by_id = ClientFilter { external_id: Some("2".into()), ..ClientFilter::default() };
    ensure_eq!(find(by_id.clone()).await?, [ids[1]], "one by its external id");
    let with_another_phone = ClientFilter { phone: Some("+1".into()), ..by_id };
    ensure!(find(with_another_phone).await?.is_empty(), "a client is found that has one value of two");
    let command = OperatorCommand::FindClients { account: UNKNOWN, filter: phone("+1"), after: None, limit: 1 };
    scene.refuses(command, Refusal::NoAccount).await
}

fn full_client() -> CaseResult<ClientFields> {
    let text = |text: &str| Some(text.into());
    Ok(ClientFields {
        address_line2: text("Apt 2\nrear"),
        city: text("O’Fallon"),
        state: text("IL"),
        zip: text("62269-0001"),
        email: text("ada@mail.example"),
        phone: text("+16185550100"),
        case_type: text("Auto \"rear-end\""),
        opened_on: Some(date("2025-01-31")?),
        settled_on: Some(date("2026-01-31")?),
        do_not_mail: true,
        ..person("1")
    })
}

/// Turning letters on again is a commit of its own, and changes nothing else; once on, it stays so.
pub(super) async fn mail_on_is_a_change_of_the_client(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let fields = full_client()?;
    let ids = scene.create(&firm, at(0), std::slice::from_ref(&fields)).await?;
    let client = ids[0];
    let mail_on = |client| OperatorCommand::MailOn { account: firm.account, client, client_delay_seconds: 60 };
    for second in [10, 20] {
        let answer = scene.operate(at(second), "client.mail_on", mail_on(client)).await?;
        let OperatorAnswer::Client(shown) = answer else { return Err(unexpected("a client", &answer)) };
        ensure_eq!(shown.fields, ClientFields { do_not_mail: false, ..fields.clone() }, "a client with letters on");
        ensure_eq!((shown.created_at, shown.updated_at), (at(0), at(10)), "its times, letters on at {second} s");
        ensure_eq!(scene.show_to_operator(&firm, client).await?, *shown, "the client, shown afterwards");
    }
    let matched = scene.snapshot(&firm, at(30), vec![LookupKey { person: hash_of(&fields), ..LookupKey::default() }]);
    ensure_eq!(matched.await?.clients.len(), 1, "clients matched by the name and place of one with letters on");
    scene.refuses(mail_on(UNKNOWN), Refusal::NoClient).await
}

/// An erased client is refused the second time.
pub(super) async fn erase_client_once(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let ids = scene.create(&firm, at(0), &[person("1"), person("2")]).await?;
    let erase = |client| OperatorCommand::EraseClient { account: firm.account, client };
    let answer = scene.operate(at(1), "client.erase", erase(ids[0])).await?;
    ensure_eq!(answer, OperatorAnswer::Erased, "the answer to the erasure of a client");
    scene.refuses(erase(ids[0]), Refusal::NoClient).await?;
    let shown: Vec<_> = scene.walk_clients(&firm, clients_at(at(100))).await?.iter().map(|row| row.id).collect();
    ensure_eq!(shown, ids[1..], "the clients that are left");
    Ok(())
}

/// The feed has each settlement once, in the order of its last change: a correction appears again,
/// later, as the same settlement, and the client is shown as it is now.
pub(super) async fn list_settlements_by_last_change(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    let fields = full_client()?;
    let (first, second) = (scene.id(), scene.id());
    let (early, late) = (scene.id(), scene.id());
    let begun = |id, client, settled_on| SettlementChange::Begun { id, client, settled_on, former_dates: Vec::new() };
    let created = vec![new_client(first, fields.clone()), new_client(second, person("2"))];
    let settlements = vec![begun(early, first, date("2026-01-01")?)];
    let decide = saving(ChangeSet { created, settlements, ..ChangeSet::default() });
    scene.change(ChangeRequest { decide, ..scene.request(&firm, at(1)) }).await?;
    let settlements = vec![begun(late, second, date("2026-01-02")?)];
    let decide = saving(ChangeSet { settlements, ..ChangeSet::default() });
    scene.change(ChangeRequest { decide, ..scene.request(&firm, at(2)) }).await?;
    let feed: Vec<_> = scene.settlements(&firm).await?.into_iter().map(|row| row.id).collect();
    ensure_eq!(feed, [early, late], "the feed of two settlements");

    let corrected = SettlementChange::Corrected {
        id: early,
        client: first,
        settled_on: date("2026-01-05")?,
        former_dates: vec![date("2026-01-01")?],
    };
    let updated = vec![update_of(&scene.show_to_operator(&firm, first).await?, |fields| fields.do_not_mail = false)];
    let decide = saving(ChangeSet { updated, settlements: vec![corrected], ..ChangeSet::default() });
    scene.change(ChangeRequest { decide, ..scene.request(&firm, at(3)) }).await?;
    let feed = scene.settlements(&firm).await?;
    let expected = SettlementEntry {
        id: early,
        client_id: first,
        external_id: fields.external_id,
        first_name: fields.first_name,
        last_name: fields.last_name,
        address_line1: fields.address_line1,
        address_line2: fields.address_line2,
        city: fields.city,
        state: fields.state,
        zip: fields.zip,
        case_type: fields.case_type,
        settled_on: date("2026-01-05")?,
        begun_at: at(1),
        changed_at: at(3),
        do_not_mail: false,
        similar_do_not_mail: false,
    };
    ensure_eq!(feed.len(), 2, "settlements in the feed after a correction");
    ensure_eq!(feed[0].id, late, "the settlement that was not corrected comes first");
    ensure_eq!(feed[1], expected, "a corrected settlement, with its client as it is now");

    let (mut pages, mut after) = (Vec::new(), None);
    loop {
        let command = OperatorCommand::ListSettlements { account: firm.account, after, limit: 1 };
        let OperatorAnswer::Settlements(rows, next) = scene.operate(at(4), "settlement.list", command).await? else {
            return Err(Failure("the settlements feed is answered by something else".to_owned()));
        };
        ensure!(next.is_none() || next > after, "a walk over the settlements does not get on");
        pages.extend(rows);
        after = next;
        if after.is_none() {
            break;
        }
    }
    ensure_eq!(pages, feed, "the feed in pages of 1");
    let after = Some(Position { at: at(2), id: late });
    let command = OperatorCommand::ListSettlements { account: firm.account, after, limit: 100 };
    let later = scene.operate(at(4), "settlement.list", command).await?;
    ensure_eq!(later, OperatorAnswer::Settlements(vec![expected], None), "what followed the place of an earlier walk");
    ensure_eq!(scene.settlements(&other).await?, [], "the feed of another account");
    Ok(())
}

/// The log records actor, action, subject, time and request.
pub(super) async fn list_log_tells_who_did_what(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let account = scene.account(at(3)).await?;
    let log = whole_log(&scene, 100).await?;
    let [LogRecord { at: logged_at, actor, action, .. }] = &log[..] else {
        return Err(Failure(format!("the log after one new account: {log:?}")));
    };
    let found = (*logged_at, actor.as_str(), action.as_str());
    ensure_eq!(found, (at(3), "tester", "account.create"), "the entry of a new account");
    ensure_eq!(account.created_at, at(3), "the account's own time");
    Ok(())
}
