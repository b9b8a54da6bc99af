//! Clients in the console: a search, and one with what belongs to it (S35).

use std::cmp::Reverse;

use foldhash::HashMap;
use matterbook_core::{
    client::Client,
    matching::hashes_of_full_name,
    order,
    store::{
        CANDIDATES_COMPARED, CHANGES_SHOWN, ClientOrigin, ClientRecord, ClientSearch, ConsoleAnswer, ConsoleRefusal,
        HistoryQuery, LettersOn, OriginKind, Position, ReviewItem, StoreError, View,
    },
    time::Timestamp,
};
use smol_str::SmolStr;
use uuid::Uuid;

use super::{Answered, Asked, Denied};
use crate::{
    bind,
    driver::{Driver, Statement, Value},
    history::{self, Reader},
    operate::page,
    paginator::Paginator,
    queries,
    read::{ResultSets, Row},
    review,
};

/// How many clients a page of a search looks at.
const CLIENTS_SEARCHED: u32 = 100_000;

/// How many of the newest changes a search looks at first: most searches end there.
const NEWEST_SEARCHED: u32 = 1_000;

/// So many matches are put in order. Where there are more, they are dense enough to be met in the order of changes.
const SORTED_MAX: u32 = 1_000;

/// A page of a search.
type Page = (Vec<Client>, Option<Position>);

/// The clients that a search shows, the newest change first.
pub(super) async fn search<D: Driver>(
    asked: &Asked<'_, D>,
    search: &ClientSearch,
    before: Option<Position>,
    limit: u32,
) -> Answered {
    let (page, is_whole) = in_order(asked, search, before, limit, NEWEST_SEARCHED).await?;
    if is_whole {
        return Ok(ConsoleAnswer::Clients(page.0, page.1));
    }
    let page = match all(asked, search, before, limit).await? {
        Some(page) => page,
        None => in_order(asked, search, before, limit, CLIENTS_SEARCHED).await?.0,
    };
    Ok(ConsoleAnswer::Clients(page.0, page.1))
}

/// A page of the first clients before a place in the order of their changes, and whether it is full or nothing
/// follows.
async fn in_order<D: Driver>(
    asked: &Asked<'_, D>,
    search: &ClientSearch,
    before: Option<Position>,
    limit: u32,
    scan_rows: u32,
) -> Result<(Page, bool), Denied> {
    let (before_at, before_id) = bind::before(before);
    let places = [("before_at", before_at), ("before_id", before_id)];
    let bounds = [("scan_rows", scan_rows.into()), ("rows", (limit + 1).into())];
    let names = [conditions(asked, search), places.to_vec(), bounds.to_vec()].concat();
    let mut results = asked.read(vec![aliases(asked, search), queries::SEARCH_CLIENTS.bind(names)]).await?;
    let aliases = Aliases::read(&mut results)?;
    let mut page = Paginator::to(limit);
    let mut clients = Vec::new();
    for mut row in results.rows() {
        let client: Client = row.client()?;
        let is_shown = row.flag()? && aliases.admit(search, &client);
        if page.takes(place_of(&client), is_shown, row.flag()?) {
            clients.push(client);
        }
    }
    let next = page.next();
    let is_full = u32::try_from(clients.len()).unwrap_or(u32::MAX) == limit;
    Ok(((clients, next), is_full || next.is_none()))
}

/// A page by a scan of every client of the account; `None` where it has too many clients, or too many are found.
async fn all<D: Driver>(
    asked: &Asked<'_, D>,
    search: &ClientSearch,
    before: Option<Position>,
    limit: u32,
) -> Result<Option<Page>, Denied> {
    let has_more = queries::HAS_MORE_CLIENTS.bind([asked.account(), ("rows", CLIENTS_SEARCHED.into())]);
    if asked.read(vec![has_more]).await?.row().is_some() {
        return Ok(None);
    }
    let names = [conditions(asked, search), vec![("rows", SORTED_MAX.into())]].concat();
    let mut results = asked.read(vec![queries::SEARCH_ALL_CLIENTS.bind(names)]).await?;
    let mut places = Vec::new();
    for mut row in results.rows() {
        let (id, at) = (row.id()?, row.time()?);
        places.push(Position { at, id });
    }
    if u32::try_from(places.len()).unwrap_or(u32::MAX) >= SORTED_MAX {
        return Ok(None);
    }
    places.retain(|place| before.is_none_or(|before| *place < before));
    order::sort_by_key(&mut places, |place| Reverse(*place));
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let shown = places.get(..limit.min(places.len())).unwrap_or_default();
    let next = shown.last().filter(|_| places.len() > limit).copied();
    let rows = shown.iter().map(|place| [bind::id(asked.owner.account), bind::id(place.id)]);
    let read = queries::CLIENTS_OF_ACCOUNT.bind_rows(&["account", "client"], rows);
    if read.is_empty() {
        return Ok(Some((Vec::new(), None)));
    }
    let count = read.len();
    let mut results = asked.read([vec![aliases(asked, search)], read].concat()).await?;
    let aliases = Aliases::read(&mut results)?;
    let clients = results.rows_of(count).map(|mut row| row.client()).collect::<Result<Vec<Client>, _>>()?;
    let mut clients: Vec<_> = clients.into_iter().filter(|client| aliases.admit(search, client)).collect();
    order::sort_by_key(&mut clients, |client| Reverse(place_of(client)));
    Ok(Some((clients, next)))
}

/// So many aliases are compared with a text.
const ALIASES_COMPARED: u32 = 1_000;

/// The statement of the aliases that a search may find.
fn aliases<D: Driver>(asked: &Asked<'_, D>, search: &ClientSearch) -> Statement {
    let pattern = search.text.as_ref().map(|text| pattern(text.lower()));
    queries::ALIASES_LIKE.bind([asked.account(), ("pattern", pattern.into()), ("rows", ALIASES_COMPARED.into())])
}

/// The aliases that a search may find, by client.
struct Aliases(HashMap<Uuid, Vec<SmolStr>>);

impl Aliases {
    fn read(results: &mut ResultSets) -> Result<Self, StoreError> {
        let mut by_client: HashMap<Uuid, Vec<SmolStr>> = HashMap::default();
        for mut row in results.rows() {
            by_client.entry(row.id()?).or_default().push(row.text()?);
        }
        Ok(Self(by_client))
    }

    fn admit(&self, search: &ClientSearch, client: &Client) -> bool {
        search.admits(&client.borrowed(), self.0.get(&client.id).map(Vec::as_slice).unwrap_or_default())
    }
}

fn place_of(client: &Client) -> Position {
    Position { at: client.updated_at, id: client.id }
}

/// D1 takes a pattern of up to 50 bytes.
const PATTERN_BYTES_MAX: usize = 50;

/// The pattern of `like` that all texts with this one match, and perhaps others: the search looks at what was found
/// again. `like` takes half the time of `instr` over `lower`.
fn pattern(text: &str) -> String {
    let mut pattern = "%".to_owned();
    for letter in text.chars() {
        // A character with a meaning in a pattern becomes one that matches any character.
        let letter = if matches!(letter, '%' | '_') { '_' } else { letter };
        if pattern.len() + letter.len_utf8() + 1 > PATTERN_BYTES_MAX {
            break;
        }
        pattern.push(letter);
    }
    pattern + "%"
}

/// The parameters of the shared text `client_is_found`, with the account.
fn conditions<D>(asked: &Asked<'_, D>, search: &ClientSearch) -> Vec<(&'static str, Value)> {
    let text = search.text.as_ref();
    let hashes = text.map(|text| format!("{:?}", hashes_of_full_name(text.folded())));
    let characters = text.map_or(0, |text| text.lower().chars().count());
    vec![
        ("account", bind::id(asked.owner.account)),
        ("changed_since", bind::time(search.changed_since.unwrap_or_default())),
        ("text", text.map(|text| text.lower()).into()),
        ("pattern", text.map(|text| pattern(text.lower())).into()),
        ("text_length", i64::try_from(characters).unwrap_or(i64::MAX).into()),
        ("digits", text.and_then(|text| text.digits()).into()),
        ("name_hashes", hashes.as_deref().unwrap_or("[]").into()),
        ("settled_from", search.settled_from.map(bind::date).into()),
        ("settled_to", search.settled_to.map(bind::date).into()),
        ("letters_off", search.letters_off.into()),
        ("case_type", search.case_type.as_deref().map(str::to_ascii_lowercase).into()),
    ]
}

/// A client with its settlements, who created it, and who turned its letters on again.
pub(super) async fn show<D: Driver>(asked: &Asked<'_, D>, client: Uuid) -> Answered {
    let names = || [asked.account(), ("client", bind::id(client))];
    let view = View { now: asked.request.now, delay_seconds: 0 };
    let query = HistoryQuery { client, view, before: None, limit: CHANGES_SHOWN };
    let [first, last] = requests_of(client);
    let origin = [asked.account(), ("client", bind::id(client)), ("first_request", first), ("last_request", last)];
    let batch = vec![
        queries::CLIENT.bind(names()),
        queries::SETTLEMENTS_OF_CLIENT.bind(names()),
        queries::CLIENT_ORIGIN.bind(origin),
        queries::LETTERS_ON.bind(names()),
        history::statement(Reader::Account(asked.owner.account), &query),
    ];
    let mut results = asked.read(batch).await?;
    let found: Client = results.row().map(|mut row| row.client()).transpose()?.ok_or(ConsoleRefusal::NoClient)?;
    let settlements = results.row().map(|mut row| row.settlements(client)).transpose()?;
    let mut settlements = settlements.unwrap_or_default();
    order::sort_by_key(&mut settlements, |settlement| (settlement.begun_at, settlement.id));
    let created_by = results.row().map(origin_of).transpose()?;
    let letters_on = results.rows().map(letters).collect::<Result<_, _>>()?;
    let history = history::read(&mut results, &query)?.unwrap_or_default();
    Ok(ConsoleAnswer::Client(Box::new(ClientRecord { client: found, settlements, created_by, letters_on, history })))
}

/// The first and the last id of requests that may have minted an id: all begin with the time of the request.
fn requests_of(id: Uuid) -> [Value; 2] {
    let [a, b, c, d, e, f, ..] = id.into_bytes();
    let with = |rest: u8| {
        let bytes = [a, b, c, d, e, f, rest, rest, rest, rest, rest, rest, rest, rest, rest, rest];
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

/// What waits for review, each with the first clients in the way.
pub(super) async fn review<D: Driver>(
    asked: &Asked<'_, D>,
    seen_since: Timestamp,
    before: Option<Position>,
    limit: u32,
) -> Answered {
    let account = asked.owner.account;
    let mut results = asked.read(vec![review::page(account, seen_since, before, limit)]).await?;
    let items = results.rows().map(review::read).collect::<Result<Vec<_>, _>>()?;
    let (items, next) = page(items, limit, |(_, place)| *place);
    let ids = items.iter().flat_map(|(item, _)| item.item.candidates.iter().take(CANDIDATES_COMPARED));
    let rows = ids.map(|id| [bind::id(account), bind::id(*id)]);
    let mut results = asked.read(queries::CLIENTS_OF_IDS.bind_rows(&["account", "id"], rows)).await?;
    let clients = results.rows_of(usize::MAX).map(|mut row| row.client()).collect::<Result<Vec<Client>, _>>()?;
    let with_clients = |item: ReviewItem| {
        let ids = item.item.candidates.iter().take(CANDIDATES_COMPARED);
        let found = ids.filter_map(|id| clients.iter().find(|client| client.id == *id)).cloned().collect();
        (item, found)
    };
    Ok(ConsoleAnswer::Review(items.into_iter().map(|(item, _)| with_clients(item)).collect(), next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_has_at_most_fifty_bytes_and_no_character_with_a_meaning() {
        assert_eq!(pattern("50% off_"), "%50_ off_%");
        assert_eq!(pattern(&"é".repeat(100)), format!("%{}%", "é".repeat(24)));
        assert_eq!(pattern(&"a".repeat(100)).len(), PATTERN_BYTES_MAX);
    }
}
