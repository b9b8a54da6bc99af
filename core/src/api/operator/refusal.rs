//! The error of each refused command.

use crate::{
    api::error::{ApiError, ErrorCode},
    store::Refusal,
};

pub(super) fn answer(refusal: Refusal) -> ApiError {
    match refusal {
        Refusal::NoAccount => ApiError::not_found("There is no such account."),
        Refusal::NoLogin => ApiError::not_found("There is no such login."),
        Refusal::NoKey => ApiError::not_found("There is no such key."),
        Refusal::NoClient => ApiError::not_found("The account has no such client."),
        Refusal::NoChange => ApiError::not_found("The account has no record of a change by this request."),
        Refusal::NoHistory => ApiError::invalid("The states before this change were not kept, so it cannot be undone."),
        Refusal::NoItem => ApiError::not_found("Nothing with this id waits for review in the account."),
        Refusal::NoPair => ApiError::not_found("The account has no possible duplicate of these two clients."),
        Refusal::Unreadable => ApiError::invalid(
            "What was sent cannot be read; correct it where it comes from and send it again, or leave it.",
        ),
        Refusal::Nameless => {
            ApiError::invalid("It has no name, so no client can be created; say who it is, or leave it.")
        }
        Refusal::ExternalIdTaken => ApiError::invalid(
            "Another client has the external_id that was sent by now; send the client again to see what becomes of it.",
        ),
        Refusal::NoProspect => ApiError::not_found("There is no such prospect."),
        Refusal::NoCounty => ApiError::not_found("The account has no grant for this county."),
        Refusal::NotOwner => ApiError::invalid("Only an owner's login creates keys, and this login has another role."),
        Refusal::LastOwner => {
            ApiError::invalid("The login is the account's only owner; make another login an owner first.")
        }
        Refusal::NoTransfer => ApiError::not_found("This service's store neither exports nor imports accounts."),
        Refusal::NoPlace => ApiError::invalid("The cursor is not one of this export."),
        Refusal::Importing => conflict("The account is being imported and stays suspended until that has ended."),
        Refusal::NoAccountImport => ApiError::not_found("The account has no import."),
        Refusal::ImportEnded => conflict("The import has ended, so the account can no longer be discarded."),
        Refusal::AccountExists => {
            conflict("The account exists here, and is no import of this file; nothing is imported over it.")
        }
        Refusal::OtherColumns => {
            ApiError::invalid("The export was made by another version of the service; use the version that made it.")
        }
        Refusal::MalformedRow => ApiError::invalid("A row is not one of this export; nothing of these rows is saved."),
        Refusal::RowTaken => conflict(
            "A row has an id or a key that another account here has, so this file cannot be imported here; nothing of \
             these rows is saved.",
        ),
        Refusal::NumberTaken => conflict("Another account here has the number that the account's keys begin with."),
        Refusal::Discarding => conflict("The import is being discarded; discard the rest before you begin it again."),
        Refusal::NoPointInTime => conflict(
            "The account cannot be set back to that time. Only an account in an object of its own on Cloudflare can \
             be, at most 30 days back, and not to before it was made or its import ended.",
        ),
        Refusal::NotSuspended => conflict("Suspend the account first: what it saves meanwhile would be lost."),
        Refusal::OtherDigest => ApiError::invalid(
            "The rows are not those that were announced: the file is damaged. The account stays suspended; discard \
             the import and send the whole file again.",
        ),
        Refusal::NoOwner => ApiError::invalid("The account has no owner's login to create a key with; add one first."),
    }
}

fn conflict(message: &'static str) -> ApiError {
    ApiError::new(ErrorCode::Conflict, message)
}
