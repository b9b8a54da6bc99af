//! Accounts: create, show, list, change.

use serde::Serialize;
use uuid::Uuid;

use super::{
    counties::CountyAnswer,
    input::{fields, flag, jurisdiction, required_email, required_past_time, unchangeable},
    listing,
    request::OperatorRequest,
    unexpected,
};
use crate::{
    account::{Account, AccountFlags, Login},
    api::{
        error::{ApiError, ErrorCode},
        response::Response,
    },
    client::FieldReader,
    cursor::Listing,
    jurisdiction::Jurisdiction,
    key::AccountNumber,
    normalize,
    platform::Platform,
    store::{AccountChange, OperatorAnswer, OperatorCommand, OperatorStore},
    time::Timestamp,
};

/// The members of both bodies.
const FIELDS: &[&str; 6] =
    &["email", "api_enabled", "suspended", "digital_bundle", "contact_enrichment", "jurisdiction"];

const NO_JURISDICTION: &str =
    "This service cannot keep an account within a jurisdiction; leave jurisdiction out, or use one that can.";

#[derive(Serialize)]
struct AccountBody<'a> {
    account: AccountAnswer<'a>,
}

#[derive(Serialize)]
struct AccountsBody<'a> {
    accounts: Vec<AccountAnswer<'a>>,
    next_cursor: Option<String>,
}

/// An account without its number (rule K8), its counties with their names.
#[derive(Serialize)]
struct AccountAnswer<'a> {
    id: Uuid,
    email: &'a str,
    #[serde(flatten)]
    flags: AccountFlags,
    jurisdiction: Option<&'static str>,
    created_at: Timestamp,
    last_commit_at: Option<Timestamp>,
    logins: &'a [Login],
    counties: Vec<CountyAnswer<'a>>,
}

impl<'a> AccountAnswer<'a> {
    fn new(account: &'a Account, platform: &impl Platform) -> Self {
        let Account { id, number, email, flags, created_at, last_commit_at, logins, counties } = account;
        let counties = counties.iter().map(|grant| CountyAnswer::new(grant, platform)).collect();
        let (created_at, last_commit_at) = (*created_at, *last_commit_at);
        let jurisdiction = number.jurisdiction().map(Jurisdiction::name);
        Self { id: *id, email, flags: *flags, jurisdiction, created_at, last_commit_at, logins, counties }
    }
}

/// Creates an account. Its number is drawn from `random` (rules K8, O41).
pub(super) async fn create<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
    random: [u8; 32],
) -> Result<Response, ApiError> {
    let (email, flags, jurisdiction) = fields(&request.text, FIELDS, |reader| {
        let email = reader.read("email", required_email).unwrap_or_default();
        let flags = AccountFlags {
            api_enabled: reader.read("api_enabled", flag).unwrap_or(false),
            suspended: reader.read("suspended", flag).unwrap_or(false),
            digital_bundle: reader.read("digital_bundle", flag).unwrap_or(false),
            contact_enrichment: reader.read("contact_enrichment", flag).unwrap_or(false),
        };
        (email, flags, reader.read("jurisdiction", jurisdiction))
    })?;
    if jurisdiction.is_some_and(|jurisdiction| !request.platform.has_jurisdiction(jurisdiction)) {
        return Err(ApiError::new(ErrorCode::Conflict, NO_JURISDICTION));
    }
    let (id, login_id) = (request.context.mint.id(0), request.context.mint.id(1));
    let number = AccountNumber::new(*random.first_chunk().unwrap_or(&[0; 6]), jurisdiction);
    let command = OperatorCommand::CreateAccount { id, number, login_id, email: email.into(), flags };
    account_response(request, request.run(command, "account.create", id.to_string()).await?)
}

pub(super) async fn show<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let account = request.path.account;
    let command = OperatorCommand::ShowAccount { account };
    account_response(request, request.run(command, "account.show", account.to_string()).await?)
}

pub(super) async fn set<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let account = request.path.account;
    let change = fields(&request.text, FIELDS, |reader: &mut FieldReader<'_, '_>| {
        let change = AccountChange {
            email: reader.read("email", normalize::email).map(Into::into),
            api_enabled: reader.read("api_enabled", flag),
            suspended: reader.read("suspended", flag),
            digital_bundle: reader.read("digital_bundle", flag),
            contact_enrichment: reader.read("contact_enrichment", flag),
        };
        reader.read("jurisdiction", unchangeable);
        change
    })?;
    let command = OperatorCommand::SetAccount { account, change };
    account_response(request, request.run(command, "account.set", account.to_string()).await?)
}

/// Sets an account's clients back to what they were (rule O40).
pub(super) async fn restore<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let account = request.path.account;
    let now = request.context.now;
    let at = fields(&request.text, &["at"], |reader| reader.read("at", |value| required_past_time(value, now)))?;
    let command = OperatorCommand::RestoreAccount { account, at: at.unwrap_or_default() };
    account_response(request, request.run(command, "account.restore", account.to_string()).await?)
}

pub(super) async fn list<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let (after, limit) = listing::place(request.context, Listing::Accounts, Uuid::nil())?;
    let after = after.map(|cursor| cursor.position);
    let command = OperatorCommand::ListAccounts { after, limit };
    match request.run(command, "account.list", String::new()).await? {
        OperatorAnswer::Accounts(accounts, next) => {
            let next_cursor = listing::next_cursor(next, Listing::Accounts, Uuid::nil());
            let accounts = accounts.iter().map(|account| AccountAnswer::new(account, request.platform)).collect();
            Response::ok(&AccountsBody { accounts, next_cursor })
        }
        _ => unexpected(),
    }
}

fn account_response<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
    answer: OperatorAnswer,
) -> Result<Response, ApiError> {
    match answer {
        OperatorAnswer::Account(account) => {
            Response::ok(&AccountBody { account: AccountAnswer::new(&account, request.platform) })
        }
        _ => unexpected(),
    }
}
