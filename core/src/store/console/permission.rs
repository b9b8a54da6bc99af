//! Who may make a request of the console (rules G8 to G10).

use super::{ConsoleCommand, ConsoleRefusal, SessionOwner};
use crate::account::Role;

impl SessionOwner {
    /// Whether the session may change clients (rules G8 to G10): the first reason against it.
    ///
    /// # Errors
    /// Why not.
    pub const fn check_change(&self) -> Result<(), ConsoleRefusal> {
        if self.flags.suspended || self.is_suspended {
            return Err(ConsoleRefusal::Suspended);
        }
        if !matches!(self.role, Role::Owner | Role::Teammate) {
            return Err(ConsoleRefusal::Role);
        }
        if !self.flags.api_enabled {
            return Err(ConsoleRefusal::NotEnabled);
        }
        Ok(())
    }
}

impl ConsoleCommand {
    /// Whether a session may ask this (rules G8 to G10): the first reason against it.
    ///
    /// # Errors
    /// Why not.
    pub fn check(&self, owner: &SessionOwner) -> Result<(), ConsoleRefusal> {
        if matches!(self, Self::SignOut) {
            return Ok(());
        }
        if owner.flags.suspended || owner.is_suspended {
            return Err(ConsoleRefusal::Suspended);
        }
        let allowed: &[Role] = match self {
            Self::Session
            | Self::SignOut
            | Self::ShowAccount
            | Self::ListSessions
            | Self::AddPasskey { .. }
            | Self::RenamePasskey { .. }
            | Self::Overview { .. }
            | Self::SearchClients { .. }
            | Self::ShowClient { .. }
            | Self::ListReview { .. }
            | Self::ListSimilar { .. }
            | Self::ListProspects { .. }
            | Self::RecordDownload { .. }
            | Self::ShowImport { .. }
            | Self::ListImports { .. }
            | Self::ListActivity { .. } => &Role::ALL,
            Self::EndSessions { login } | Self::ListPasskeys { login } if *login == owner.login => &Role::ALL,
            // Whose passkey it is, is known when it is found.
            Self::RemovePasskey { .. } => &Role::ALL,
            Self::MailOn { .. }
            | Self::ResolveReview { .. }
            | Self::DecideSimilar { .. }
            | Self::UndoChange { .. }
            | Self::BeginImport { .. }
            | Self::EndImport { .. } => &[Role::Owner, Role::Teammate],
            Self::EndSessions { .. }
            | Self::ListPasskeys { .. }
            | Self::ListKeys
            | Self::ListKeySecrets
            | Self::CreateKey { .. }
            | Self::RevokeKey { .. }
            | Self::AddLogin { .. }
            | Self::SetRole { .. }
            | Self::RemoveLogin { .. }
            | Self::MakeLink { .. } => &[Role::Owner],
        };
        if !allowed.contains(&owner.role) {
            return Err(ConsoleRefusal::Role);
        }
        match self {
            Self::Overview { .. }
            | Self::SearchClients { .. }
            | Self::ShowClient { .. }
            | Self::MailOn { .. }
            | Self::ListReview { .. }
            | Self::ResolveReview { .. }
            | Self::ListSimilar { .. }
            | Self::DecideSimilar { .. }
            | Self::UndoChange { .. }
            | Self::BeginImport { .. }
            | Self::ShowImport { .. }
            | Self::ListImports { .. }
            | Self::EndImport { .. }
            | Self::RecordDownload { .. }
            | Self::CreateKey { .. }
                if !owner.flags.api_enabled =>
            {
                Err(ConsoleRefusal::NotEnabled)
            }
            Self::ListProspects { .. } if !owner.flags.api_enabled => Err(ConsoleRefusal::NotEnabled),
            Self::ListProspects { .. } if !owner.flags.digital_bundle => Err(ConsoleRefusal::NoBundle),
            _ => Ok(()),
        }
    }
}
