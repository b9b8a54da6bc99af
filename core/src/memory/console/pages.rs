//! What pages of the console show (S33, S34).

use std::{cmp::Reverse, collections::BTreeMap};

use uuid::Uuid;

use super::Answered;
use crate::{
    client::Client,
    memory::{
        account::{Content, Source},
        listing::page,
        state::State,
    },
    store::{
        CHANGES_SHOWN, ClientOrigin, ClientRecord, ClientSearch, ConsoleAnswer, ConsoleRefusal, DayCounts, DaySource,
        OriginKind, Overview, OverviewQuery, Position, SourceCounts, SourceKind,
    },
    time::Timestamp,
};

impl State {
    pub(super) fn client_record(&self, account: Uuid, client: Uuid) -> Answered {
        let content = self.own(account)?;
        let found = content.clients.get(client).cloned().ok_or(ConsoleRefusal::NoClient)?;
        let created_by = content.arrivals.iter().find(|arrival| arrival.at == found.created_at);
        let created_by = created_by.map(|arrival| self.origin(&arrival.source));
        let letters_on = content.letters_on.get(&client).cloned().unwrap_or_default();
        let settlements = content.clients.settlements_of(client);
        let history = self.client_history(content, client, Timestamp::MAX, None, CHANGES_SHOWN).unwrap_or_default();
        Ok(ConsoleAnswer::Client(Box::new(ClientRecord {
            client: found,
            settlements,
            created_by,
            letters_on,
            history,
        })))
    }

    fn origin(&self, source: &Source) -> ClientOrigin {
        match source {
            Source::Key(key) => {
                let label = self.keys.get(key).and_then(|key| key.label.clone());
                ClientOrigin { kind: OriginKind::Key, name: label }
            }
            Source::Login(login, _) => {
                let name = self.login(*login).map(|login| login.email.clone());
                ClientOrigin { kind: OriginKind::Person, name }
            }
            Source::Operator => ClientOrigin { kind: OriginKind::Operator, name: None },
        }
    }

    /// The kind of a source, its id and its name.
    fn day_source(&self, content: &Content, source: &Source) -> (SourceKind, Uuid, Option<String>) {
        match source {
            Source::Key(key) => {
                let key = self.keys.get(key);
                let name = key.map(|key| key.label.clone().unwrap_or_else(|| format!("…{}", key.last_four)));
                (SourceKind::Key, key.map(|key| key.id).unwrap_or_default(), name)
            }
            Source::Login(_, Some(import)) => (SourceKind::Import, *import, content.imports.file_name(*import)),
            Source::Login(login, None) => {
                let name = self.login(*login).map(|login| login.email.clone());
                (SourceKind::Person, *login, name)
            }
            Source::Operator => (SourceKind::Operator, Uuid::nil(), None),
        }
    }

    pub(super) fn overview(&self, account: Uuid, query: &OverviewQuery) -> Answered {
        let content = self.own(account)?;
        let days = query.days.iter().map(|(day, from, to)| {
            let mut sources: BTreeMap<(SourceKind, Uuid), DaySource> = BTreeMap::new();
            let came = content.arrivals.iter().filter(|arrival| *from <= arrival.at && arrival.at < *to);
            for arrival in came.filter(|arrival| arrival.created + arrival.changed > 0) {
                let (kind, id, name) = self.day_source(content, &arrival.source);
                let counts = SourceCounts::default();
                let source = sources.entry((kind, id)).or_insert(DaySource { kind, name, counts });
                source.counts.created += arrival.created;
                source.counts.changed += arrival.changed;
            }
            let mut sources: Vec<_> = sources.into_values().collect();
            sources.sort_by(|one, other| (one.kind, &one.name).cmp(&(other.kind, &other.name)));
            DayCounts { day: *day, sources }
        });
        let begun = content.clients.settlements_begun_since(query.month_start);
        let (without, with): (Vec<_>, Vec<_>) = begun.into_iter().partition(|do_not_mail| *do_not_mail);
        let count = |rows: usize| u32::try_from(rows).unwrap_or(u32::MAX);
        let new_prospects = if content.account.flags.digital_bundle {
            self.prospects.added_between(query, &content.account.counties)
        } else {
            0
        };
        Ok(ConsoleAnswer::Overview(Box::new(Overview {
            days: days.collect(),
            settlements_with_letters: count(with.len()),
            settlements_without_letters: count(without.len()),
            new_prospects: count(new_prospects),
            waiting: count(content.review.count(query.review_since)),
            similar: count(content.similar.count()),
            unused_keys: self.keys_of(account).into_iter().filter(|key| query.is_unused(key)).collect(),
        })))
    }
}

/// The clients that a search shows, the newest change first.
pub(super) fn find_clients(
    own: &Content,
    search: &ClientSearch,
    before: Option<Position>,
    limit: u32,
) -> ConsoleAnswer {
    let places: BTreeMap<Reverse<Position>, &Client> =
        own.clients.all().map(|client| (Reverse(Position { at: client.updated_at, id: client.id }), client)).collect();
    let follows = |place: &Reverse<Position>| before.is_none_or(|before| place.0 < before);
    let following = places.keys().filter(|place| follows(place)).map(|place| place.0);
    let show = |place: Position| {
        let client = places.get(&Reverse(place))?;
        let aliases = own.clients.aliases_of(client.id);
        search.admits(&client.borrowed(), &aliases).then(|| (*client).clone())
    };
    let (clients, next) = page(following, limit, show);
    ConsoleAnswer::Clients(clients, next)
}
