//! The store suite over the store. Its cases need accounts and keys, which this makes of the suite's commands.

use matterbook_core::store::{LogEntry, OperatorAnswer, OperatorCommand, OperatorStore, Refusal, Store, StoreError};
use matterbook_store_suite::{Part, StoreUnderTest, cases};

use super::{ListStore, accounts::NewAccount};

struct Fresh;

impl StoreUnderTest for Fresh {
    async fn fresh(&self) -> impl Store + OperatorStore {
        ListStore::default()
    }
}

#[tokio::test]
async fn the_store_keeps_every_rule_of_clients() {
    let cases: Vec<_> = cases().into_iter().filter(|case| case.part == Part::Clients).collect();
    assert!(cases.len() > 30, "{} cases", cases.len());
    let mut failures = Vec::new();
    for case in cases {
        if let Err(failure) = case.run(&Fresh).await {
            failures.push(format!("{} ({}): {failure}", case.name, case.rule));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The commands that the suite gives for its part of clients.
impl OperatorStore for ListStore {
    async fn operate(&self, command: OperatorCommand, entry: LogEntry) -> Result<OperatorAnswer, StoreError> {
        let at = entry.at;
        let answer = self.write(|data| {
            Ok(match command {
                OperatorCommand::CreateAccount { id, number, login_id, email, flags } => {
                    let account = NewAccount { id, number, login_id, email, flags };
                    OperatorAnswer::Account(data.add_account(account, at))
                }
                OperatorCommand::SetAccount { account, change } => {
                    let firm = data.firms.iter_mut().find(|firm| firm.account.id == account);
                    let account = &mut firm.ok_or(Refusal::NoAccount)?.account;
                    account.flags.api_enabled = change.api_enabled.unwrap_or(account.flags.api_enabled);
                    account.flags.suspended = change.suspended.unwrap_or(account.flags.suspended);
                    account.email = change.email.unwrap_or_else(|| account.email.clone());
                    OperatorAnswer::Account(account.clone())
                }
                OperatorCommand::SetRole { login, role } => {
                    let mut logins = data.firms.iter_mut().flat_map(|firm| &mut firm.account.logins);
                    let login = logins.find(|known| known.id == login).ok_or(Refusal::NoLogin)?;
                    login.role = role;
                    OperatorAnswer::Login(login.clone())
                }
                OperatorCommand::CreateKey { id, account, label, limits, key, .. } => {
                    let firm = data.firms.iter().find(|firm| firm.account.id == account);
                    let owner = firm.ok_or(Refusal::NoAccount)?.account.logins[0].clone();
                    OperatorAnswer::Key(data.add_key(id, &owner, label, limits, key, at))
                }
                OperatorCommand::RevokeKey { key } => {
                    let (_, record) = data.keys.iter_mut().find(|(_, known)| known.id == key).ok_or(Refusal::NoKey)?;
                    record.revoked_at.get_or_insert(at);
                    OperatorAnswer::Key(record.clone())
                }
                _ => return Err(Refusal::NoAccount),
            })
        });
        Ok(answer.unwrap_or_else(OperatorAnswer::Refused))
    }
}
