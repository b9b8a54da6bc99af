//! Accounts, logins, keys and county grants.

use chrono::NaiveDate;
use serde::Serialize;
use smol_str::SmolStr;
use uuid::Uuid;

use crate::{
    key::{AccountNumber, KeyScope},
    time::Timestamp,
};

/// What an account may do (rules A4 to A6). The operator changes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AccountFlags {
    /// The API is enabled. Otherwise: 403 `not_enabled`.
    pub api_enabled: bool,
    /// Access is suspended: 403 `forbidden`.
    pub suspended: bool,
    /// `GET /prospects` is enabled. Otherwise: 403 `bundle_required`.
    pub digital_bundle: bool,
    /// Prospects have `email` and `phone`.
    pub contact_enrichment: bool,
}

/// What a login may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Creates keys.
    Owner,
    /// Works with clients. Keys that it created as an owner keep working (rule A10).
    Teammate,
    /// Only reads: a key of such a login gets 403 `forbidden`.
    ViewOnly,
}

impl Role {
    /// Every role, in the order of the documentation.
    pub const ALL: [Self; 3] = [Self::Owner, Self::Teammate, Self::ViewOnly];

    /// The name in JSON, in the database and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Teammate => "teammate",
            Self::ViewOnly => "view_only",
        }
    }

    /// The role of that exact name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// The owner of a live key, with all that the order of checks needs (rule H23).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyOwner {
    /// The account's public id.
    pub account: Uuid,
    /// The account's email, for `GET /me`.
    pub email: String,
    /// What the account may do.
    pub flags: AccountFlags,
    /// The present role of the login that created the key.
    pub role: Role,
    /// When the key was last used, recorded about once a day (rule K7); `None` before the first record.
    pub last_used_at: Option<Timestamp>,
    /// What the key is limited to; `None` for everything (rule K12).
    pub scope: Option<KeyScope>,
    /// From when on the key is refused (rule K13). It never changes.
    pub ends_at: Option<Timestamp>,
}

impl KeyOwner {
    /// Whether the key has ended at this time (rule K13).
    #[must_use]
    pub fn has_ended(&self, now: Timestamp) -> bool {
        self.ends_at.is_some_and(|end| end <= now)
    }
}

/// An account's access to one county from one crash date on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Grant {
    /// Five-digit FIPS code of the county.
    pub fips: String,
    /// The first crash date that the account sees.
    pub from_date: NaiveDate,
}

/// An account in the operator API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Public id.
    pub id: Uuid,
    /// Its number, which only its keys show (rule K8).
    pub number: AccountNumber,
    /// Contact address, shown by `GET /me`.
    pub email: String,
    /// What the account may do.
    pub flags: AccountFlags,
    /// When it was created.
    pub created_at: Timestamp,
    /// The time of the last change of its clients, if there was one.
    pub last_commit_at: Option<Timestamp>,
    /// Its logins, oldest first.
    pub logins: Vec<Login>,
    /// Its counties, by FIPS code.
    pub counties: Vec<Grant>,
}

/// A person's login to an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Login {
    /// Public id.
    pub id: Uuid,
    /// The account it belongs to.
    pub account_id: Uuid,
    /// The person's address.
    pub email: String,
    /// What the login may do.
    pub role: Role,
    /// When it was added.
    pub created_at: Timestamp,
}

/// A key in a list, without the key itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeyRecord {
    /// Public id, by which it is revoked.
    pub id: Uuid,
    /// The account it opens.
    pub account_id: Uuid,
    /// The login that created it.
    pub login_id: Uuid,
    /// The label that it was given.
    pub label: Option<String>,
    /// Its last four characters.
    pub last_four: SmolStr,
    /// What it is limited to; `None` for everything.
    pub scope: Option<KeyScope>,
    /// From when on it is refused; `None` for a key without an end.
    pub ends_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last used, recorded about once a day.
    pub last_used_at: Option<Timestamp>,
    /// When it was revoked; `None` while it is not.
    pub revoked_at: Option<Timestamp>,
}
