#![doc = include_str!("../README.md")]

mod accounts;
mod aliases;
mod any_store;
mod check;
mod console;
mod delayed_view;
mod erased;
mod former_addresses;
mod history;
mod idempotency;
mod keys;
mod log;
mod namesakes;
mod prospect_model;
mod prospects;
mod records;
mod review;
mod scene;
mod similar;
mod snapshot;
mod stale;
mod time;
mod together;
mod transfer;
mod undo;
mod values;
mod whole;

pub use any_store::AnyStore;
pub use check::{CaseResult, Failure};
pub use console::{ConsoleCase, ConsoleMutant, console_cases, console_mutants};
pub use prospect_model::prospects_agree_with_model;
pub use transfer::{TransferCase, transfer_cases};

use std::{future::Future, pin::Pin};

use check::{ensure, ensure_eq, is_page_of};
use matterbook_core::store::{OperatorStore, Store};

/// A kind of store that the suite is run over.
#[expect(async_fn_in_trait, reason = "a case runs on the task that asks for it")]
pub trait StoreUnderTest {
    /// A store with nothing in it.
    async fn fresh(&self) -> impl Store + OperatorStore;
}

/// The part of a store that a case tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Clients and keys. The cases give only these commands of the operator: `CreateAccount`, `SetAccount`, `SetRole`,
    /// `CreateKey` and `RevokeKey`.
    Clients,
    /// Prospects. The cases also give `GrantCounty`, `RevokeCounty`, `ImportProspects` and `EraseProspect`.
    Prospects,
    /// The operator's half.
    Operator,
}

/// One case of the suite.
pub struct Case {
    /// Its name, which says the rule and what the user would see.
    pub name: &'static str,
    /// The rule that it holds: `S1` to `S17`, or the operator's command.
    pub rule: &'static str,
    /// The part of a store that it tests.
    pub part: Part,
    run: for<'store> fn(AnyStore<'store>) -> Running<'store>,
}

type Running<'store> = Pin<Box<dyn Future<Output = CaseResult> + 'store>>;

impl Case {
    /// Runs the case over a fresh store.
    ///
    /// # Errors
    /// When the store does not hold the rule.
    pub async fn run(&self, under: &impl StoreUnderTest) -> CaseResult {
        (self.run)(AnyStore::new(under.fresh().await)).await
    }
}

/// Names each function once: as a case, and as its own name.
macro_rules! cases {
    ($($part:ident { $($rule:literal: $module:ident { $($function:ident),+ $(,)? })+ })+) => {
        vec![$($($(Case {
            name: stringify!($function),
            rule: $rule,
            part: Part::$part,
            run: |store| Box::pin($module::$function(store)),
        }),+),+),+]
    };
}

/// Every case, by part and in the order of the rules.
#[must_use]
pub fn cases() -> Vec<Case> {
    cases! {
        Clients {
            "S1": keys {
                s1_unknown_key_opens_nothing,
                s1_revoked_key_opens_nothing,
                s1_ended_key_opens_nothing,
                s1_key_owner_is_as_of_now,
            }
            "S2": keys {
                s2_same_external_id_in_two_accounts,
                s2_same_person_in_two_accounts,
            }
            "S3": snapshot {
                s3_lookup_key_matches_by_external_id,
                s3_lookup_key_matches_by_name_and_place,
                s3_lookup_key_matches_by_unit,
                s3_lookup_key_without_place_matches_every_namesake,
                s3_lookup_key_with_another_external_id_matches_namesakes_without_one,
                s3_lookup_key_of_a_known_external_id_matches_that_client_alone,
                s3_lookup_key_matches_what_a_client_is_now,
                s3_client_matched_twice_is_seen_once,
                s3_settling_lookup_key_sees_settlements,
            }
            "S3": namesakes {
                s3_of_many_equal_people_the_oldest_are_seen,
                s3_of_many_namesakes_those_that_nothing_tells_apart_are_seen,
            }
            "S4": whole {
                s4_change_set_lands_whole,
                s4_unsaveable_change_set_leaves_nothing,
            }
            "S5": stale {
                s5_same_new_person_at_once_is_one_client,
                s5_same_new_external_id_at_once_is_one_client,
                s5_change_to_read_client_asks_again,
                s5_changes_to_other_clients_do_not_disturb,
            }
            "S6": time {
                s6_commit_has_the_time_of_its_request,
                s6_time_grows_while_the_clock_stands,
                s6_time_grows_when_the_clock_is_set_back,
                s6_settlements_carry_the_time_of_their_commit,
                s6_saved_answer_alone_is_a_commit,
            }
            "S7": time {
                s7_nothing_changed_moves_nothing,
            }
            "S8": delayed_view {
                s8_change_is_hidden_for_the_delay,
                s8_changing_client_keeps_earlier_place,
                s8_without_delay_shown_at_once,
                s8_page_goes_on_after_a_place,
                s8_page_by_a_slower_clock_goes_on_where_the_walk_stood,
                s8_updated_since_is_inclusive,
                s8_external_id_as_it_stood,
                s8_filters_as_they_stood,
                s8_clock_far_ahead_hides_nothing,
            }
            "S10": delayed_view {
                s10_many_earlier_states_are_passed,
            }
            "S11": idempotency {
                s11_saved_answer_is_found_for_a_day,
                s11_day_is_counted_from_the_time_of_the_request,
                s11_answer_of_a_clock_that_was_ahead_is_found_again,
                s11_saved_answer_belongs_to_its_account,
            }
            "S14": idempotency {
                s14_request_is_never_applied_twice,
            }
            "S18": history {
                s18_history_tells_each_change_and_its_author,
                s18_history_is_delayed_as_the_list_is,
                s18_history_goes_on_before_a_time,
                s18_history_of_another_account_is_unknown,
            }
            "S15": keys {
                s15_latest_use_of_a_key_is_recorded,
            }
        }
        Prospects {
            "S9": prospects {
                s9_county_without_grant_is_unseen,
                s9_grant_from_date,
                s9_prospect_is_hidden_for_the_delay,
                s9_grants_come_with_the_page,
                s9_newest_first_since_a_time,
                s9_clock_far_ahead_hides_nothing,
            }
            "S9": prospect_model {
                s9_pages_agree_with_model_under_interleaving,
            }
            "S10": prospects {
                s10_bounded_page_goes_on,
            }
            "S16": prospects {
                s16_imports_grow_in_time,
                s16_erasure_is_a_change,
                s16_what_an_import_takes_back_is_no_change,
            }
        }
        Operator {
            "S2": keys {
                s2_operator_finds_no_client_of_another_account,
            }
            "S6": time {
                s6_operators_changes_are_commits,
            }
            "S8": delayed_view {
                s8_mail_on_is_hidden_for_the_delay,
            }
            "S12": erased {
                s12_erased_client_is_in_no_view_at_once,
                s12_erased_client_keeps_do_not_mail_digest,
                s12_erased_client_may_be_made_again,
                s12_saved_answer_that_names_erased_client_is_gone,
                s12_erased_prospect_is_never_imported_again,
            }
            "S13": log {
                s13_each_changing_command_is_logged_once,
                s13_command_that_finds_nothing_to_change_is_logged,
                s13_refused_command_is_not_logged,
                s13_log_is_read_in_pages,
                s13_old_entries_are_deleted_two_by_two,
            }
            "S19": undo {
                s19_undo_is_the_identity_and_can_be_undone,
                s19_undo_leaves_what_a_later_change_wrote,
                s19_undo_turns_no_letters_on_and_takes_no_settlement_back,
                s19_removed_client_keeps_letters_off_and_can_be_erased,
                s19_undo_takes_no_external_id_from_another_client,
                s19_undo_brings_no_client_back_that_was_sent_again,
            }
            "S20": review {
                s20_item_is_kept_with_its_source_and_is_no_commit,
                s20_item_with_the_same_content_keeps_its_first_time,
                s20_item_goes_when_its_client_comes_well,
                s20_item_is_shown_until_its_days_are_over,
                s20_erased_client_takes_its_items_along,
                s20_candidate_that_an_undo_removed_is_named_once_it_is_back,
                s20_erased_client_that_an_undo_removed_takes_its_items_along,
            }
            "S21": aliases {
                s21_alias_finds_its_client_and_its_settlements,
                s21_listing_finds_a_client_by_its_alias_once_the_change_is_shown,
                s21_decision_can_be_undone_and_done_again,
                s21_left_item_waits_again_by_an_undo_which_can_be_undone,
                s21_erased_client_loses_its_aliases_and_keeps_their_digests,
            }
            "S38": similar {
                s38_pairs_are_read_in_pages_of_one_account,
                s38_decision_is_logged_and_can_be_taken_back,
                s38_pairs_go_with_their_clients,
                s38_settlements_tell_of_letters_that_a_pair_declined,
            }
            "S39": similar {
                s39_comparison_replaces_undecided_pairs_alone,
                s39_pair_of_a_client_that_is_gone_is_not_kept,
                s39_changed_account_is_due_an_hour_after_its_comparison,
                s39_clients_that_may_be_one_person_are_found,
            }
            "S40": similar {
                s40_request_sees_the_pairs_of_its_clients_if_it_names_them,
            }
            "S41": former_addresses {
                s41_client_at_a_former_address_is_found,
                s41_former_address_has_the_name_and_the_unit,
                s41_comparison_names_former_addresses,
                s41_move_within_a_house_is_one_to_another_unit,
                s41_former_address_is_found_by_the_present_name,
                s41_of_many_at_a_former_address_the_oldest_are_compared,
            }
            "S17": accounts {
                s17_taken_ids_are_refused,
            }
            "CreateAccount": accounts {
                create_account_makes_the_owner_too,
            }
            "Operator": accounts { operator_is_handed_out }
            "ShowAccount": accounts { show_account_refuses_an_unknown_one, show_account_tells_its_last_commit }
            "ListAccounts": accounts { list_accounts_oldest_first_in_pages }
            "SetAccount": accounts { set_account_leaves_what_is_not_given }
            "AddLogin": accounts { add_login_to_a_known_account }
            "SetRole": accounts { set_role_of_a_known_login }
            "RemoveLogin": accounts { remove_login_revokes_its_keys_but_not_the_last_owner }
            "CreateKey": accounts { create_key_for_owners_only }
            "ListKeySecrets": accounts { list_key_secrets_of_all_keys }
            "ListKeys": accounts { list_keys_with_revoked_ones, list_keys_with_their_last_use }
            "RevokeKey": accounts { revoke_key_keeps_the_first_time }
            "GrantCounty": accounts { grant_county_again_moves_its_date }
            "RevokeCounty": accounts { revoke_county_hands_back_what_it_was }
            "ImportProspects": records { import_prospects_again_keeps_what_is_not_given }
            "EraseProspect": records { erase_prospect_takes_it_from_the_pages }
            "ShowClient": records { show_client_without_delay }
            "FindClients": records { find_clients_as_they_are_now }
            "MailOn": records { mail_on_is_a_change_of_the_client }
            "EraseClient": records { erase_client_once }
            "ListSettlements": records { list_settlements_by_last_change }
            "ListReview": review { list_review_in_pages_of_one_account }
            "ResolveReview": aliases { resolve_review_refuses_what_it_cannot_do }
            "DecideSimilar": similar { decide_similar_refuses_an_unknown_pair }
            "ListHistory": history { list_history_as_of_now }
            "UndoChange": undo { undo_change_is_a_change_of_the_account }
            "ListLog": records { list_log_tells_who_did_what }
        }
    }
}
