//! What the preview of an import answers besides the results of a dry run (rule G31): what the saved clients are matched
//! by, and their settlements. From these the page knows what earlier rows of the file do to later ones, which no dry run
//! sees (decision 0108).

use chrono::NaiveDate;
use serde::Serialize;
use uuid::Uuid;

use super::super::{error::ApiError, response::to_json};
use crate::{
    client::{Client, Settlement},
    order,
    plan::Batch,
    store::Snapshot,
};

/// What is known of a saved client.
#[derive(Serialize)]
struct KnownClient<'s> {
    id: Uuid,
    external_id: Option<&'s str>,
    /// Those of the batch's external ids that are its aliases.
    aliases: Vec<&'s str>,
    first_name: Option<&'s str>,
    last_name: Option<&'s str>,
    address_line1: Option<&'s str>,
    address_line2: Option<&'s str>,
    zip: Option<&'s str>,
    /// The date of each and its former dates, in the order in which they began; `None` if the batch settles nothing.
    settlements: Option<Vec<(NaiveDate, &'s [NaiveDate])>>,
}

/// Adds the member `known` to an object.
pub(in crate::api) fn push_effects(body: &mut String, snapshot: &Snapshot, batch: &Batch) -> Result<(), ApiError> {
    let settles = batch.settles();
    let mut settlements: Vec<&Settlement> = snapshot.settlements.iter().collect();
    order::sort_by_key(&mut settlements, |settlement| (settlement.client, settlement.begun_at, settlement.id));
    let mut known = Vec::with_capacity(snapshot.clients.len());
    for client in &snapshot.clients {
        let of_client = order::of_key(&settlements, &client.id, |settlement| settlement.client).to_vec();
        let aliases = snapshot.aliases.iter().filter(|alias| alias.client == client.id);
        let aliases = aliases.map(|alias| alias.external_id.as_str()).collect();
        known.push(KnownClient { aliases, ..KnownClient::of(client, settles.then_some(of_client)) });
    }
    body.push_str(",\"known\":");
    body.push_str(&String::from_utf8(to_json(&known)?).unwrap_or_default());
    Ok(())
}

impl<'s> KnownClient<'s> {
    fn of(client: &'s Client, settlements: Option<Vec<&'s Settlement>>) -> Self {
        let fields = &client.fields;
        let dates = |settlement: &'s Settlement| (settlement.settled_on, settlement.former_dates.as_slice());
        Self {
            id: client.id,
            external_id: fields.external_id.as_deref(),
            aliases: Vec::new(),
            first_name: fields.first_name.as_deref(),
            last_name: fields.last_name.as_deref(),
            address_line1: fields.address_line1.as_deref(),
            address_line2: fields.address_line2.as_deref(),
            zip: fields.zip.as_deref(),
            settlements: settlements.map(|settlements| settlements.into_iter().map(dates).collect()),
        }
    }
}
