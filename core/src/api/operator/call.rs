//! One request of the operator's, read, and what an endpoint makes of it.

use uuid::Uuid;

use super::{counties, refusal};
use crate::{
    api::{error::ApiError, exchange::Exchange, reply::Reply},
    settings::Settings,
    store::{LogEntry, OperatorAnswer, OperatorCommand, Refusal},
};

/// A request to an endpoint.
pub(super) struct Call<'c> {
    pub(super) exchange: &'c Exchange<'c>,
    pub(super) settings: &'c Settings,
    /// Who acts, in the operator's own words.
    pub(super) actor: String,
    pub(super) named: Named,
    /// The text of its body, where the endpoint reads one.
    pub(super) text: String,
}

/// What the path names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Named {
    /// The account.
    pub(super) account: Uuid,
    /// The client, key, login or prospect.
    pub(super) id: Uuid,
    /// The county.
    pub(super) fips: String,
}

/// What an endpoint does with a call.
pub(super) enum Step {
    /// It answers.
    Reply(Reply),
    /// It asks the store.
    Ask {
        command: Box<OperatorCommand>,
        /// What the log says of it.
        entry: LogEntry,
        /// Makes a reply of what the store answers.
        reply: Box<dyn FnOnce(OperatorAnswer) -> Result<Reply, ApiError> + Send>,
    },
}

impl Call<'_> {
    /// Asks the store: `action` and `subject` are what the log says.
    pub(super) fn ask(
        &self,
        command: OperatorCommand,
        action: &'static str,
        subject: String,
        reply: impl FnOnce(OperatorAnswer) -> Result<Reply, ApiError> + Send + 'static,
    ) -> Step {
        let entry = LogEntry {
            id: self.exchange.entry_id,
            at: self.exchange.now,
            actor: self.actor.clone(),
            action,
            subject,
            request_id: self.exchange.request_id,
        };
        Step::Ask { command: Box::new(command), entry, reply: Box::new(reply) }
    }
}

impl Named {
    /// Reads what stands in the braces of a path's template. What is no id is as unknown as an id that nobody
    /// has.
    pub(super) fn read(template: &str, arguments: [&str; 2]) -> Result<Self, ApiError> {
        let mut named = Self::default();
        let names = template.split('/').filter(|segment| segment.starts_with('{'));
        for (name, text) in names.zip(arguments) {
            let id = |unknown| Uuid::try_parse(text).map_err(|_| refusal::answer(unknown));
            match name {
                "{account}" => named.account = id(Refusal::NoAccount)?,
                "{client}" => named.id = id(Refusal::NoClient)?,
                "{key}" => named.id = id(Refusal::NoKey)?,
                "{login}" => named.id = id(Refusal::NoLogin)?,
                "{prospect}" => named.id = id(Refusal::NoProspect)?,
                _ => named.fips = counties::path_fips(text)?.into(),
            }
        }
        Ok(named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_what_its_template_says() {
        let [one, other] = [1, 2].map(Uuid::from_u128);
        let texts = [one, other].map(|id| id.to_string());
        let named = |template: &str, arguments: [&str; 2]| Named::read(template, arguments).ok();
        let both = named("/accounts/{account}/clients/{client}/mail-on", [&texts[0], &texts[1]]);
        assert_eq!(both, Some(Named { account: one, id: other, ..Named::default() }));
        assert_eq!(named("/keys/{key}", [&texts[1], ""]), Some(Named { id: other, ..Named::default() }));
        let county = named("/accounts/{account}/counties/{fips}", [&texts[0], "06037"]);
        assert_eq!(county, Some(Named { account: one, fips: "06037".into(), ..Named::default() }));
        assert_eq!(named("/log", ["", ""]), Some(Named::default()));
        assert_eq!(named("/keys/{key}", ["k", ""]), None);
    }
}
