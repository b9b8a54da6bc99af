//! Clients in the console: a search, and one with what belongs to it (S35).

use matterbook_core::{
    client::Client,
    matching::hashes_of_full_name,
    store::{
        ClientOrigin, ClientRecord, ClientSearch, ConsoleAnswer, ConsoleRefusal, LettersOn, OriginKind, Position,
        StoreError,
    },
    time::Timestamp,
};
use uuid::Uuid;

use super::{Answered, Asked};
use crate::{bind, driver::Driver, paginator::Paginator, queries, read::Row};

/// How many clients a page of a search looks at.
const CLIENTS_SEARCHED: u32 = 100_000;

/// The clients that a search shows, the newest change first.
pub(super) async fn search<D: Driver>(
    asked: &Asked<'_, D>,
    search: &ClientSearch,
    before: Option<Position>,
    limit: u32,
) -> Answered {
    let (before_at, before_id) = bind::before(before);
    let text = search.text.as_ref();
    let hashes = text.map(|text| format!("{:?}", hashes_of_full_name(text.folded())));
    let characters = text.map_or(0, |text| text.lower().chars().count());
    let find = queries::SEARCH_CLIENTS.bind([
        asked.account(),
        ("before_at", before_at),
        ("before_id", before_id),
        ("changed_since", bind::time(search.changed_since.unwrap_or_default())),
        ("text", text.map(|text| text.lower()).into()),
        ("text_length", i64::try_from(characters).unwrap_or(i64::MAX).into()),
        ("digits", text.and_then(|text| text.digits()).into()),
        ("name_hashes", hashes.as_deref().unwrap_or("[]").into()),
        ("settled_from", search.settled_from.map(bind::date).into()),
        ("settled_to", search.settled_to.map(bind::date).into()),
        ("letters_off", search.letters_off.into()),
        ("case_type", search.case_type.as_deref().map(str::to_ascii_lowercase).into()),
        ("scan_rows", CLIENTS_SEARCHED.into()),
        ("rows", (limit + 1).into()),
    ]);
    let mut results = asked.read(vec![find]).await?;
    let mut page = Paginator::to(limit);
    let mut clients = Vec::new();
    for mut row in results.rows() {
        let client: Client = row.client()?;
        let place = Position { at: client.updated_at, id: client.id };
        let is_shown = row.flag()? && search.admits(&client.borrowed());
        if page.takes(place, is_shown, row.flag()?) {
            clients.push(client);
        }
    }
    Ok(ConsoleAnswer::Clients(clients, page.next()))
}

/// A client with its settlements, who created it, and who turned its letters on again.
pub(super) async fn show<D: Driver>(asked: &Asked<'_, D>, client: Uuid) -> Answered {
    let names = || [asked.account(), ("client", bind::id(client))];
    let [first, last] = requests_of(client);
    let origin = [asked.account(), ("client", bind::id(client)), ("first_request", first), ("last_request", last)];
    let batch = vec![
        queries::CLIENT.bind(names()),
        queries::SETTLEMENTS_OF_CLIENT.bind(names()),
        queries::CLIENT_ORIGIN.bind(origin),
        queries::LETTERS_ON.bind(names()),
    ];
    let mut results = asked.read(batch).await?;
    let found: Client = results.row().map(|mut row| row.client()).transpose()?.ok_or(ConsoleRefusal::NoClient)?;
    let settlements = results.row().map(|mut row| row.settlements(client)).transpose()?;
    let mut settlements = settlements.unwrap_or_default();
    settlements.sort_by_key(|settlement| (settlement.begun_at, settlement.id));
    let created_by = results.row().map(origin_of).transpose()?;
    let letters_on = results.rows().map(letters).collect::<Result<_, _>>()?;
    Ok(ConsoleAnswer::Client(Box::new(ClientRecord { client: found, settlements, created_by, letters_on })))
}

/// The first and the last id of requests that may have minted an id: all begin with the time of the request.
fn requests_of(id: Uuid) -> [crate::driver::Value; 2] {
    let [a, b, c, d, e, f, ..] = id.into_bytes();
    let with = |rest: u8| {
        let mut bytes = [rest; 16];
        bytes[..6].copy_from_slice(&[a, b, c, d, e, f]);
        bind::id(Uuid::from_bytes(bytes))
    };
    [with(0), with(0xff)]
}

fn origin_of(mut row: Row) -> Result<ClientOrigin, StoreError> {
    let kind = match (row.flag()?, row.flag()?) {
        (true, _) => OriginKind::Key,
        (false, true) => OriginKind::Person,
        (false, false) => OriginKind::Operator,
    };
    Ok(ClientOrigin { kind, name: row.optional_text()? })
}

fn letters(mut row: Row) -> Result<LettersOn, StoreError> {
    let at: Timestamp = row.time()?;
    Ok(LettersOn { at, actor: row.text()?, reason: row.optional_text()? })
}
