//! Operations on the service as a whole.

use super::READ;
use crate::{node::object, operation::Operation, public::next_page};

pub(super) const OPERATIONS: [Operation; 2] = [
    Operation {
        id: "showSettings",
        path: "/operator/v1/settings",
        tag: "Service",
        summary: "Show the settings",
        description: "Without the service's secrets.",
        answer: ("SettingsBody", "The settings."),
        ..READ
    },
    Operation {
        id: "listLog",
        path: "/operator/v1/log",
        tag: "Service",
        summary: "Read the operator's log",
        description: "Every action that changed something, newest first.",
        parameters: &["Actor", "Limit", "Cursor"],
        answer: ("LogPage", "A page of the log."),
        links: || next_page("listLog", object! {}),
        ..READ
    },
];
