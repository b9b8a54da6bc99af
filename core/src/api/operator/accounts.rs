//! Accounts: create, show, list, change.

use serde::Serialize;
use uuid::Uuid;

use super::{
    input::{fields, flag, required_email},
    listing, path_id, unexpected,
};
use crate::{
    account::{Account, AccountFlags},
    api::{Api, RequestBody, error::ApiError, exchange::Exchange, reply::Reply},
    client::FieldReader,
    cursor::Listing,
    gate::Gate,
    normalize,
    platform::Platform,
    store::{AccountChange, OperatorAnswer, OperatorCommand, Refusal, Store},
};

const FIELDS: &[&str; 5] = &["email", "api_enabled", "suspended", "digital_bundle", "contact_enrichment"];

#[derive(Serialize)]
struct AccountBody<'a> {
    account: &'a Account,
}

#[derive(Serialize)]
struct AccountsBody<'a> {
    accounts: &'a [Account],
    next_cursor: Option<String>,
}

impl<S: Store, G: Gate, P: Platform> Api<S, G, P> {
    pub(super) async fn create_account<B: RequestBody>(
        &self,
        exchange: &Exchange<'_>,
        body: B,
    ) -> Result<Reply, ApiError> {
        let text = self.operator_body(exchange, body).await?;
        let (email, flags) = fields(&text, FIELDS, |reader| {
            let email = reader.read("email", required_email).unwrap_or_default();
            let flags = AccountFlags {
                api_enabled: reader.read("api_enabled", flag).unwrap_or(false),
                suspended: reader.read("suspended", flag).unwrap_or(false),
                digital_bundle: reader.read("digital_bundle", flag).unwrap_or(false),
                contact_enrichment: reader.read("contact_enrichment", flag).unwrap_or(false),
            };
            (email, flags)
        })?;
        let (id, login_id) = (exchange.mint.id(0), exchange.mint.id(1));
        let command = OperatorCommand::CreateAccount { id, login_id, email: email.into(), flags };
        account_reply(self.command(exchange, command, "account.create", id.to_string()).await?)
    }

    pub(super) async fn show_account(&self, exchange: &Exchange<'_>, account: &str) -> Result<Reply, ApiError> {
        let account = path_id(account, Refusal::NoAccount)?;
        let command = OperatorCommand::ShowAccount { account };
        account_reply(self.command(exchange, command, "account.show", account.to_string()).await?)
    }

    pub(super) async fn set_account<B: RequestBody>(
        &self,
        exchange: &Exchange<'_>,
        account: &str,
        body: B,
    ) -> Result<Reply, ApiError> {
        let account = path_id(account, Refusal::NoAccount)?;
        let text = self.operator_body(exchange, body).await?;
        let change = fields(&text, FIELDS, |reader: &mut FieldReader<'_, '_>| AccountChange {
            email: reader.read("email", normalize::email).map(Into::into),
            api_enabled: reader.read("api_enabled", flag),
            suspended: reader.read("suspended", flag),
            digital_bundle: reader.read("digital_bundle", flag),
            contact_enrichment: reader.read("contact_enrichment", flag),
        })?;
        let command = OperatorCommand::SetAccount { account, change };
        account_reply(self.command(exchange, command, "account.set", account.to_string()).await?)
    }

    pub(super) async fn list_accounts(&self, exchange: &Exchange<'_>) -> Result<Reply, ApiError> {
        let (after, limit) = listing::place(exchange, Listing::Accounts, Uuid::nil())?;
        let command = OperatorCommand::ListAccounts { after, limit };
        match self.command(exchange, command, "account.list", String::new()).await? {
            OperatorAnswer::Accounts(accounts, next) => {
                let next_cursor = listing::next_cursor(next, Listing::Accounts, Uuid::nil());
                Reply::ok(&AccountsBody { accounts: &accounts, next_cursor })
            }
            _ => unexpected(),
        }
    }
}

fn account_reply(answer: OperatorAnswer) -> Result<Reply, ApiError> {
    match answer {
        OperatorAnswer::Account(account) => Reply::ok(&AccountBody { account: &account }),
        _ => unexpected(),
    }
}
