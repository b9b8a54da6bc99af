//! Decides one client as a person decided it (rules J5 to J7).

use uuid::Uuid;

use super::{Batch, Known, people::People, settle};
use crate::{
    client::parse_client,
    id::IdMint,
    store::{Alias, ChangeSet, ClientUpdate, NewReviewItem, Refusal, ReviewDecision},
};

/// What a decision about an item comes to.
///
/// Its `Debug` form shows how many changes there are.
#[derive(Clone, Debug, Default)]
pub struct Resolution {
    /// What to save.
    pub change_set: ChangeSet,
    /// The client that the item was, or has become; `None` if it was left.
    pub client: Option<Uuid>,
}

impl Resolution {
    /// Decides an item over what is known: the client that was named, and the one that has its `external_id`. New ids are
    /// minted from `mint`.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn of(
        account: Uuid,
        item: &NewReviewItem,
        decision: ReviewDecision,
        known: Known<'_>,
        mint: IdMint,
    ) -> Result<Self, Refusal> {
        let client = match decision {
            ReviewDecision::Leave => return Ok(Self::default()),
            ReviewDecision::Same(client) => Some(client),
            ReviewDecision::Another => None,
        };
        let input = item.sent.as_deref().and_then(|sent| parse_client(sent).ok()).ok_or(Refusal::Unreadable)?;
        Batch::new(account, vec![Ok(input)], mint, false).resolve(client, known)
    }
}

impl Batch {
    /// Gives the one client of the batch to a known client, or creates it.
    fn resolve(&self, client: Option<Uuid>, known: Known<'_>) -> Result<Resolution, Refusal> {
        let item = self.readable().next().ok_or(Refusal::Unreadable)?;
        let sent = &item.input.fields;
        let mut people = People::new(known, 1);
        let holder = sent.external_id.as_deref().and_then(|external_id| people.with_external_id(external_id));
        let new_settlement = item.input.new_settlement.unwrap_or(false);
        let settlement_id = self.mint.id(1);
        let Some(client) = client else {
            if holder.is_some() {
                return Err(Refusal::ExternalIdTaken);
            }
            if sent.first_name.is_none() && sent.last_name.is_none() {
                return Err(Refusal::Nameless);
            }
            let id = self.mint.id(0);
            let keeps_do_not_mail = self.was_erased_with_do_not_mail(item, known.tombstones);
            people.create(id, item, |person| {
                if keeps_do_not_mail && !person.fields.do_not_mail {
                    person.fields.to_mut().do_not_mail = true;
                }
                settle::settle(person, sent.settled_on, new_settlement, settlement_id);
            });
            return Ok(Resolution { change_set: people.into_change_set(), client: Some(id) });
        };
        let place = people.list.iter().position(|person| person.id == client).ok_or(Refusal::NoClient)?;
        if holder.is_some_and(|holder| holder != place) {
            return Err(Refusal::ExternalIdTaken);
        }
        let known = people.list.get(place).and_then(|person| person.before);
        let has_other_id = known.is_some_and(|known| known.fields.external_id.is_some()) && holder.is_none();
        let alias = sent.external_id.clone().filter(|_| has_other_id);
        let new_settlement = new_settlement || people.is_alias(place, item);
        people.update(place, item, |person| {
            settle::settle(person, sent.settled_on, new_settlement, settlement_id);
        });
        let mut change_set = people.into_change_set();
        // A person found it, not the request.
        change_set.updated.iter_mut().for_each(|update| update.matched_by = None);
        if let (Some(_), Some(before), true) = (&alias, known, change_set.updated.is_empty()) {
            let (before, after) = (before.clone(), before.fields.clone());
            change_set.updated.push(ClientUpdate { id: client, before, after, new_hash: None, matched_by: None });
        }
        change_set.aliases = alias.map(|external_id| Alias { client, external_id }).into_iter().collect();
        Ok(Resolution { change_set, client: Some(client) })
    }
}
