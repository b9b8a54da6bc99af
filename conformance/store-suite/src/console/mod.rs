//! The cases of the console's rules (S30 to S37), and stores that break them on purpose.

mod clients;
mod imports;
mod links;
mod mutants;
mod passkeys;
mod people;
mod person;
mod roles;
mod sessions;
mod similar;
mod undo;
mod views;

pub use mutants::{ConsoleMutant, console_mutants};

use std::{future::Future, pin::Pin};

use matterbook_core::store::{ConsoleStore, OperatorStore, Store};

use super::CaseResult;
use person::ConsoleScene;

/// One case of the console.
pub struct ConsoleCase {
    /// Its name, which says the rule and what the user would see.
    pub name: &'static str,
    /// The rule that it holds: `S30` to `S37`.
    pub rule: &'static str,
    run: for<'store> fn(ConsoleScene<'store>) -> Running<'store>,
}

type Running<'store> = Pin<Box<dyn Future<Output = CaseResult> + 'store>>;

impl ConsoleCase {
    /// Runs the case over a fresh store, of which clones share one content.
    ///
    /// # Errors
    /// When the store does not hold the rule.
    pub async fn run(&self, store: impl Store + OperatorStore + ConsoleStore + Clone) -> CaseResult {
        (self.run)(ConsoleScene::on(store)).await
    }
}

macro_rules! cases {
    ($($rule:literal: $module:ident { $($function:ident),+ $(,)? })+) => {
        vec![$($(ConsoleCase {
            name: stringify!($function),
            rule: $rule,
            run: |scene| Box::pin($module::$function(scene)),
        }),+),+]
    };
}

/// Every case, in the order of the rules.
#[must_use]
pub fn console_cases() -> Vec<ConsoleCase> {
    cases! {
        "S30": links {
            s30_link_signs_in_once,
            s30_newest_link_works_until_it_expires,
            s30_link_of_a_removed_or_suspended_login_does_not_work,
        }
        "S31": passkeys {
            s31_passkey_signs_in_with_the_state_that_was_verified,
            s31_credential_belongs_to_one_passkey,
            s31_last_passkey_is_not_removed_by_its_owner,
        }
        "S32": sessions {
            s32_session_ends_without_use,
            s32_unknown_session_has_no_effect,
            s32_owner_is_as_of_now,
        }
        "S33": sessions {
            s33_session_ends_at_sign_out_and_everywhere,
            s33_session_ends_with_its_login_and_its_role,
            s33_suspension_ends_sessions_for_good,
        }
        "S34": roles {
            s34_each_role_does_what_it_may,
            s34_other_accounts_are_unknown,
        }
        "S34": people {
            s34_only_owner_stays_an_owner,
            s34_keys_of_the_account_are_made_and_revoked,
        }
        "S38": similar {
            s38_people_decide_about_pairs_of_their_account,
        }
        "S35": clients {
            s35_search_finds_parts_newest_change_first,
            s35_search_filters,
            s35_client_shows_what_belongs_to_it,
        }
        "S35": views {
            s35_overview_counts_by_day_and_source,
            s35_overview_names_the_sources_of_a_day,
            s35_prospects_are_those_of_the_grants,
            s35_activity_is_of_the_account_alone,
        }
        "S36": views {
            s36_each_change_is_logged_once_with_its_person,
        }
        "S19": undo {
            s19_removed_client_is_in_no_view_with_its_earlier_states,
        }
        "S36": undo {
            s36_person_who_undoes_a_change_is_its_author,
        }
        "S37": undo {
            s37_import_is_undone_batch_by_batch_as_one_change,
        }
        "S37": imports {
            s37_session_changes_clients_while_it_is_open,
            s37_batch_and_progress_land_together,
            s37_same_rows_at_once_are_done_once,
            s37_same_file_goes_on_until_it_ends,
            s37_newest_imports_are_kept,
        }
    }
}
