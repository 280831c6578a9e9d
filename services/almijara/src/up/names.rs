//! The names of the stack's parts: roles, accounts, secrets and ports.

use std::fmt;

use clap::ValueEnum;
use contracts::closed_set;
use serde::{Deserialize, Serialize};

/// Which content service runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContentService {
    /// The built-in content service, which serves a folder of JSON and pictures.
    Pack,
    /// A real Directus.
    Directus,
}

impl ContentService {
    /// Returns its name, as in the variable `CONTENT`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pack => "pack",
            Self::Directus => "directus",
        }
    }
}

closed_set!(
    /// A part of the stack that is a process of this program, by the name of its command.
    Role, "role", {
        Sync = "sync",
        Projections = "projections",
        Query = "query",
        Command = "command",
        Site = "site",
        Preview = "preview",
        Console = "console",
        ContentPack = "content-pack",
    }
);

impl Role {
    /// The roles that take admin calls.
    pub const WITH_ADMIN_CALLS: [Self; 5] =
        [Self::Sync, Self::Projections, Self::Query, Self::Command, Self::Site];
}

closed_set!(
    /// An account of a role at the servers, by the name of its user.
    Account, "account", {
        /// Owns the ledger; the only one that may write the log.
        Sync = "almijara_sync",
        /// Owns the read models; may read the log.
        Projections = "almijara_projections",
        /// May read the read models and the log.
        Query = "almijara_query",
        /// Owns what visitors wrote; may read the log, and write the stream of visitors' events.
        Command = "almijara_command",
        /// Owns the operators' accounts and their audit trail; has no access to the log.
        Console = "almijara_console",
    }
);

impl Account {
    /// Returns whether it is also a user of NATS.
    pub const fn has_nats_user(self) -> bool {
        !matches!(self, Self::Console)
    }
}

/// A password, token or key of the stack. Its text is the name under which the data folder keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretName {
    /// The password of an account.
    Account(Account),
    /// The token of a role's admin calls.
    AdminToken(Role),
    Postgres,
    ContentToken,
    WebhookSecret,
    PreviewSecret,
    PreviewToken,
    LiveStatusToken,
    EnquiriesToken,
    EnquiriesEraseToken,
    EnquiriesSecret,
    ConsoleContentToken,
    DirectusDatabase,
    DirectusSecret,
    DirectusAdminPassword,
    DirectusAdminToken,
    DirectusEditorPassword,
}

impl fmt::Display for SecretName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Account(account) => account.name(),
            Self::AdminToken(role) => return write!(f, "{role} admin token"),
            Self::Postgres => "postgres",
            Self::ContentToken => "content token",
            Self::WebhookSecret => "webhook secret",
            Self::PreviewSecret => "preview secret",
            Self::PreviewToken => "preview token",
            Self::LiveStatusToken => "live status token",
            Self::EnquiriesToken => "enquiries token",
            Self::EnquiriesEraseToken => "enquiries erase token",
            Self::EnquiriesSecret => "enquiries secret",
            Self::ConsoleContentToken => "console content token",
            Self::DirectusDatabase => "almijara_directus",
            Self::DirectusSecret => "directus secret",
            Self::DirectusAdminPassword => "directus admin password",
            Self::DirectusAdminToken => "directus admin token",
            Self::DirectusEditorPassword => "directus editor password",
        })
    }
}

/// A port of the stack. Its text is the name under which the data folder keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortName {
    /// The port of a role's own work.
    Role(Role),
    /// The port of a role's health and admin calls.
    Health(Role),
    Postgres,
    Nats,
    Directus,
    Renderer,
    /// Where the mail catcher takes mail.
    Smtp,
    /// Where the mail catcher shows it.
    Mail,
    /// Where the trace viewer takes spans.
    Otlp,
    /// Where the trace viewer shows them.
    Traces,
}

impl fmt::Display for PortName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Role(Role::ContentPack) => "content",
            Self::Role(role) => role.name(),
            Self::Health(role) => return write!(f, "{role} health"),
            Self::Postgres => "postgres",
            Self::Nats => "nats",
            Self::Directus => "directus",
            Self::Renderer => "renderer",
            Self::Smtp => "smtp",
            Self::Mail => "mail",
            Self::Otlp => "otlp",
            Self::Traces => "traces",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_folders_hold_already() {
        for (name, stored) in [
            (SecretName::Account(Account::Sync), "almijara_sync"),
            (SecretName::AdminToken(Role::Projections), "projections admin token"),
            (SecretName::ContentToken, "content token"),
            (SecretName::DirectusDatabase, "almijara_directus"),
        ] {
            assert_eq!(name.to_string(), stored);
        }
        for (name, stored) in [
            (PortName::Role(Role::Query), "query"),
            (PortName::Role(Role::ContentPack), "content"),
            (PortName::Health(Role::ContentPack), "content-pack health"),
            (PortName::Renderer, "renderer"),
        ] {
            assert_eq!(name.to_string(), stored);
        }
    }
}
