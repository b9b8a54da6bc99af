//! The clients of a batch, hashed where somebody asks.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::{
    client::ClientInput,
    matching::{PersonHash, Room},
};

/// The clients of a batch as they were sent. Folding a record for its hashes takes over a third of the time that
/// reading it does, and whom an external id finds need not be folded, so it is done when it is first asked for.
#[derive(Debug)]
pub(crate) struct BatchClients {
    /// In the order sent; those that could not be read as the sentence that says why.
    pub(super) inputs: Vec<Result<ClientInput, String>>,
    hashes: Vec<OnceLock<PersonHash>>,
    room: Mutex<Room>,
}

impl BatchClients {
    pub(super) fn of(inputs: Vec<Result<ClientInput, String>>) -> Self {
        let hashes = inputs.iter().map(|_| OnceLock::new()).collect();
        Self { inputs, hashes, room: Mutex::default() }
    }

    /// The hashes of the client at a place, nothing of one that could not be read.
    pub(crate) fn hash(&self, place: usize) -> PersonHash {
        let (Some(Ok(input)), Some(hash)) = (self.inputs.get(place), self.hashes.get(place)) else {
            return PersonHash::default();
        };
        // Whatever is in the room is made anew with each record.
        let fold = || PersonHash::of(&mut self.room.lock().unwrap_or_else(PoisonError::into_inner), &input.fields);
        *hash.get_or_init(fold)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use crate::{
        client::{Client, parse_client},
        id::IdMint,
        plan::{Batch, Known, Outcome},
        time::Timestamp,
    };

    #[test]
    fn only_whom_no_external_id_finds_is_folded() {
        let now = Timestamp::from_micros(0);
        let sent = [
            r#"{"external_id": "1", "last_name": "Li", "address_line1": "1 Oak St", "zip": "02134", "city": "Reno"}"#,
            r#"{"external_id": "2", "last_name": "Diaz", "address_line1": "2 Elm St", "zip": "89501"}"#,
            r#"{"last_name": "Poe", "address_line1": "3 Ash St", "zip": "10001"}"#,
        ];
        let known = sent[..2].iter().zip(1..).map(|(client, number)| {
            let fields = parse_client(&client.replace("Reno", "Boston")).unwrap().fields;
            Client { id: Uuid::from_u128(number), fields, created_at: now, updated_at: now }
        });
        let known: Vec<_> = known.collect();
        let inputs = sent.map(parse_client).into_iter().collect();
        let batch = Batch::new(Uuid::nil(), inputs, IdMint::new(now, [7; 10]), false);
        let plan = batch.decide(Known { clients: &known, ..Known::default() });
        assert!(matches!(plan.outcomes[..], [Outcome::Updated(_), Outcome::Updated(_), Outcome::Created(_)]));
        assert_eq!(plan.change_set.updated.len(), 1);
        assert!(batch.clients.hashes.iter().map(|hash| hash.get().is_some()).eq([false, false, true]));
    }
}
