//! Decides what a batch of clients changes: each is found and merged, created or refused, in order
//! (rules M26 to M34, U1 to U9, T1 to T6). A pure function: the same input gives the same plan.
//!
//! The types that a plan is made of ([`ChangeSet`] and its parts) are those of [`crate::store`], which
//! knows nothing of this module.
//!
//! With clients in a map:
//!
//! ```
//! use std::collections::HashMap;
//!
//! use matterbook_core::{
//!     client::{Client, parse_client},
//!     id::IdMint,
//!     plan::{Batch, Known, MatchedBy, UpsertResult},
//!     time::Timestamp,
//!     uuid::Uuid,
//! };
//!
//! let now = Timestamp::parse_rfc3339("2026-03-02T15:00:00Z").ok_or("no time")?;
//! let ana = Uuid::from_u128(1);
//! let fields = parse_client(r#"{"external_id": "M-1", "first_name": "Ana", "last_name": "Li"}"#)?.fields;
//! let mut clients = HashMap::from([(ana, Client { id: ana, fields, created_at: now, updated_at: now })]);
//!
//! let sent = [
//!     r#"{"external_id": "M-1", "phone": "617-555-0142"}"#,
//!     r#"{"first_name": "Rosa", "last_name": "Diaz"}"#,
//!     r#"{"first_name": "ana", "last_name": "LI"}"#,
//! ];
//! let inputs = sent.into_iter().map(parse_client).collect();
//! let batch = Batch::new(Uuid::nil(), inputs, IdMint::new(now, [7; 10]), false).explained();
//! let known: Vec<Client> = clients.values().cloned().collect();
//! let plan = batch.decide(Known { clients: &known, ..Known::default() });
//!
//! assert_eq!(plan.explanations[0].matched_by, Some(MatchedBy::ExternalId));
//! assert!(matches!(plan.results[1], UpsertResult::Created(_)));
//! let UpsertResult::Conflict(conflict) = &plan.results[2] else { return Err("no conflict")? };
//! assert_eq!(conflict.candidates, [ana]);
//! assert_eq!(plan.explanations[2].candidates, [ana]);
//!
//! // Save it: new clients have no times yet, updates have the fields before and after.
//! for new in plan.change_set.created {
//!     clients.insert(new.id, Client { id: new.id, fields: new.fields, created_at: now, updated_at: now });
//! }
//! for update in plan.change_set.updated {
//!     clients.insert(update.id, Client { fields: update.after, updated_at: now, ..update.before });
//! }
//! assert_eq!(clients.len(), 2);
//! assert_eq!(clients[&ana].fields.phone.as_deref(), Some("+16175550142"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod change_set;
mod conflict;
mod explanation;
mod find_client;
mod folded;
mod merge;
mod people;
mod position_index;
mod resolve;
mod settle;
mod shared;

pub use conflict::{Conflict, ConflictKind};
pub(crate) use explanation::differences;
pub use explanation::{CANDIDATES_MAX, Explanation, MatchedBy};
pub use matterbook_rules::duplicates::{DuplicateFinder, KnownClient, ListRow};
pub use resolve::Resolution;

use std::{fmt, sync::Arc};

use uuid::Uuid;

use crate::{
    client::{Client, ClientInput, ParseError, Settlement},
    id::IdMint,
    matching::{MatchKey, PersonHash, erased_identities},
    store::{Alias, ChangeSet, IdentityDigest, LookupKey, Snapshot, Tombstone, review_ids},
};
use explanation::ExplanationBuilder;
use find_client::Found;
use people::People;

/// The stored data of an account that a batch needs: everything that its lookup keys match.
///
/// It may contain more, such as all clients of the account. A missing client may be created twice.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'a> {
    /// Clients, each once.
    pub clients: &'a [Client],
    /// Their settlements.
    pub settlements: &'a [Settlement],
    /// Tombstones of erased clients.
    pub tombstones: &'a [Tombstone],
    /// Further external ids of these clients.
    pub aliases: &'a [Alias],
}

impl<'a> From<&'a Snapshot> for Known<'a> {
    fn from(snapshot: &'a Snapshot) -> Self {
        Self {
            clients: &snapshot.clients,
            settlements: &snapshot.settlements,
            tombstones: &snapshot.tombstones,
            aliases: &snapshot.aliases,
        }
    }
}

/// The outcome of one client of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UpsertResult {
    /// It was created with this id.
    Created(Uuid),
    /// It matched this client, changed or not.
    Updated(Uuid),
    /// It conflicts with other clients; nothing is saved.
    Conflict(Conflict),
    /// It is invalid; nothing is saved.
    Invalid(ParseError),
    /// It matched no client and has no name, so it cannot be created. The message depends on the endpoint.
    Nameless {
        /// It has an `external_id`.
        has_external_id: bool,
        /// It asked for `do_not_mail`, which was not turned on (rule U18).
        do_not_mail: bool,
    },
}

/// A plan: one outcome for each client in the order sent, and what to save.
///
/// Its `Debug` form shows results by their ids, and of what to save the counts.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// In the order sent.
    pub results: Vec<UpsertResult>,
    /// One for each outcome if the batch is [explained](Batch::explained), otherwise none.
    pub explanations: Vec<Explanation>,
    /// Applied wholly or not at all.
    pub change_set: ChangeSet,
}

/// A batch of clients.
///
/// Its `Debug` form shows how many there are.
#[derive(Clone)]
pub struct Batch {
    account: Uuid,
    /// In the order sent.
    items: Arc<[Result<Item, ParseError>]>,
    mint: IdMint,
    new_settlement_default: bool,
    /// The plan has explanations.
    is_explained: bool,
}

impl fmt::Debug for Batch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Batch")
            .field("account", &self.account)
            .field("clients", &self.items.len())
            .finish_non_exhaustive()
    }
}

/// One valid client of a batch.
struct Item {
    input: ClientInput,
    match_key: MatchKey,
    hash: PersonHash,
}

impl Item {
    fn of(input: ClientInput) -> Self {
        let match_key = MatchKey::of(&input.fields);
        let hash = match_key.hash();
        Self { input, match_key, hash }
    }
}

impl Batch {
    /// A batch of parsed clients, each of which may be invalid.
    ///
    /// `new_settlement_default` applies to clients without `new_settlement`: false on `POST /clients`, true on
    /// `POST /cases/settled` (group T).
    #[must_use]
    pub fn new(
        account: Uuid,
        inputs: Vec<Result<ClientInput, ParseError>>,
        mint: IdMint,
        new_settlement_default: bool,
    ) -> Self {
        let items = inputs.into_iter().map(|input| input.map(Item::of)).collect();
        Self { account, items, mint, new_settlement_default, is_explained: false }
    }

    /// The same batch, whose plan has explanations.
    ///
    /// ```
    /// use matterbook_core::{client::{Client, parse_client}, id::IdMint, normalize::Field};
    /// use matterbook_core::{plan::{Batch, Known, MatchedBy}, time::Timestamp, uuid::Uuid};
    ///
    /// let now = Timestamp::from_micros(1_700_000_000_000_000);
    /// let fields = parse_client(r#"{"external_id": 7, "last_name": "Li"}"#).unwrap().fields;
    /// let known = Client { id: Uuid::from_u128(1), fields, created_at: now, updated_at: now };
    /// let inputs = vec![parse_client(r#"{"external_id": "7", "last_name": "Li", "city": "Reno"}"#)];
    /// let batch = Batch::new(Uuid::nil(), inputs, IdMint::new(now, [7; 10]), false).explained();
    ///
    /// let plan = batch.decide(Known { clients: &[known], ..Known::default() });
    /// assert_eq!(plan.explanations[0].matched_by, Some(MatchedBy::ExternalId));
    /// assert_eq!(plan.explanations[0].changed, [Field::City]);
    /// ```
    #[must_use]
    pub fn explained(self) -> Self {
        Self { is_explained: true, ..self }
    }

    /// The account that the batch is of.
    pub(crate) const fn account(&self) -> Uuid {
        self.account
    }

    /// A client, and whether a settled date of it begins a settlement; `None` for an invalid one.
    pub(crate) fn input(&self, index: usize) -> Option<(&ClientInput, bool)> {
        let input = &self.items.get(index)?.as_ref().ok()?.input;
        Some((input, input.new_settlement.unwrap_or(self.new_settlement_default)))
    }

    /// The ids of the items that may wait for a client.
    pub(crate) fn review_ids(&self, index: usize) -> Vec<Uuid> {
        let item = self.items.get(index).and_then(|item| item.as_ref().ok());
        item.map(|item| review_ids(self.account, item.input.fields.external_id.as_deref(), item.hash))
            .unwrap_or_default()
    }

    /// The number of clients, invalid ones included.
    #[cfg(feature = "console")]
    pub(crate) fn clients(&self) -> usize {
        self.items.len()
    }

    /// Whether a client has a settled date. Then the lookup keys ask for settlements.
    pub(crate) fn settles(&self) -> bool {
        self.readable().any(|item| item.input.fields.settled_on.is_some())
    }

    /// What [`Batch::decide`] needs to know: one lookup key for each readable client.
    #[must_use]
    pub fn lookup_keys(&self) -> Vec<LookupKey> {
        // A client that settles may be matched only through what an earlier one of the batch changed,
        // so one settled date makes every key ask for settlements.
        let settles = self.settles();
        let mut scratch = Vec::new();
        let mut keys = Vec::with_capacity(self.items.len());
        keys.extend(self.readable().map(|item| LookupKey {
            external_id: item.input.fields.external_id.clone(),
            person: item.hash,
            settles,
            fields: item.input.fields.clone(),
            fingerprint: Some(item.input.fields.fingerprint_in(&mut scratch)),
        }));
        keys
    }

    fn identities_of(&self, item: &Item) -> Vec<IdentityDigest> {
        erased_identities(self.account, item.input.fields.external_id.as_deref(), &item.match_key)
    }

    /// Decides the batch in order. Each client sees the changes of the clients before it (rule U5).
    ///
    /// ```
    /// use matterbook_core::{client::parse_client, id::IdMint, plan::{Batch, Known, UpsertResult}};
    /// use matterbook_core::{time::Timestamp, uuid::Uuid};
    ///
    /// let same_person_twice = vec![
    ///     parse_client(r#"{"first_name":"Ana","last_name":"Li","address_line1":"1 Oak Street","zip":2134}"#),
    ///     parse_client(r#"{"first_name":"ana","last_name":"LI","address_line1":"1 Oak St.","zip":"02134"}"#),
    /// ];
    /// let mint = IdMint::new(Timestamp::from_micros(1_700_000_000_000_000), [7; 10]);
    /// let batch = Batch::new(Uuid::nil(), same_person_twice, mint, false);
    /// let plan = batch.decide(Known::default());
    /// assert!(matches!(plan.results[..], [UpsertResult::Created(first), UpsertResult::Updated(second)] if first == second));
    /// assert_eq!(plan.change_set.created.len(), 1);
    /// ```
    #[must_use]
    pub fn decide(&self, known: Known<'_>) -> Plan {
        let mut people = People::new(known, self.items.len());
        let mut explanations = ExplanationBuilder::new(&people);
        let mut results = Vec::with_capacity(self.items.len());
        for (number, item) in (0..).zip(&*self.items) {
            results.push(match item {
                Ok(item) => self.decide_one(number, item, &mut people, known.tombstones, &mut explanations),
                Err(error) => UpsertResult::Invalid(error.clone()),
            });
            if self.is_explained {
                explanations.finish(&people);
            }
        }
        Plan { results, explanations: explanations.done, change_set: people.into_change_set() }
    }

    fn readable(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter_map(|item| item.as_ref().ok())
    }

    fn decide_one<'k>(
        &'k self,
        number: u32,
        item: &'k Item,
        people: &mut People<'k>,
        tombstones: &[Tombstone],
        explanations: &mut ExplanationBuilder,
    ) -> UpsertResult {
        let new_settlement = item.input.new_settlement.unwrap_or(self.new_settlement_default);
        let settlement_id = self.mint.id(2 * number + 1);
        match find_client::find(item, people) {
            Found::Person(place) => {
                if self.is_explained {
                    explanations.found(place, item, people);
                }
                // Each matter of a person has a settlement of its own (rule T13).
                let is_alias = item.input.new_settlement.is_none()
                    && item.input.fields.settled_on.is_some()
                    && people.is_alias(place, item);
                let id = people.update(place, item, |person| {
                    settle::settle(person, item.input.fields.settled_on, new_settlement || is_alias, settlement_id);
                });
                UpsertResult::Updated(id)
            }
            Found::Nobody if item.input.fields.first_name.is_none() && item.input.fields.last_name.is_none() => {
                let fields = &item.input.fields;
                UpsertResult::Nameless {
                    has_external_id: fields.external_id.is_some(),
                    do_not_mail: fields.do_not_mail,
                }
            }
            Found::Nobody => {
                let id = self.mint.id(2 * number);
                let keeps_do_not_mail = self.was_erased_with_do_not_mail(item, tombstones);
                people.create(id, item, |person| {
                    if keeps_do_not_mail && !person.fields.do_not_mail {
                        person.fields.to_mut().do_not_mail = true;
                    }
                    settle::settle(person, item.input.fields.settled_on, new_settlement, settlement_id);
                });
                UpsertResult::Created(id)
            }
            Found::Ambiguous(conflict) => {
                if self.is_explained {
                    explanations.ambiguous(item, people);
                }
                UpsertResult::Conflict(conflict)
            }
        }
    }

    /// Whether this person was erased with `do_not_mail` on (rule D3).
    fn was_erased_with_do_not_mail(&self, item: &Item, tombstones: &[Tombstone]) -> bool {
        tombstones.iter().any(|tombstone| tombstone.do_not_mail)
            && self.identities_of(item).iter().any(|identity| {
                tombstones.iter().any(|tombstone| tombstone.do_not_mail && tombstone.identity == *identity)
            })
    }
}
