//! Each command of the operator: what it does, what it answers, when it is refused (design
//! section 9).

use matterbook_core::{
    account::{Account, AccountFlags, Grant, KeyRecord, Login, Role},
    client::ClientFields,
    key::KeyDigest,
    prospect::ProspectFields,
    store::{
        AccountChange, ChangeRequest, ChangeSet, ImportOutcome, LogRecord, OperatorAnswer, OperatorCommand, Position,
        Refusal, SettlementChange, SettlementEntry, Store,
    },
};
use uuid::Uuid;

use super::{
    CaseResult, Failure, ensure, ensure_eq,
    log::whole_log,
    scene::{Scene, at, clients_at, crash, date, new_client, person, prospects_at, saving, unexpected, update_of},
};

const UNKNOWN: Uuid = Uuid::from_u128(404);
const COOK: &str = "17031";

async fn show_account<S: Store>(scene: &Scene<S>, account: Uuid) -> CaseResult<Account> {
    match scene.operate(at(0), "account.show", OperatorCommand::ShowAccount { account }).await? {
        OperatorAnswer::Account(account) => Ok(account),
        other => Err(unexpected("an account", &other)),
    }
}

async fn refused<S: Store>(scene: &Scene<S>, command: OperatorCommand, refusal: Refusal) -> CaseResult {
    let shown = format!("{command:?}");
    let answer = scene.operate(at(50), "refused", command).await?;
    ensure_eq!(answer, OperatorAnswer::Refused(refusal), "the answer to {shown}");
    Ok(())
}

/// An account begins with its owner's login at its own address, and without counties.
pub(super) async fn create_account_makes_the_owner_too(store: impl Store) -> CaseResult {
    let scene = Scene::on(store);
    let (id, login_id) = (scene.id(), scene.id());
    let flags = AccountFlags { api_enabled: true, suspended: false, digital_bundle: false, contact_enrichment: true };
    let email = "owner@firm.example".to_owned();
    let command = OperatorCommand::CreateAccount { id, login_id, email: email.clone(), flags };
    let answer = scene.operate(at(7), "account.create", command).await?;
    let owner = Login { id: login_id, account_id: id, email: email.clone(), role: Role::Owner, created_at: at(7) };
    let account = Account { id, email, flags, created_at: at(7), logins: vec![owner], counties: Vec::new() };
    ensure_eq!(answer, OperatorAnswer::Account(account.clone()), "the answer to a new account");
    ensure_eq!(show_account(&scene, id).await?, account, "a new account, shown");
    Ok(())
}

/// An account that nobody created is refused, wherever it is named.
pub(super) async fn show_account_refuses_an_unknown_one(store: impl Store) -> CaseResult {
    let scene = Scene::on(store);
    scene.firm().await?;
    refused(&scene, OperatorCommand::ShowAccount { account: UNKNOWN }, Refusal::NoAccount).await?;
    refused(&scene, OperatorCommand::ListKeys { account: UNKNOWN }, Refusal::NoAccount).await?;
    let list = OperatorCommand::ListSettlements { account: UNKNOWN, after: None, limit: 1 };
    refused(&scene, list, Refusal::NoAccount).await
}

/// Accounts are listed in the order in which they were created, with logins and counties.
pub(super) async fn list_accounts_oldest_first_in_pages(store: impl Store) -> CaseResult {
    let scene = Scene::on(store);
    let mut expected = Vec::new();
    for second in [3, 1, 2, 2] {
        expected.push(scene.account(at(second)).await?);
    }
    expected.sort_by_key(|account| (account.created_at, account.id));
    for limit in [1, 2, 3, 4, 100] {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let command = OperatorCommand::ListAccounts { after, limit };
            let OperatorAnswer::Accounts(accounts, next) = scene.operate(at(9), "account.list", command).await? else {
                return Err(Failure("a list of accounts is answered by something else".to_owned()));
            };
            ensure!(accounts.len() <= limit as usize, "a page of {limit} has {} accounts", accounts.len());
            ensure!(next.is_none() || next > after, "a walk over the accounts does not get on");
            found.extend(accounts);
            after = next;
            if after.is_none() {
                break;
            }
        }
        ensure_eq!(found, expected, "the accounts in pages of {limit}");
    }
    Ok(())
}

/// What a change does not name stays as it was.
pub(super) async fn set_account_leaves_what_is_not_given(store: impl Store) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let mut expected = show_account(&scene, firm.account).await?;
    let nothing = AccountChange::default;
    for (change, apply) in [
        (
            AccountChange { email: Some("new@firm.example".to_owned()), ..nothing() },
            (|account| account.email = "new@firm.example".to_owned()) as fn(&mut Account),
        ),
        (AccountChange { api_enabled: Some(false), ..nothing() }, |account| account.flags.api_enabled = false),
        (AccountChange { suspended: Some(true), ..nothing() }, |account| account.flags.suspended = true),
        (AccountChange { digital_bundle: Some(false), ..nothing() }, |account| account.flags.digital_bundle = false),
        (AccountChange { contact_enrichment: Some(true), ..nothing() }, |account| {
            account.flags.contact_enrichment = true;
        }),
        (nothing(), |_| ()),
    ] {
        let command = OperatorCommand::SetAccount { account: firm.account, change: change.clone() };
        let answer = scene.operate(at(1), "account.set", command).await?;
        apply(&mut expected);
        ensure_eq!(answer, OperatorAnswer::Account(expected.clone()), "the answer to {change:?}");
        ensure_eq!(show_account(&scene, firm.account).await?, expected, "the account after {change:?}");
    }
    let holder = scene.store.holder(&firm.key).await?.map(|holder| (holder.email, holder.flags));
    ensure_eq!(holder, Some((expected.email, expected.flags)), "what the account's key shows");
    refused(&scene, OperatorCommand::SetAccount { account: UNKNOWN, change: nothing() }, Refusal::NoAccount).await
}

/// A login is added to its account, after the older ones.
pub(super) async fn add_login_to_a_known_account(store: impl Store) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let (id, account, email) = (scene.id(), firm.account, "teammate@firm.example".to_owned());
    let role = Role::Teammate;
    let command = OperatorCommand::AddLogin { id, account, email: email.clone(), role };
    let answer = scene.operate(at(5), "login.add", command).await?;
    let login = Login { id, account_id: account, email: email.clone(), role, created_at: at(5) };
    ensure_eq!(answer, OperatorAnswer::Login(login.clone()), "the answer to a new login");
    let logins = show_account(&scene, account).await?.logins;
    ensure_eq!(logins.get(1..), Some(&[login][..]), "the logins of the account after its owner's");
    let command = OperatorCommand::AddLogin { id: scene.id(), account: UNKNOWN, email, role };
    refused(&scene, command, Refusal::NoAccount).await
}

/// A role that is set holds for the login and for its keys.
pub(super) async fn set_role_of_a_known_login(store: impl Store) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    for role in [Role::Teammate, Role::ViewOnly, Role::Owner] {
        let answer =
            scene.operate(at(5), "login.set_role", OperatorCommand::SetRole { login: firm.owner, role }).await?;
        let shown = show_account(&scene, firm.account).await?.logins;
        ensure_eq!(shown.iter().map(|login| login.role).collect::<Vec<_>>(), [role], "the role that was set, shown");
        ensure_eq!(answer, OperatorAnswer::Login(shown[0].clone()), "the answer to a new role");
        let holder = scene.store.holder(&firm.key).await?.map(|holder| holder.role);
        ensure_eq!(holder, Some(role), "the role that the login's key shows");
    }
    refused(&scene, OperatorCommand::SetRole { login: UNKNOWN, role: Role::Owner }, Refusal::NoLogin).await
}

/// Only an owner's login makes keys; where none is named, the oldest owner's does.
pub(super) async fn create_key_for_owners_only(store: impl Store) -> CaseResult {
    let scene = Scene::on(store);
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    let account = firm.account;
    let (second_owner, teammate) = (scene.id(), scene.id());
    for (second, id, role) in [(1, second_owner, Role::Owner), (2, teammate, Role::Teammate)] {
        let email = "someone@firm.example".to_owned();
        scene.operate(at(second), "login.add", OperatorCommand::AddLogin { id, account, email, role }).await?;
    }
    for (number, (login, login_id)) in
        [(None, firm.owner), (Some(second_owner), second_owner), (Some(firm.owner), firm.owner)].into_iter().enumerate()
    {
        let (id, digest, label) = (scene.id(), KeyDigest::of(&format!("mtb_{number}")), Some(format!("key {number}")));
        let command = OperatorCommand::CreateKey { id, account, login, label: label.clone(), digest };
        let answer = scene.operate(at(3), "key.create", command).await?;
        let (created_at, last_used_at, revoked_at) = (at(3), None, None);
        let record = KeyRecord { id, account_id: account, login_id, label, created_at, last_used_at, revoked_at };
        ensure_eq!(answer, OperatorAnswer::Key(record), "the answer to a new key for the login {login:?}");
        let opens = scene.store.holder(&digest).await?.map(|holder| (holder.account, holder.role));
        ensure_eq!(opens, Some((account, Role::Owner)), "what a new key opens");
    }
    let key_for = |account, login| OperatorCommand::CreateKey {
        id: scene.id(),
        account,
        login,
        label: None,
        digest: KeyDigest::of("mtb_refused"),
    };
    refused(&scene, key_for(account, Some(teammate)), Refusal::NotOwner).await?;
    refused(&scene, key_for(account, Some(other.owner)), Refusal::NoLogin).await?;
    refused(&scene, key_for(account, Some(UNKNOWN)), Refusal::NoLogin).await?;
    refused(&scene, key_for(UNKNOWN, None), Refusal::NoAccount).await?;
    let role = Role::Teammate;
    scene.operate(at(5), "login.set_role", OperatorCommand::SetRole { login: other.owner, role }).await?;
    refused(&scene, key_for(other.account, None), Refusal::NoOwner).await?;
    ensure_eq!(scene.store.holder(&KeyDigest::of("mtb_refused")).await?, None, "what a refused key opens");
    Ok(())
}

async fn list_keys<S: Store>(scene: &Scene<S>, account: Uuid) -> CaseResult<Vec<KeyRecord>> {
    match scene.operate(at(0), "key.list", OperatorCommand::ListKeys { account }).await? {
        OperatorAnswer::Keys(keys) => Ok(keys),
        other => Err(unexpected("keys", &other)),
    }
}

/// The keys of an account, and of no other, oldest first, also those that work no more.
pub(super) async fn list_keys_with_revoked_ones(store: impl Store) -> CaseResult {
    let scene = Scene::on(store);
    let (firm, _other) = (scene.firm().await?, scene.firm().await?);
    let mut expected = vec![(firm.key_id, None)];
    for second in [1, 2] {
        let (id, digest) = (scene.id(), KeyDigest::of(&format!("mtb_{second}")));
        let command = OperatorCommand::CreateKey { id, account: firm.account, login: None, label: None, digest };
        scene.operate(at(second), "key.create", command).await?;
        expected.push((id, None));
    }
    scene.operate(at(3), "key.revoke", OperatorCommand::RevokeKey { key: expected[1].0 }).await?;
    expected[1].1 = Some(at(3));
    let keys: Vec<_> = list_keys(&scene, firm.account).await?.into_iter().map(|key| (key.id, key.revoked_at)).collect();
    ensure_eq!(keys, expected, "the keys of an account, one revoked");
    Ok(())
}

/// A key that is revoked twice keeps the time of the first.
pub(super) async fn revoke_key_keeps_the_first_time(store: impl Store) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    for second in [5, 6] {
        let answer = scene.operate(at(second), "key.revoke", OperatorCommand::RevokeKey { key: firm.key_id }).await?;
        let OperatorAnswer::Key(key) = answer else { return Err(unexpected("a key", &answer)) };
        ensure_eq!((key.id, key.revoked_at), (firm.key_id, Some(at(5))), "a key that is revoked at {second} s");
        ensure_eq!(list_keys(&scene, firm.account).await?, [key], "the revoked key, listed");
    }
    refused(&scene, OperatorCommand::RevokeKey { key: UNKNOWN }, Refusal::NoKey).await
}

/// A county is granted once: granting it again moves its date.
pub(super) async fn grant_county_again_moves_its_date(store: impl Store) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.grant(&firm, COOK, "2025-06-01").await?;
    scene.grant(&firm, "06037", "2025-06-01").await?;
    for from_date in ["2025-01-01", "2025-09-01"] {
        scene.grant(&firm, COOK, from_date).await?;
        let grant = |fips: &str, from_date: &str| {
            Ok::<_, Failure>(Grant { fips: fips.to_owned(), from_date: date(from_date)? })
        };
        let counties = show_account(&scene, firm.account).await?.counties;
        ensure_eq!(counties, [grant("06037", "2025-06-01")?, grant(COOK, from_date)?], "the counties by FIPS code");
    }
    let grant = Grant { fips: COOK.to_owned(), from_date: date("2025-01-01")? };
    refused(&scene, OperatorCommand::GrantCounty { account: UNKNOWN, grant }, Refusal::NoAccount).await
}

/// Taking a county back answers the grant as it was, once.
pub(super) async fn revoke_county_hands_back_what_it_was(store: impl Store) -> CaseResult {
    let scene = Scene::on(store);
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    scene.grant(&firm, COOK, "2025-06-01").await?;
    let revoke = |account| OperatorCommand::RevokeCounty { account, fips: COOK.to_owned() };
    refused(&scene, revoke(other.account), Refusal::NoCounty).await?;
    let answer = scene.operate(at(1), "county.revoke", revoke(firm.account)).await?;
    let grant = Grant { fips: COOK.to_owned(), from_date: date("2025-06-01")? };
    ensure_eq!(answer, OperatorAnswer::County(grant), "the answer to a county that is taken back");
    ensure_eq!(show_account(&scene, firm.account).await?.counties, [], "the counties afterwards");
    refused(&scene, revoke(firm.account), Refusal::NoCounty).await?;
    refused(&scene, revoke(UNKNOWN), Refusal::NoAccount).await
}

/// A `source_id` that is known is updated in place: given values replace, absent ones stay, and so
/// do id and `added_at`. Within a batch, order counts.
pub(super) async fn import_prospects_again_keeps_what_is_not_given(store: impl Store) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.grant(&firm, COOK, "2020-01-01").await?;
    let text = |text: &str| Some(text.to_owned());
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
    let expected = matterbook_core::prospect::Prospect { id, fields, added_at: at(0) };
    ensure_eq!(shown, [expected], "a prospect that was imported three times");
    Ok(())
}

/// An erased prospect is refused the second time.
pub(super) async fn erase_prospect_takes_it_from_the_pages(store: impl Store) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    scene.grant(&firm, COOK, "2020-01-01").await?;
    let outcomes = scene.import(at(0), vec![crash("1", COOK, "2026-01-01")?]).await?;
    let [ImportOutcome::Created(prospect)] = outcomes[..] else {
        return Err(Failure(format!("a new prospect came to {outcomes:?}")));
    };
    refused(&scene, OperatorCommand::EraseProspect { prospect: UNKNOWN }, Refusal::NoProspect).await?;
    let answer = scene.operate(at(1), "prospect.erase", OperatorCommand::EraseProspect { prospect }).await?;
    ensure_eq!(answer, OperatorAnswer::Erased, "the answer to the erasure of a prospect");
    let shown = scene.walk_prospects(&firm, prospects_at(at(7_200))).await?;
    ensure!(shown.is_empty(), "an erased prospect is on a page");
    refused(&scene, OperatorCommand::EraseProspect { prospect }, Refusal::NoProspect).await
}

/// The operator sees a client as it is now, while callers still see it as it was.
pub(super) async fn show_client_without_delay(store: impl Store) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let fields = full_client()?;
    let ids = scene.create(&firm, at(0), std::slice::from_ref(&fields)).await?;
    let shown = scene.show(&firm, ids[0]).await?;
    ensure_eq!(shown.fields, fields, "a client with every field, shown");
    scene.update(&firm, at(100), "1", |fields| fields.city = Some("Springfield".to_owned())).await?;
    let shown = scene.show(&firm, ids[0]).await?;
    let found = (shown.fields.city, shown.created_at, shown.updated_at);
    ensure_eq!(found, (Some("Springfield".to_owned()), at(0), at(100)), "a client that changed just now, shown");
    let command = OperatorCommand::ShowClient { account: firm.account, client: UNKNOWN };
    refused(&scene, command, Refusal::NoClient).await
}

fn full_client() -> CaseResult<ClientFields> {
    let text = |text: &str| Some(text.to_owned());
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
pub(super) async fn mail_on_is_a_change_of_the_client(store: impl Store) -> CaseResult {
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
        ensure_eq!(scene.show(&firm, client).await?, shown, "the client, shown afterwards");
    }
    let met = scene.look(
        &firm,
        at(30),
        vec![matterbook_core::store::Want { person: super::scene::hash_of(&fields), ..Default::default() }],
    );
    ensure_eq!(met.await?.clients.len(), 1, "clients met by the name and place of one with letters on");
    refused(&scene, mail_on(UNKNOWN), Refusal::NoClient).await
}

/// An erased client is refused the second time.
pub(super) async fn erase_client_once(store: impl Store) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let ids = scene.create(&firm, at(0), &[person("1"), person("2")]).await?;
    let erase = |client| OperatorCommand::EraseClient { account: firm.account, client };
    let answer = scene.operate(at(1), "client.erase", erase(ids[0])).await?;
    ensure_eq!(answer, OperatorAnswer::Erased, "the answer to the erasure of a client");
    refused(&scene, erase(ids[0]), Refusal::NoClient).await?;
    let shown: Vec<_> = scene.walk_clients(&firm, clients_at(at(100))).await?.iter().map(|row| row.id).collect();
    ensure_eq!(shown, ids[1..], "the clients that are left");
    Ok(())
}

/// The feed has each settlement once, in the order of its last change: a correction appears again,
/// later, as the same settlement, and the client is shown as it is now.
pub(super) async fn list_settlements_by_last_change(store: impl Store) -> CaseResult {
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
    let updated = vec![update_of(&scene.show(&firm, first).await?, |fields| fields.do_not_mail = false)];
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

/// The log tells who did what to whom, when, in which request.
pub(super) async fn list_log_tells_who_did_what(store: impl Store) -> CaseResult {
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
