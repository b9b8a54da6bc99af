//! S35: clients in the console.

use matterbook_core::{
    client::ClientFields,
    id::IdMint,
    store::{
        ChangeRequest, ChangeSet, ClientOrigin, ClientRecord, ClientSearch, ConsoleAnswer, ConsoleCommand,
        ConsoleRefusal, LettersOn, OperatorCommand, OriginKind, Position, SearchText, SettlementChange,
    },
    uuid::Uuid,
};

use super::{
    super::{
        CaseResult, ensure, ensure_eq,
        scene::Firm,
        values::{MINUTE_SECONDS, UNKNOWN, at, date, new_client, person, saving},
    },
    person::{ConsoleScene, EMAIL, Person, instead},
};

impl ConsoleScene<'_> {
    /// The external ids that a search shows, over all its pages of a size.
    async fn found(&self, person: Person, search: ClientSearch, limit: u32) -> CaseResult<Vec<String>> {
        let (mut found, mut before): (Vec<String>, Option<Position>) = (Vec::new(), None);
        loop {
            let search = ConsoleCommand::SearchClients { search: search.clone(), before, limit };
            let answer = self.ask(person, at(1_000), search).await?;
            let ConsoleAnswer::Clients(clients, next) = answer else { return Err(instead("clients", &answer)) };
            ensure!(clients.len() <= limit as usize, "a page of {limit} has {} clients", clients.len());
            found
                .extend(clients.iter().map(|client| client.fields.external_id.clone().unwrap_or_default().to_string()));
            if next.is_none() {
                return Ok(found);
            }
            ensure!(before.is_none() || next < before, "a search does not get on: after {before:?} comes {next:?}");
            before = next;
        }
    }

    async fn record(&self, person: Person, seconds: i64, client: Uuid) -> CaseResult<ClientRecord> {
        match self.ask(person, at(seconds), ConsoleCommand::ShowClient { client }).await? {
            ConsoleAnswer::Client(record) => Ok(*record),
            other => Err(instead("a client", &other)),
        }
    }
}

/// Three clients of a firm, saved one after the other, and one of another firm.
async fn people(scene: &ConsoleScene<'_>) -> CaseResult<(Firm, Person)> {
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    let ana = ClientFields {
        external_id: Some("A-17".into()),
        first_name: Some("José".into()),
        last_name: Some("Specimenez".into()),
        email: Some("Jose@firm.example".into()),
        phone: Some("+12175550134".into()),
        zip: Some("62704".into()),
        case_type: Some("Motor vehicle".into()),
        settled_on: Some(date("2026-01-15")?),
        ..ClientFields::default()
    };
    let bob = ClientFields {
        external_id: Some("B-2".into()),
        first_name: Some("Bob".into()),
        last_name: Some("Sampleton".into()),
        zip: Some("02134".into()),
        do_not_mail: true,
        settled_on: Some(date("2026-02-15")?),
        ..ClientFields::default()
    };
    let carl =
        ClientFields { external_id: Some("C-3".into()), last_name: Some("Demowitz".into()), ..ClientFields::default() };
    for (second, fields) in (1..).zip([ana, bob, carl]) {
        scene.create(&firm, at(second), &[fields]).await?;
    }
    scene.create(&other, at(1), &[ClientFields { last_name: Some("Sampleton".into()), ..person("X") }]).await?;
    let session = scene.session(firm.owner, at(900)).await?;
    Ok((firm, session))
}

/// A part of a name, number, address, phone number or ZIP finds a client; the newest change comes first.
pub(super) async fn s35_search_finds_parts_newest_change_first(scene: ConsoleScene<'_>) -> CaseResult {
    let (firm, session) = people(&scene).await?;
    for limit in [1, 2, 100] {
        let all = scene.found(session, ClientSearch::default(), limit).await?;
        ensure_eq!(all, ["C-3", "B-2", "A-17"], "all clients in pages of {limit}");
    }
    scene.update(&firm, at(10), "A-17", |fields| fields.city = Some("Springfield".into())).await?;
    let all = scene.found(session, ClientSearch::default(), 2).await?;
    ensure_eq!(all, ["A-17", "C-3", "B-2"], "all clients, one of which changed");
    for (text, expected) in [
        ("SPECI", vec!["A-17"]),
        ("é spec", vec!["A-17"]),
        ("jose specimenez", vec!["A-17"]),
        ("sampl", vec!["B-2"]),
        ("a-1", vec!["A-17"]),
        ("-", vec!["A-17", "C-3", "B-2"]),
        ("@FIRM", vec!["A-17"]),
        ("(217) 555", vec!["A-17"]),
        ("021", vec!["B-2"]),
        ("2134", vec![]),
        ("62704", vec!["A-17"]),
        ("%", vec![]),
        ("nobody", vec![]),
    ] {
        let search = ClientSearch { text: SearchText::new(text), ..ClientSearch::default() };
        ensure_eq!(scene.found(session, search, 2).await?, expected, "clients found by {text:?}");
    }
    Ok(())
}

/// Each filter leaves out the others, and filters are combined.
pub(super) async fn s35_search_filters(scene: ConsoleScene<'_>) -> CaseResult {
    let (_, session) = people(&scene).await?;
    let all = ClientSearch::default;
    for (search, expected) in [
        (ClientSearch { settled_from: Some(date("2026-01-15")?), ..all() }, vec!["B-2", "A-17"]),
        (ClientSearch { settled_from: Some(date("2026-01-16")?), ..all() }, vec!["B-2"]),
        (ClientSearch { settled_to: Some(date("2026-01-15")?), ..all() }, vec!["A-17"]),
        (ClientSearch { letters_off: true, ..all() }, vec!["B-2"]),
        (ClientSearch { case_type: Some("VEHICLE".into()), ..all() }, vec!["A-17"]),
        (ClientSearch { changed_since: Some(at(2)), ..all() }, vec!["C-3", "B-2"]),
        (ClientSearch { changed_since: Some(at(4)), ..all() }, vec![]),
        (ClientSearch { letters_off: true, text: SearchText::new("speci"), ..all() }, vec![]),
    ] {
        ensure_eq!(scene.found(session, search.clone(), 1).await?, expected, "clients found by {search:?}");
    }
    Ok(())
}

/// A client shows its settlements, who created it, and who turned its letters on again, and why.
pub(super) async fn s35_client_shows_what_belongs_to_it(scene: ConsoleScene<'_>) -> CaseResult {
    let firm = scene.firm().await?;
    let login = scene.login(&firm, matterbook_core::account::Role::Teammate).await?;
    let session = scene.session(login, at(900)).await?;
    // Ids of one request begin with the same time.
    let [request_id, id] = [1, 2].map(|draw| IdMint::new(at(1), [draw; 10]).id(0));
    let fields = ClientFields { do_not_mail: true, ..person("1") };
    let begun = scene.id();
    let change_set = ChangeSet {
        created: vec![new_client(id, fields)],
        settlements: vec![SettlementChange::Begun {
            id: begun,
            client: id,
            settled_on: date("2026-01-15")?,
            former_dates: vec![date("2026-01-14")?],
        }],
        ..ChangeSet::default()
    };
    scene.change(ChangeRequest { request_id, decide: saving(change_set), ..scene.request(&firm, at(1)) }).await?;
    let record = scene.record(session, 1_000, id).await?;
    ensure_eq!((record.client.id, record.client.fields.do_not_mail), (id, true), "the client as it is");
    let created_by = ClientOrigin { kind: OriginKind::Key, name: None };
    ensure_eq!(record.created_by, Some(created_by), "who created it");
    let settlements: Vec<_> = record
        .settlements
        .iter()
        .map(|settlement| (settlement.id, settlement.settled_on, settlement.begun_at))
        .collect();
    ensure_eq!(settlements, [(begun, date("2026-01-15")?, at(1))], "its settlements");
    ensure_eq!(record.letters_on, [], "who turned its letters on before anybody did");

    let (reason, client_delay_seconds) = ("She asked for it".to_owned(), MINUTE_SECONDS);
    let mail_on = |client| ConsoleCommand::MailOn { client, reason: reason.clone(), client_delay_seconds };
    let answer = scene.ask(session, at(1_001), mail_on(id)).await?;
    let ConsoleAnswer::Client(record) = answer else { return Err(instead("the client", &answer)) };
    let by_person = LettersOn { at: at(1_001), actor: EMAIL.to_owned(), reason: Some(reason.clone()) };
    ensure_eq!(record.letters_on, std::slice::from_ref(&by_person), "who turned its letters on");
    let found = (record.client.fields.do_not_mail, record.client.updated_at);
    ensure_eq!(found, (false, at(1_001)), "the client's letters, and its last change");
    // Where letters are on already, nothing is changed or noted.
    scene.ask(session, at(1_002), mail_on(id)).await?;
    let again = scene.record(session, 1_003, id).await?;
    ensure_eq!((again.letters_on.len(), again.client.updated_at), (1, at(1_001)), "letters turned on twice");

    scene.update(&firm, at(1_004), "1", |fields| fields.do_not_mail = true).await?;
    let operator = OperatorCommand::MailOn { account: firm.account, client: id, client_delay_seconds };
    scene.operate(at(1_005), "client.mail_on", operator).await?;
    let by_operator = LettersOn { at: at(1_005), actor: "tester".to_owned(), reason: None };
    let record = scene.record(session, 1_006, id).await?;
    ensure_eq!(record.letters_on, [by_person, by_operator], "who turned its letters on, oldest first");
    let erase = OperatorCommand::EraseClient { account: firm.account, client: id };
    scene.operate(at(1_007), "client.erase", erase).await?;
    for client in [id, UNKNOWN] {
        scene.denies(session, at(1_008), ConsoleCommand::ShowClient { client }, ConsoleRefusal::NoClient).await?;
        scene.denies(session, at(1_008), mail_on(client), ConsoleRefusal::NoClient).await?;
    }
    Ok(())
}
