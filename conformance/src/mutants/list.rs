//! Every mutant, with its name and the cases that must notice it.

use super::{Mutant, changes, history, keys, mutant, operator, prospects, review, rules, similar, views};

/// Every mutant, in the order of the rules.
#[must_use]
pub fn mutants() -> Vec<Mutant> {
    vec![
        mutant::<keys::RevokedKeyWorks>("a revoked key still answers", &["s1_revoked_key_opens_nothing"]),
        mutant::<keys::EndedKeyWorks>("a key works past its end", &["s1_ended_key_opens_nothing"]),
        mutant::<keys::KeyOwnerIsRemembered>("who holds a key is remembered", &["s1_key_owner_is_as_of_now"]),
        mutant::<keys::PageKeyOwnerIsRemembered>("a page has the owner of before", &["s1_key_owner_is_as_of_now"]),
        mutant::<keys::LookUpForgetsAccount>(
            "an external id is looked up in every account",
            &["s2_same_external_id_in_two_accounts"],
        ),
        mutant::<keys::OperatorForgetsAccount>(
            "the operator reaches clients of other accounts",
            &["s2_operator_finds_no_client_of_another_account"],
        ),
        mutant::<changes::MissesNamesakes>(
            "namesakes without a place are missed",
            &["s3_lookup_key_without_place_matches_every_namesake"],
        ),
        mutant::<changes::MatchesStrangers>("a name alone matches", &["s3_lookup_key_matches_by_name_and_place"]),
        mutant::<changes::IgnoresUnits>("units are not compared", &["s3_lookup_key_matches_by_unit"]),
        mutant::<changes::ShowsAllNamesakes>(
            "every client of a name is shown",
            &[
                "s3_of_many_equal_people_the_oldest_are_seen",
                "s3_of_many_namesakes_those_that_nothing_tells_apart_are_seen",
            ],
        ),
        mutant::<changes::CutsNamesakesWithoutId>(
            "of many namesakes those without an external id are cut",
            &[
                "s3_of_many_equal_people_the_oldest_are_seen",
                "s3_of_many_namesakes_those_that_nothing_tells_apart_are_seen",
            ],
        ),
        mutant::<changes::RepeatsClients>("a client is shown twice", &["s3_client_matched_twice_is_seen_once"]),
        mutant::<changes::HidesSettlements>("settlements are not shown", &["s3_settling_lookup_key_sees_settlements"]),
        mutant::<changes::AppliesPieceByPiece>(
            "half a change set is applied",
            &["s4_unsaveable_change_set_leaves_nothing"],
        ),
        mutant::<changes::DropsSettlements>("settlements are not saved", &["s4_change_set_lands_whole"]),
        mutant::<changes::AppliesStaleDecisions>(
            "a stale decision is applied",
            &[
                "s5_same_new_person_at_once_is_one_client",
                "s5_same_new_external_id_at_once_is_one_client",
                "s5_change_to_read_client_asks_again",
            ],
        ),
        mutant::<changes::GuardsWholeAccount>(
            "any change in the account makes a decision stale",
            &["s5_changes_to_other_clients_do_not_disturb"],
        ),
        mutant::<changes::TrustsTheClock>(
            "time stands still with the clock",
            &[
                "s6_time_grows_while_the_clock_stands",
                "s6_time_grows_when_the_clock_is_set_back",
                "s6_operators_changes_are_commits",
            ],
        ),
        mutant::<changes::WritesUnchangedClients>(
            "unchanged clients are written",
            &["s7_nothing_changed_moves_nothing"],
        ),
        mutant::<changes::CommitsNothing>("an empty change is a commit", &["s7_nothing_changed_moves_nothing"]),
        mutant::<views::ShowsChangesAtOnce>(
            "changes show at once",
            &["s8_change_is_hidden_for_the_delay", "s8_mail_on_is_hidden_for_the_delay"],
        ),
        mutant::<views::ShowsChangesLate>("changes show late", &["s8_change_is_hidden_for_the_delay"]),
        mutant::<views::ForgetsWhatWasSeen>(
            "a page may show an earlier moment than the one before",
            &["s8_page_by_a_slower_clock_goes_on_where_the_walk_stood"],
        ),
        mutant::<views::DropsEarlierStates>(
            "a client that is changing is skipped",
            &["s8_changing_client_keeps_earlier_place"],
        ),
        mutant::<views::ShowsLatestInEarlierPlace>(
            "the latest state shows in the earlier place",
            &["s8_changing_client_keeps_earlier_place"],
        ),
        mutant::<views::RepeatsLastRow>(
            "a page begins with the last row of the one before",
            &["s8_page_goes_on_after_a_place"],
        ),
        mutant::<views::SkipsRestOfCommit>(
            "the rest of a commit is skipped at a page's end",
            &["s8_page_goes_on_after_a_place"],
        ),
        mutant::<views::UpdatedSinceIsExclusive>(
            "updated_since leaves out its own moment",
            &["s8_updated_since_is_inclusive"],
        ),
        mutant::<views::IgnoresExternalId>("the external id asked for is ignored", &["s8_external_id_as_it_stood"]),
        mutant::<views::IgnoresEmail>("the e-mail asked for is ignored", &["s8_filters_as_they_stood"]),
        mutant::<views::IgnoresName>("the name asked for is ignored", &["s8_filters_as_they_stood"]),
        mutant::<views::WaitsForClockFarAhead>(
            "a clock far ahead hides what comes after it",
            &["s8_clock_far_ahead_hides_nothing", "s9_clock_far_ahead_hides_nothing"],
        ),
        mutant::<prospects::RevokedCountyShows>(
            "a county that was taken back still shows",
            &["s9_county_without_grant_is_unseen", "s9_pages_agree_with_model_under_interleaving"],
        ),
        mutant::<prospects::IgnoresFromDate>(
            "a grant's date is ignored",
            &["s9_grant_from_date", "s9_pages_agree_with_model_under_interleaving"],
        ),
        mutant::<prospects::ShowsProspectsAtOnce>(
            "prospects show at once",
            &["s9_prospect_is_hidden_for_the_delay", "s9_pages_agree_with_model_under_interleaving"],
        ),
        mutant::<prospects::GrantsAreRemembered>("grants are remembered", &["s9_grants_come_with_the_page"]),
        mutant::<prospects::NewestAreTheOldest>(
            "the newest are the oldest",
            &["s9_newest_first_since_a_time", "s9_pages_agree_with_model_under_interleaving"],
        ),
        mutant::<prospects::NewestIgnoresTime>("the newest have no earliest time", &["s9_newest_first_since_a_time"]),
        mutant::<prospects::ImportTrustsTheClock>(
            "imports go back with the clock",
            &["s16_imports_grow_in_time", "s16_erasure_is_a_change"],
        ),
        mutant::<history::ShowsChangesAtOnce>(
            "a history shows what the list does not",
            &["s18_history_is_delayed_as_the_list_is"],
        ),
        mutant::<history::EndsWithFirstPage>(
            "a history ends with its first page",
            &["s18_history_goes_on_before_a_time"],
        ),
        mutant::<history::RepeatsTheLastChange>(
            "a page begins with the change before it",
            &["s18_history_goes_on_before_a_time"],
        ),
        mutant::<history::ForgetsWho>("a history forgets who", &["s18_history_tells_each_change_and_its_author"]),
        mutant::<history::ForgetsHow>(
            "a history forgets how a client was found",
            &["s18_history_tells_each_change_and_its_author"],
        ),
        mutant::<history::UndoesNothing>(
            "an undo only tells what it would do",
            &["s19_undo_is_the_identity_and_can_be_undone"],
        ),
        mutant::<history::DryRunUndoes>("a dry run of an undo is done", &["undo_change_is_a_change_of_the_account"]),
        mutant::<history::HidesWhatIsLeft>(
            "an undo hides what it leaves",
            &["s19_undo_leaves_what_a_later_change_wrote", "s19_undo_turns_no_letters_on_and_takes_no_settlement_back"],
        ),
        mutant::<history::OverwritesLaterChanges>(
            "an undo overwrites later changes",
            &["s19_undo_leaves_what_a_later_change_wrote"],
        ),
        mutant::<review::LosesReview>(
            "what is not saved does not wait",
            &["s20_item_is_kept_with_its_source_and_is_no_commit"],
        ),
        mutant::<review::ForgetsContent>(
            "the same content waits as if it were new",
            &["s20_item_with_the_same_content_keeps_its_first_time"],
        ),
        mutant::<review::KeepsWhatCameWell>(
            "what waits stays when its client comes well",
            &["s20_item_goes_when_its_client_comes_well"],
        ),
        mutant::<review::CommitsReview>(
            "what waits is a commit",
            &["s20_item_is_kept_with_its_source_and_is_no_commit"],
        ),
        mutant::<review::ShowsOldReview>("what waits never ends", &["s20_item_is_shown_until_its_days_are_over"]),
        mutant::<review::IgnoresAliases>(
            "an alias finds no client",
            &["s21_alias_finds_its_client_and_its_settlements"],
        ),
        mutant::<review::ListsByOwnIdAlone>(
            "the listing finds no client by an alias",
            &["s21_listing_finds_a_client_by_its_alias_once_the_change_is_shown"],
        ),
        mutant::<review::LeavesEverything>("a decision does nothing", &["s21_decision_can_be_undone_and_done_again"]),
        mutant::<review::NamesTheGone>(
            "a client in the way is named after it is gone",
            &["s20_candidate_that_an_undo_removed_is_named_once_it_is_back"],
        ),
        mutant::<review::HidesTurnedItems>(
            "an undo hides what becomes of a decided item",
            &["s21_left_item_waits_again_by_an_undo_which_can_be_undone"],
        ),
        mutant::<review::ReviewEndsWithFirstPage>(
            "what waits ends with its first page",
            &["list_review_in_pages_of_one_account"],
        ),
        mutant::<similar::ForgetsDecisions>(
            "a comparison forgets what was decided",
            &["s39_comparison_replaces_undecided_pairs_alone"],
        ),
        mutant::<similar::KeepsErased>("pairs of an erased client stay", &["s38_pairs_go_with_their_clients"]),
        mutant::<similar::ShowsOtherAccounts>(
            "pairs of another account are shown",
            &["s38_pairs_are_read_in_pages_of_one_account"],
        ),
        mutant::<similar::ForgetsMoves>(
            "former addresses are forgotten",
            &["s41_client_at_a_former_address_is_found", "s41_comparison_names_former_addresses"],
        ),
        mutant::<similar::NeverForgetsMoves>(
            "a former address stays one after the client is back or erased",
            &["s41_client_at_a_former_address_is_found"],
        ),
        mutant::<similar::FeedIgnoresPairs>(
            "the feed tells of no pair",
            &["s38_settlements_tell_of_letters_that_a_pair_declined"],
        ),
        mutant::<similar::AlwaysNamesPairs>(
            "a request sees pairs that it does not name",
            &["s40_request_sees_the_pairs_of_its_clients_if_it_names_them"],
        ),
        mutant::<similar::MissesSecondOfPair>(
            "a request sees the pairs of the smaller id alone",
            &["s40_request_sees_the_pairs_of_its_clients_if_it_names_them"],
        ),
        mutant::<similar::PairsEndWithFirstPage>(
            "pairs end with their first page",
            &["s38_pairs_are_read_in_pages_of_one_account"],
        ),
        mutant::<views::ShortPageEndsWalk>(
            "a short page ends the walk",
            &["s10_bounded_page_goes_on", "s10_many_earlier_states_are_passed"],
        ),
        mutant::<changes::LosesIdempotencyRecords>(
            "the saved answer is lost",
            &["s11_saved_answer_is_found_for_a_day", "s4_change_set_lands_whole"],
        ),
        mutant::<changes::KeepsAnswersForever>(
            "answers are kept forever",
            &["s11_saved_answer_is_found_for_a_day", "s12_saved_answer_that_names_erased_client_is_gone"],
        ),
        mutant::<changes::SharesAnswers>(
            "answers are found from other accounts",
            &["s11_saved_answer_belongs_to_its_account"],
        ),
        mutant::<views::ErasureIsDelayed>("an erasure waits", &["s12_erased_client_is_in_no_view_at_once"]),
        mutant::<changes::ErasesWithoutTombstone>(
            "an erased client leaves no digest",
            &["s12_erased_client_keeps_do_not_mail_digest"],
        ),
        mutant::<changes::TombstoneForgetsDoNotMail>(
            "a digest forgets do_not_mail",
            &["s12_erased_client_keeps_do_not_mail_digest"],
        ),
        mutant::<prospects::ErasedProspectComesBack>(
            "an erased prospect comes back",
            &["s12_erased_prospect_is_never_imported_again"],
        ),
        mutant::<operator::LogEntryIsMissing>("a log entry is missing", &["s13_each_changing_command_is_logged_once"]),
        mutant::<operator::LogsRefusals>("refusals are logged", &["s13_refused_command_is_not_logged"]),
        mutant::<operator::LogEndsWithFirstPage>("the log ends with its first page", &["s13_log_is_read_in_pages"]),
        mutant::<operator::ForgetsLog<100>>(
            "log entries are deleted early",
            &["s13_old_entries_are_deleted_two_by_two"],
        ),
        mutant::<operator::ForgetsLog<10_000>>(
            "old log entries are never deleted",
            &["s13_old_entries_are_deleted_two_by_two"],
        ),
        mutant::<changes::ForgetsRequestIds>(
            "a commit whose answer was lost is repeated",
            &["s14_request_is_never_applied_twice"],
        ),
        mutant::<keys::LastRecordedUseWins>(
            "an earlier use of a key takes the place of a later one",
            &["s15_latest_use_of_a_key_is_recorded"],
        ),
        mutant::<prospects::CountsWhatChangesNothing>(
            "an import that changes nothing moves time",
            &["s16_what_an_import_takes_back_is_no_change"],
        ),
        mutant::<operator::LastCommitIsHidden>(
            "an account's last commit is not shown",
            &["show_account_tells_its_last_commit"],
        ),
        mutant::<operator::UnnamedFlagsAreTurnedOff>(
            "flags that are not named are turned off",
            &["set_account_leaves_what_is_not_given"],
        ),
        mutant::<operator::RemovedLoginStays>(
            "makes a removed login view-only instead",
            &["remove_login_revokes_its_keys_but_not_the_last_owner"],
        ),
        mutant::<operator::FindsWhateverThereIs>(
            "finds clients without the values that are looked for",
            &["find_clients_as_they_are_now"],
        ),
        mutant::<operator::ForgetsKeySecrets>("forgets the secrets of keys", &["list_key_secrets_of_all_keys"]),
        mutant::<operator::ChangesTakenNumbers>(
            "gives a taken number to a second account",
            &["s17_taken_ids_are_refused"],
        ),
        mutant::<operator::AnyLoginMakesKeys>("any login makes keys", &["create_key_for_owners_only"]),
        mutant::<operator::RevocationMoves>(
            "a second revocation moves the first",
            &["revoke_key_keeps_the_first_time"],
        ),
        mutant::<prospects::ImportErasesWhatIsNotGiven>(
            "an import erases what it does not give",
            &["import_prospects_again_keeps_what_is_not_given"],
        ),
        mutant::<operator::MailOnIsNotSaved>(
            "letters are turned on in the answer alone",
            &["mail_on_is_a_change_of_the_client"],
        ),
        mutant::<operator::FeedIgnoresCorrections>(
            "a correction does not appear again",
            &["list_settlements_by_last_change"],
        ),
    ]
}

/// Stores that break rules which no store decides: no case of the suite is there to notice, and the
/// simulation is.
#[must_use]
pub fn of_the_rules() -> Vec<Mutant> {
    vec![
        mutant::<rules::BlankErases>("blank erases", &[]),
        mutant::<rules::UpdateTurnsLettersOn>("an update turns letters on", &[]),
        mutant::<rules::MergesOtherIds>("two external ids are merged", &[]),
        mutant::<rules::ForgetsFormerDates>("former dates of a settlement are forgotten", &[]),
        mutant::<rules::LosesLastOfBatch>("the last new client of a batch is lost", &[]),
    ]
}
