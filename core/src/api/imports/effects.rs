//! What the preview of an import answers besides the results of a dry run (rule G31): which settlements the batch would
//! begin and correct, and what the saved clients are matched by. From these the page knows what earlier rows of the
//! file do to later ones, which no dry run sees (decision 0108).

use chrono::NaiveDate;
use serde::Serialize;
use uuid::Uuid;

use super::super::{error::ApiError, response::to_json};
use crate::{
    client::Client,
    plan::{Batch, Plan},
    store::{SettlementChange, Snapshot},
};

#[derive(Serialize)]
struct Effects<'s> {
    settlements: Settlements,
    known: Vec<KnownClient<'s>>,
}

#[derive(Default, Serialize)]
struct Settlements {
    /// Each with the place in the batch of the client that begins it.
    begun: Vec<(usize, NaiveDate)>,
    /// Each with the id of its client.
    corrected: Vec<(Uuid, NaiveDate)>,
}

/// What a saved client is matched by.
#[derive(Serialize)]
struct KnownClient<'s> {
    id: Uuid,
    external_id: Option<&'s str>,
    first_name: Option<&'s str>,
    last_name: Option<&'s str>,
    address_line1: Option<&'s str>,
    address_line2: Option<&'s str>,
    zip: Option<&'s str>,
}

/// Adds the members `settlements` and `known` to an object.
pub(in crate::api) fn push_effects(
    body: &mut String,
    plan: &Plan,
    snapshot: &Snapshot,
    batch: &Batch,
) -> Result<(), ApiError> {
    let known = snapshot.clients.iter().map(KnownClient::of).collect();
    let json = to_json(&Effects { settlements: Settlements::of(plan, batch), known })?;
    let json = String::from_utf8(json).unwrap_or_default();
    if let Some(members) = json.strip_prefix('{').and_then(|json| json.strip_suffix('}')) {
        body.push(',');
        body.push_str(members);
    }
    Ok(())
}

impl Settlements {
    fn of(plan: &Plan, batch: &Batch) -> Self {
        let mut settlements = Self::default();
        for change in &plan.change_set.settlements {
            match change {
                SettlementChange::Begun { id, settled_on, .. } => {
                    settlements.begun.extend(batch.place_of_settlement(*id).map(|place| (place, *settled_on)));
                }
                SettlementChange::Corrected { client, settled_on, .. } => {
                    settlements.corrected.push((*client, *settled_on));
                }
            }
        }
        settlements
    }
}

impl<'s> KnownClient<'s> {
    fn of(client: &'s Client) -> Self {
        let fields = &client.fields;
        Self {
            id: client.id,
            external_id: fields.external_id.as_deref(),
            first_name: fields.first_name.as_deref(),
            last_name: fields.last_name.as_deref(),
            address_line1: fields.address_line1.as_deref(),
            address_line2: fields.address_line2.as_deref(),
            zip: fields.zip.as_deref(),
        }
    }
}
