//! The error of each refused command.

use crate::{api::error::ApiError, store::Refusal};

pub(super) fn answer(refusal: Refusal) -> ApiError {
    match refusal {
        Refusal::NoAccount => ApiError::not_found("There is no such account."),
        Refusal::NoLogin => ApiError::not_found("There is no such login."),
        Refusal::NoKey => ApiError::not_found("There is no such key."),
        Refusal::NoClient => ApiError::not_found("The account has no such client."),
        Refusal::NoChange => ApiError::not_found("The account has no record of a change by this request."),
        Refusal::NoHistory => ApiError::invalid("The states before this change were not kept, so it cannot be undone."),
        Refusal::NoProspect => ApiError::not_found("There is no such prospect."),
        Refusal::NoCounty => ApiError::not_found("The account has no grant for this county."),
        Refusal::NotOwner => ApiError::invalid("Only an owner's login creates keys, and this login has another role."),
        Refusal::LastOwner => {
            ApiError::invalid("The login is the account's only owner; make another login an owner first.")
        }
        Refusal::NoOwner => ApiError::invalid("The account has no owner's login to create a key with; add one first."),
    }
}
