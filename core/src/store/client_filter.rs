//! Which clients a listing shows (rule V12).

use smol_str::SmolStr;
use uuid::Uuid;

use crate::{client::ClientRef, matching::fold_name};

/// Which clients a listing shows: those that have every given value. Absent members restrict nothing.
///
/// ```
/// use matterbook_core::{client::{Client, ClientFields}, store::ClientFilter, time::Timestamp, uuid::Uuid};
/// let fields = ClientFields {
///     first_name: Some("Ana".into()), last_name: Some("Li".into()), ..ClientFields::default()
/// };
/// let at = Timestamp::from_micros(5);
/// let client = Client { id: Uuid::nil(), fields, created_at: at, updated_at: at };
/// let named = |name| ClientFilter::default().with_name(name);
/// assert!(named("ana LI").admits(&client.borrowed()));
/// assert!(!named("Li Ana").admits(&client.borrowed()));
/// ```
///
/// Its `Debug` form shows what a caller searches for: never log it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientFilter {
    /// The client with this id.
    pub id: Option<Uuid>,
    /// The client with exactly this external id, as its own or as an alias (M40).
    pub external_id: Option<SmolStr>,
    /// Clients with this e-mail address, normalized.
    pub email: Option<SmolStr>,
    /// Clients with this phone number, normalized.
    pub phone: Option<SmolStr>,
    /// Clients whose first and last name, folded and joined by a space, are this.
    pub name: Option<SmolStr>,
}

impl ClientFilter {
    /// Restricts the listing to clients of that first and last name, which is folded here.
    #[must_use]
    pub fn with_name(self, name: &str) -> Self {
        Self { name: Some(fold_name(name)), ..self }
    }

    /// Whether the listing shows a client in this state.
    #[must_use]
    pub fn admits(&self, client: &ClientRef<'_>) -> bool {
        let is = |wanted: &Option<SmolStr>, value: Option<&str>| {
            wanted.as_deref().is_none_or(|wanted| Some(wanted) == value)
        };
        let fields = &client.fields;
        self.id.is_none_or(|id| id == client.id)
            && is(&self.external_id, fields.external_id)
            && is(&self.email, fields.email)
            && is(&self.phone, fields.phone)
            && self.name.as_deref().is_none_or(|wanted| {
                let names = [fields.first_name, fields.last_name].into_iter().flatten();
                let folded = names.map(fold_name).filter(|name| !name.is_empty()).collect::<Vec<_>>();
                folded.join(" ") == wanted
            })
    }

    /// Whether the listing shows a client in this state that has the external id as an alias.
    #[must_use]
    pub fn admits_by_alias(&self, client: &ClientRef<'_>) -> bool {
        Self { external_id: None, ..self.clone() }.admits(client)
    }

    /// Whether an index leads to the one client that the listing can show.
    #[must_use]
    pub const fn is_of_one(&self) -> bool {
        self.id.is_some() || self.external_id.is_some()
    }

    /// Whether the listing shows all clients.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        !self.is_of_one() && self.email.is_none() && self.phone.is_none() && self.name.is_none()
    }
}
