//! Accounts: create, show, list, change.

use serde::Serialize;
use uuid::Uuid;

use super::{
    call::{Call, Step},
    input::{fields, flag, required_email},
    listing, unexpected,
};
use crate::{
    account::{Account, AccountFlags},
    api::{error::ApiError, reply::Reply},
    client::FieldReader,
    cursor::Listing,
    normalize,
    store::{AccountChange, OperatorAnswer, OperatorCommand},
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

pub(super) fn create(call: &Call<'_>) -> Result<Step, ApiError> {
    let (email, flags) = fields(&call.text, FIELDS, |reader| {
        let email = reader.read("email", required_email).unwrap_or_default();
        let flags = AccountFlags {
            api_enabled: reader.read("api_enabled", flag).unwrap_or(false),
            suspended: reader.read("suspended", flag).unwrap_or(false),
            digital_bundle: reader.read("digital_bundle", flag).unwrap_or(false),
            contact_enrichment: reader.read("contact_enrichment", flag).unwrap_or(false),
        };
        (email, flags)
    })?;
    let (id, login_id) = (call.exchange.mint.id(0), call.exchange.mint.id(1));
    let command = OperatorCommand::CreateAccount { id, login_id, email: email.into(), flags };
    Ok(call.ask(command, "account.create", id.to_string(), account_reply))
}

pub(super) fn show(call: &Call<'_>) -> Step {
    let account = call.named.account;
    call.ask(OperatorCommand::ShowAccount { account }, "account.show", account.to_string(), account_reply)
}

pub(super) fn set(call: &Call<'_>) -> Result<Step, ApiError> {
    let account = call.named.account;
    let change = fields(&call.text, FIELDS, |reader: &mut FieldReader<'_, '_>| AccountChange {
        email: reader.read("email", normalize::email).map(Into::into),
        api_enabled: reader.read("api_enabled", flag),
        suspended: reader.read("suspended", flag),
        digital_bundle: reader.read("digital_bundle", flag),
        contact_enrichment: reader.read("contact_enrichment", flag),
    })?;
    Ok(call.ask(OperatorCommand::SetAccount { account, change }, "account.set", account.to_string(), account_reply))
}

pub(super) fn list(call: &Call<'_>) -> Result<Step, ApiError> {
    let (after, limit) = listing::place(call.exchange, Listing::Accounts, Uuid::nil())?;
    let command = OperatorCommand::ListAccounts { after, limit };
    Ok(call.ask(command, "account.list", String::new(), |answer| match answer {
        OperatorAnswer::Accounts(accounts, next) => {
            let next_cursor = listing::next_cursor(next, Listing::Accounts, Uuid::nil());
            Reply::ok(&AccountsBody { accounts: &accounts, next_cursor })
        }
        _ => unexpected(),
    }))
}

fn account_reply(answer: OperatorAnswer) -> Result<Reply, ApiError> {
    match answer {
        OperatorAnswer::Account(account) => Reply::ok(&AccountBody { account: &account }),
        _ => unexpected(),
    }
}
