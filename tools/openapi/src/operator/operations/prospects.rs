//! Operations on prospects and on who sees them.

use super::{READ, WRITE};
use crate::operation::Operation;

pub(super) const OPERATIONS: [Operation; 5] = [
    Operation {
        id: "listCounties",
        path: "/operator/v1/accounts/{account}/counties",
        tag: "Counties",
        summary: "List counties",
        description: "By FIPS code.",
        parameters: &["Actor", "Account"],
        answer: ("CountyList", "The account's counties."),
        ..READ
    },
    Operation {
        id: "grantCounty",
        method: "put",
        path: "/operator/v1/accounts/{account}/counties/{fips}",
        tag: "Counties",
        summary: "Grant a county",
        description: "The account sees the county's crashes from a date on. Sending another date moves it. Either makes the account's prospect cursors stale.",
        parameters: &["Actor", "Account", "Fips"],
        body: Some("CountyInput"),
        answer: ("CountyBody", "The grant."),
        ..WRITE
    },
    Operation {
        id: "revokeCounty",
        method: "delete",
        path: "/operator/v1/accounts/{account}/counties/{fips}",
        tag: "Counties",
        summary: "Revoke a county",
        description: "Makes the account's prospect cursors stale.",
        parameters: &["Actor", "Account", "Fips"],
        answer: ("CountyBody", "The grant, as it was."),
        ..READ
    },
    Operation {
        id: "importProspects",
        method: "post",
        path: "/operator/v1/prospects",
        tag: "Prospects",
        summary: "Import prospects",
        description: "Up to 500 at once, in order. Each gets a result, and an invalid one does not affect the others. Importing a known `source_id` updates it in place; an erased one is not brought back.",
        body: Some("ProspectBatch"),
        answer: ("ImportResults", "One result for each prospect."),
        ..WRITE
    },
    Operation {
        id: "eraseProspect",
        method: "delete",
        path: "/operator/v1/prospects/{prospect}",
        tag: "Prospects",
        summary: "Erase a prospect",
        description: "Its `source_id` is remembered, so that no import brings it back.",
        parameters: &["Actor", "Prospect"],
        answer: ("ErasedProspect", "It is erased."),
        ..READ
    },
];
