//! What a step refers to: the requests, clients, cursors and items that its numbers mean at that moment.

use matterbook_core::time::Timestamp;

use super::{
    Failure,
    asked::{Batch, Doing, Given, History, Plan, Read, Undoing},
    run::Run,
    step::{Ask, Caller, Verdict},
    universe::{ACCOUNTS, Draft},
    waiting::Decision,
};

impl Run {
    /// The next batch of an import, in a session of its own; none while the account is suspended.
    pub(super) fn batch(
        &mut self,
        (account, number, machine): (usize, usize, usize),
        drafts: &[Draft],
        now: i64,
    ) -> Result<Option<Doing>, Failure> {
        let at = Timestamp::from_micros(now);
        let Some(session) = self.imports.sign_in(&self.auditor, account, at)? else { return Ok(None) };
        let import = self.imports.import(&self.auditor, (account, number, machine), session, at)?;
        let from = self.referee.timelines[account].now().imports.get(&import).copied().unwrap_or_default();
        let rows = u32::try_from(drafts.len()).unwrap_or_default().max(1);
        let batch = Some(Batch { import, session, from, rows });
        let (caller, drafts) = (Caller(account, 0), drafts.to_vec());
        Ok(Some(Doing::Write { caller, once: None, drafts, is_settling: false, plan: None, batch }))
    }

    /// What a step asks, all that it refers to being known; none where it refers to what is not there.
    pub(super) fn doing(&self, ask: &Ask) -> Option<Doing> {
        let whole = |caller, limit| Read {
            caller,
            walk: None,
            cursor: None,
            is_foreign: false,
            external_id: None,
            updated_since: None,
            limit,
        };
        let client = |account: usize, number: usize| {
            // Sometimes a client that the account does not have.
            let of = if number % 4 == 3 { (account + 1) % ACCOUNTS } else { account };
            let everybody = self.referee.timelines[of].everybody();
            number.checked_rem(everybody.len()).map(|place| everybody[place])
        };
        let cursor = |account: usize, number: usize| -> Option<Given> {
            let cursors = &self.referee.cursors[account];
            number.checked_rem(cursors.len()).map(|place| cursors[place].clone())
        };
        let write = |caller: &Caller, once: &Option<usize>, drafts: Vec<Draft>, is_settling, plan| Doing::Write {
            caller: *caller,
            once: *once,
            drafts,
            is_settling,
            plan,
            batch: None,
        };
        let undo = |account: usize, of: u32, dry_run| {
            let request_id = self.referee.asked.get(&of)?.request_id.clone()?;
            Some(Doing::Undo(Undoing { account, of, request_id, dry_run, import: None }))
        };
        let undo_import = |account: usize, of: u32, import, after| {
            let import = Some((import, after));
            Some(Doing::Undo(Undoing { account, of, request_id: String::new(), dry_run: false, import }))
        };
        Some(match ask {
            Ask::Post(caller, once, drafts) => write(caller, once, drafts.clone(), false, None),
            Ask::Settle(caller, once, draft) => write(caller, once, vec![*draft], true, None),
            Ask::Retry(caller, label) => match &self.referee.asked.get(label)?.doing {
                Doing::Write { batch: Some(_), .. } => self.referee.asked.get(label)?.doing.clone(),
                Doing::Write { once, drafts, is_settling, plan, .. } => {
                    write(caller, once, drafts.clone(), *is_settling, plan.clone())
                }
                _ => return None,
            },
            Ask::Preview(caller, drafts) => Doing::Preview(*caller, drafts.clone()),
            Ask::Confirm(caller, once, label) => {
                let previewed = self.referee.asked.get(label)?;
                let Doing::Preview(_, drafts) = &previewed.doing else { return None };
                let is_foreign = previewed.account() != caller.0;
                let plan = Plan { is_foreign, ..previewed.plan.clone()? };
                write(caller, once, drafts.clone(), false, Some(plan))
            }
            Ask::History(caller, number, limit) => {
                let client = client(caller.0, *number)?;
                Doing::History(History { caller: *caller, client, limit: *limit, after: None })
            }
            Ask::Older(caller, label, limit) => {
                let asked = self.referee.asked.get(label).filter(|asked| asked.account() == caller.0)?;
                let Doing::History(page) = &asked.doing else { return None };
                let after = Some(asked.older.clone()?);
                Doing::History(History { caller: *caller, client: page.client, limit: *limit, after })
            }
            Ask::Undo(account, label) => undo(*account, *label, false)?,
            Ask::Change(account, label) => undo(*account, *label, true)?,
            Ask::Batch(..) => return None,
            Ask::UndoImport(account, label) => {
                let import = self.referee.asked.get(label)?.import()?.import;
                undo_import(*account, *label, import, None)?
            }
            Ask::UndoNext(account, label) => {
                let asked = self.referee.asked.get(label)?;
                let Doing::Undo(Undoing { of, import: Some((import, _)), .. }) = &asked.doing else { return None };
                undo_import(*account, *of, *import, Some(asked.next_batch.clone()?))?
            }
            Ask::Decide(account, number, verdict) => {
                let items: Vec<_> = self.referee.timelines[*account].now().items.all().collect();
                let item = items.get(number.checked_rem(items.len())?)?;
                let candidates = item.candidates();
                let decision = match verdict {
                    Verdict::Same(number) => Decision::Same(match number.checked_rem(candidates.len()) {
                        Some(place) if number % 4 != 3 => candidates[place],
                        _ => client(*account, *number)?,
                    }),
                    Verdict::Another => Decision::Another,
                    Verdict::Leave => Decision::Leave,
                };
                Doing::Decide(*account, item.id, decision)
            }
            Ask::Page(caller, walk, limit) => {
                let known = self.referee.walks.get(&(caller.0, *walk));
                if known.is_some_and(|known| known.is_busy) {
                    return None;
                }
                let cursor = known.and_then(|known| known.cursor.clone());
                Doing::Read(Read { walk: Some(*walk), cursor, ..whole(*caller, *limit) })
            }
            Ask::Again(caller, number, limit) => {
                Doing::Read(Read { cursor: Some(cursor(caller.0, *number)?), ..whole(*caller, *limit) })
            }
            Ask::Foreign(caller, number) => {
                let cursor = Some(cursor((caller.0 + 1) % ACCOUNTS, *number)?);
                Doing::Read(Read { cursor, is_foreign: true, ..whole(*caller, 5) })
            }
            Ask::Find(caller, id) => Doing::Read(Read { external_id: Some(*id), ..whole(*caller, 5) }),
            Ask::Since(caller, number, limit) => {
                let updated_since = Some(self.referee.timelines[caller.0].time_of(*number)?);
                Doing::Read(Read { updated_since, ..whole(*caller, *limit) })
            }
            Ask::Me(caller) => Doing::Me(*caller),
            Ask::Suspend(account, on) => Doing::Suspend(*account, *on),
            Ask::Revoke(caller) => Doing::Revoke(*caller),
            Ask::Erase(account, number) => Doing::Erase(*account, client(*account, *number)?),
            Ask::Show(account, number) => Doing::Show(*account, client(*account, *number)?),
            Ask::MailOn(account, number) => Doing::MailOn(*account, client(*account, *number)?),
        })
    }
}
