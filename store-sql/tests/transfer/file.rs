//! A whole export, and its import.

use matterbook_core::{
    key::KeySecretCheck,
    store::{AccountImport, AccountImportState, ExportHead, OperatorAnswer, OperatorCommand, TransferDigest},
    time::Timestamp,
};

use crate::support::firm::Firm;

/// A whole export, as its file has it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct File {
    pub(super) head: ExportHead,
    pub(super) rows: Vec<String>,
}

impl File {
    pub(super) fn read(firm: &Firm, now: Timestamp) -> Self {
        let (mut head, mut rows, mut after, mut versions) = (None, Vec::new(), None, Vec::new());
        loop {
            let command = OperatorCommand::ExportAccount { account: firm.account, after };
            let OperatorAnswer::Exported(page) = firm.operate(command, now) else { panic!("no page") };
            head = head.or(page.head);
            rows.extend(page.rows);
            versions.push(page.version);
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert!(versions.iter().all(|version| *version == versions[0]), "nothing changed meanwhile");
        Self { head: head.expect("a head"), rows }
    }

    /// Without the entries of the log: each import adds some.
    pub(super) fn without_log(mut self) -> Self {
        self.rows.retain(|row| !row.starts_with("[\"operator_log\""));
        self
    }

    /// The rows of a table.
    pub(super) fn rows_of(&self, table: &str) -> Vec<&String> {
        self.rows.iter().filter(|row| row.starts_with(&format!("[\"{table}\","))).collect()
    }

    pub(super) fn digest(&self) -> TransferDigest {
        self.rows.iter().fold(TransferDigest::of_head(&self.head.row), |digest, row| digest.and_row(row))
    }

    pub(super) fn begin(&self, firm: &Firm) -> OperatorCommand {
        let import = AccountImport {
            head: self.head.clone(),
            head_digest: TransferDigest::of_head(&self.head.row),
            digest: self.digest(),
            row_count: i64::try_from(self.rows.len()).unwrap(),
            key_secrets: vec![KeySecretCheck::from_text("secret".into())],
            revokes_keys: false,
        };
        OperatorCommand::BeginAccountImport { account: firm.account, import: Box::new(import) }
    }

    pub(super) fn rows_from(&self, firm: &Firm, from: i64, count: usize) -> OperatorCommand {
        let rows = self.rows.iter().skip(usize::try_from(from).unwrap()).take(count).cloned().collect();
        OperatorCommand::ImportAccountRows { account: firm.account, from, rows }
    }

    /// Sends so many rows of an import that has begun.
    pub(super) fn send(&self, firm: &Firm, now: Timestamp, count: usize) {
        let mut received = 0;
        while received < count {
            let rows = self.rows_from(firm, i64::try_from(received).unwrap(), count - received);
            let OperatorAnswer::AccountImport(state) = firm.operate(rows, now) else { panic!("no state") };
            received = usize::try_from(state.received_rows).unwrap();
        }
    }

    /// Begins the import and sends its rows until it ends; starts again where a request fails.
    pub(super) fn import(&self, firm: &Firm, now: Timestamp, count: usize) -> AccountImportState {
        let mut state = None;
        for _ in 0..10_000 {
            let command = match &state {
                None => self.begin(firm),
                Some(AccountImportState { received_rows, .. }) => self.rows_from(firm, *received_rows, count),
            };
            state = match firm.try_operate(command, now) {
                Ok(OperatorAnswer::AccountImport(state)) if state.is_done => return state,
                Ok(OperatorAnswer::AccountImport(state)) => Some(state),
                Ok(other) => panic!("{other:?}"),
                Err(_) => None,
            };
        }
        panic!("the import does not end");
    }
}
