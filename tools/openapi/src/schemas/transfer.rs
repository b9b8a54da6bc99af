//! An account as rows: its export and its import.

use super::{Named, answer, flag, id, or_null, schema_or_null, text, value, with_optional};
use crate::node::{Node, object};

/// The schemas of export and import.
pub fn schemas() -> Vec<Named> {
    let number = |description: &str| value("integer", description).with("minimum", 0_u32);
    let digest = || {
        text("SHA-256 of `head`; then, row by row, of the digest before it and of the row.")
            .with("pattern", "^[0-9a-f]{64}$")
    };
    let row = || {
        object! {
            "type": "array",
            "description": "The name of a table, then a value for each of its columns. Bytes are hexadecimal digits.",
            "items": object! { "type": Node::array(["string", "integer", "null"]) },
        }
    };
    let rows = |description: &str| object! { "type": "array", "description": description, "items": row() };
    vec![
        (
            "AccountHead",
            answer(
                "AccountHead",
                "The account of an export, and what the values of its rows mean.",
                vec![
                    ("matterbook_account", value("integer", "The version of this form.").with("const", 1_u32)),
                    ("account", id("The account.")),
                    (
                        "key_secrets",
                        object! {
                            "type": "array",
                            "description": "Values that tell the key secrets of its keys apart and reveal nothing of them.",
                            "items": object! { "type": "string" },
                        },
                    ),
                    ("is_suspended", flag("Whether it is suspended, once it is imported.")),
                    (
                        "tables",
                        object! {
                            "type": "object",
                            "description": "The columns of each table.",
                            "additionalProperties": object! { "type": "array", "items": object! { "type": "string" } },
                        },
                    ),
                    ("row", row()),
                ],
            ),
        ),
        (
            "AccountRows",
            answer(
                "AccountRows",
                "Rows of an account.",
                vec![
                    ("version", text("Differs between two pages if the account changed in between: then begin again.")),
                    ("head", schema_or_null("AccountHead", "In the first page only; otherwise `null`.")),
                    ("rows", rows("Rows in the order of the tables.")),
                ],
            ),
        ),
        (
            "ExportPage",
            answer(
                "ExportPage",
                "A page of an account.",
                vec![
                    ("export", Node::schema("AccountRows")),
                    ("next_cursor", or_null(text("Pass it as `cursor` for the next page; `null` on the last."))),
                ],
            ),
        ),
        (
            "AccountImport",
            answer(
                "AccountImport",
                "How far the import of an account has come.",
                vec![
                    ("account", id("The account.")),
                    ("digest", digest()),
                    ("row_count", number("How many rows it has.")),
                    ("received_rows", number("How many rows are saved: the next ones begin there.")),
                    ("is_done", flag("Whether it has ended. Until then the account is suspended.")),
                ],
            ),
        ),
        (
            "AccountImportBody",
            answer("AccountImportBody", "An import.", vec![("import", Node::schema("AccountImport"))]),
        ),
        (
            "AccountImportInput",
            with_optional(
                answer(
                    "AccountImportInput",
                    "The account that is to be imported.",
                    vec![
                        ("head", Node::schema("AccountHead")),
                        ("row_count", number("How many rows follow.").with("minimum", 1_u32)),
                        ("digest", digest()),
                    ],
                ),
                (
                    "revoke_keys",
                    flag("Revoke its keys, as a copy for staging needs it. Its key secrets are not needed then."),
                ),
            ),
        ),
        (
            "AccountRowsInput",
            answer(
                "AccountRowsInput",
                "Rows of an import, from 1 to 500.",
                vec![
                    ("from", number("How many rows come before these.")),
                    ("rows", rows("Rows as the export has them.").with("minItems", 1_u32).with("maxItems", 500_u32)),
                ],
            ),
        ),
    ]
}
