//! A request to an endpoint of the operator API.

use uuid::Uuid;

use super::{counties, refusal, unexpected};
use crate::{
    account::Account,
    api::{error::ApiError, request_context::RequestContext},
    key::{KeySecretCheck, KeySecrets},
    platform::Platform,
    settings::Settings,
    store::{LogEntry, OperatorAnswer, OperatorCommand, OperatorStore, Refusal, StoreError},
};

/// A request whose token, path and parameters are checked.
pub(super) struct OperatorRequest<'r, S, P> {
    pub(super) store: &'r S,
    pub(super) context: &'r RequestContext<'r>,
    pub(super) settings: &'r Settings,
    pub(super) key_secrets: &'r KeySecrets,
    pub(super) platform: &'r P,
    /// Who acts, as `Matterbook-Actor` says (rule O3).
    pub(super) actor: String,
    pub(super) path: PathParameters,
    /// The text of the body, where the endpoint reads one.
    pub(super) text: String,
}

/// The arguments of the path.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PathParameters {
    pub(super) account: Uuid,
    /// The client, item, key, login, prospect or request.
    pub(super) id: Uuid,
    /// The second client.
    pub(super) other: Uuid,
    /// The county.
    pub(super) fips: String,
}

impl<S: OperatorStore, P: Platform> OperatorRequest<'_, S, P> {
    /// The account that the path names.
    pub(super) async fn account(&self) -> Result<Account, ApiError> {
        let account = self.path.account;
        match self.run(OperatorCommand::ShowAccount { account }, "account.show", account.to_string()).await? {
            OperatorAnswer::Account(account) => Ok(account),
            _ => unexpected(),
        }
    }

    /// The check values of the secrets that keys were made with.
    pub(super) async fn recorded_secrets(&self) -> Result<Vec<KeySecretCheck>, ApiError> {
        match self.run(OperatorCommand::ListKeySecrets, "settings.show", String::new()).await? {
            OperatorAnswer::KeySecrets(recorded) => Ok(recorded),
            _ => unexpected(),
        }
    }

    /// Runs a command. `action` and `subject` go into its log entry.
    pub(super) async fn run(
        &self,
        command: OperatorCommand,
        action: &'static str,
        subject: String,
    ) -> Result<OperatorAnswer, ApiError> {
        let entry = LogEntry {
            id: self.context.entry_id,
            at: self.context.now,
            actor: self.actor.clone(),
            action,
            subject,
            request_id: self.context.request_id,
            retention: self.settings.retention,
        };
        match self.store.operate(command, entry).await {
            Ok(OperatorAnswer::Refused(refusal)) => Err(refusal::answer(refusal)),
            Ok(answer) => Ok(answer),
            // A retry of some commands would create a second account or key.
            Err(error @ StoreError::Unknown { .. }) => {
                Err(ApiError::unknown("Look at what is there before you send it again.", error.to_string()))
            }
            Err(error) => Err(error.into()),
        }
    }
}

impl PathParameters {
    /// Reads the arguments of a path by the names in its template. An argument that is not an id is answered
    /// like an unknown id.
    pub(super) fn read(template: &str, arguments: [&str; 3]) -> Result<Self, ApiError> {
        let mut parameters = Self::default();
        let names = template.split('/').filter(|segment| segment.starts_with('{'));
        for (name, text) in names.zip(arguments) {
            let id = |unknown| Uuid::try_parse(text).map_err(|_| refusal::answer(unknown));
            match name {
                "{account}" => parameters.account = id(Refusal::NoAccount)?,
                "{request}" => parameters.id = id(Refusal::NoChange)?,
                "{item}" => parameters.id = id(Refusal::NoItem)?,
                "{client}" => parameters.id = id(Refusal::NoClient)?,
                "{other}" => parameters.other = id(Refusal::NoClient)?,
                "{key}" => parameters.id = id(Refusal::NoKey)?,
                "{login}" => parameters.id = id(Refusal::NoLogin)?,
                "{prospect}" => parameters.id = id(Refusal::NoProspect)?,
                _ => parameters.fips = counties::path_fips(text)?.into(),
            }
        }
        Ok(parameters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_what_its_template_says() {
        let [one, other] = [1, 2].map(Uuid::from_u128);
        let texts = [one, other].map(|id| id.to_string());
        let parameters =
            |template: &str, [one, other]: [&str; 2]| PathParameters::read(template, [one, other, ""]).ok();
        let both = parameters("/accounts/{account}/clients/{client}/mail-on", [&texts[0], &texts[1]]);
        assert_eq!(both, Some(PathParameters { account: one, id: other, ..PathParameters::default() }));
        assert_eq!(
            parameters("/keys/{key}", [&texts[1], ""]),
            Some(PathParameters { id: other, ..PathParameters::default() })
        );
        let county = parameters("/accounts/{account}/counties/{fips}", [&texts[0], "06037"]);
        assert_eq!(county, Some(PathParameters { account: one, fips: "06037".into(), ..PathParameters::default() }));
        assert_eq!(parameters("/log", ["", ""]), Some(PathParameters::default()));
        assert_eq!(parameters("/keys/{key}", ["k", ""]), None);
    }
}
