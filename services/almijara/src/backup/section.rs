//! The sections of a backup: each is the schema of one role, read and written with that role's own account.

use anyhow::Result;
use clap::ValueEnum;
use contracts::closed_set;
use sqlx::{PgPool, query, query_scalar};

closed_set!(
    /// A section of a backup, by the name that `--only` takes.
    #[derive(ValueEnum)]
    BackupSection, "section of a backup", {
        /// What visitors sent.
        Visitors = "visitors",
        /// The console's operators, and the audit trail of their actions.
        Operators = "operators",
        /// The history of what was published when, and at which prices.
        Ledger = "ledger",
    }
);

impl BackupSection {
    /// Returns the schema of the section.
    pub const fn schema(self) -> &'static str {
        match self {
            Self::Visitors => "visitor",
            Self::Operators => "operator",
            Self::Ledger => "ledger",
        }
    }

    /// Returns the environment variable with the address of Postgres as the section's owner.
    pub const fn variable(self) -> &'static str {
        match self {
            Self::Visitors => "COMMAND_DATABASE_URL",
            Self::Operators => "CONSOLE_DATABASE_URL",
            Self::Ledger => "SYNC_DATABASE_URL",
        }
    }

    /// Returns the tables whose rows are not backed up, because they must not come back.
    pub const fn excluded_tables(self) -> &'static [&'static str] {
        match self {
            Self::Visitors => &[],
            Self::Operators => &["operator.session"],
            // A restored ledger is complete only after the content service was read again.
            Self::Ledger => &["ledger.pause", "ledger.compared"],
        }
    }

    /// Returns whether the schema may be missing: without a console, there are no operators.
    pub const fn is_optional(self) -> bool {
        matches!(self, Self::Operators)
    }

    /// Returns the SQL that psql runs before it creates the schema again, in the same transaction.
    pub const fn sql_before(self) -> &'static str {
        match self {
            // Events that wait to be published are in neither the file nor the stream yet. The lock keeps
            // others from adding to them after they were read.
            Self::Visitors => {
                "lock table visitor.event;
                 select coalesce(json_agg(event), '[]') as waiting from visitor.event \\gset
                 drop schema visitor cascade;"
            }
            Self::Operators => {
                "lock table operator.account;
                 select coalesce(array_agg(lower(name)), '{}') as known
                 from operator.account where not disabled \\gset
                 select coalesce(json_agg(account), '[]') as newer from operator.account \\gset
                 drop schema operator cascade;"
            }
            Self::Ledger => "drop schema ledger cascade;",
        }
    }

    /// Returns the SQL that psql runs after it, in the same transaction.
    pub const fn sql_after(self) -> &'static str {
        match self {
            // Events that waited when the file was written may still be waiting, hence the conflicts.
            Self::Visitors => {
                "insert into visitor.event
                 select * from json_populate_recordset(null::visitor.event, :'waiting')
                 on conflict do nothing;"
            }
            // An older file must not let in operators who were removed or disabled since, nor give anybody
            // a password or a right that was taken back. A file has no database privileges, so the right
            // to change the audit trail is revoked again.
            Self::Operators => {
                "revoke update, delete, truncate on operator.audit from current_user;
                 update operator.account a set
                     password = n.password, totp_secret = n.totp_secret, totp_step = n.totp_step,
                     may_act = n.may_act, disabled = n.disabled, changed_at = n.changed_at
                 from json_populate_recordset(null::operator.account, :'newer') n
                 where lower(n.name) = lower(a.name);
                 update operator.account set disabled = true
                 where cardinality(:'known'::text[]) > 0 and lower(name) <> all (:'known'::text[]);
                 insert into operator.audit (operator, action, target, outcome)
                 values ('(almijara restore)', 'restore', 'operators', 'done');"
            }
            // A leading relay knows the ledger from before the restore. Whichever leads after its connection
            // is closed starts with this one.
            Self::Ledger => {
                "select pg_terminate_backend(pid) from pg_stat_activity
                 where usename = current_user and pid <> pg_backend_pid();"
            }
        }
    }

    /// Runs the migrations of the schema, which create it if it is missing.
    pub async fn migrate(self, pool: &PgPool) -> Result<()> {
        match self {
            Self::Visitors => command::migrate(pool).await?,
            Self::Operators => console::migrate(pool).await?,
            Self::Ledger => sync::migrate(pool).await?,
        }
        Ok(())
    }

    /// Runs the migrations of a restored schema, which may be from an older version of the program.
    pub async fn migrate_restored(self, pool: &PgPool) -> Result<()> {
        if !matches!(self, Self::Ledger) {
            return self.migrate(pool).await;
        }
        let found =
            query_scalar!(r#"select to_regclass('ledger.compared') is not null as "noted!""#);
        let had_compared = found.fetch_one(pool).await?;
        self.migrate(pool).await?;
        if !had_compared {
            // The migration has just created the table and marked the collections as compared, which
            // they are not.
            query!("delete from ledger.compared").execute(pool).await?;
        }
        Ok(())
    }

    /// Returns whether the schema exists.
    pub async fn exists(self, pool: &PgPool) -> Result<bool> {
        let found = query_scalar!(
            r#"select exists (select from pg_namespace where nspname = $1) as "found!""#,
            self.schema()
        );
        Ok(found.fetch_one(pool).await?)
    }

    /// Counts its main rows.
    pub async fn count(self, pool: &PgPool) -> Result<Counts> {
        let counts = match self {
            Self::Visitors => {
                let counted = query!(
                    r#"select (select count(*) from visitor.enquiry) as "enquiries!",
                              (select count(*) from visitor.account) as "accounts!",
                              (select count(*) from visitor.subscriber) as "subscribers!""#
                )
                .fetch_one(pool)
                .await?;
                // With or without an account.
                let subscribers = (counted.subscribers, "readers of alerts");
                vec![(counted.enquiries, "enquiries"), (counted.accounts, "accounts"), subscribers]
            }
            Self::Operators => {
                let counted = query!(
                    r#"select (select count(*) from operator.account) as "accounts!",
                              (select count(*) from operator.audit) as "lines!""#
                )
                .fetch_one(pool)
                .await?;
                vec![(counted.accounts, "operators"), (counted.lines, "lines of their audit trail")]
            }
            Self::Ledger => {
                let counted = query!(
                    r#"select (select count(*) from ledger.entry) as "versions!",
                              (select count(*) from ledger.earlier_price) as "prices!""#
                )
                .fetch_one(pool)
                .await?;
                vec![(counted.versions, "published versions"), (counted.prices, "earlier prices")]
            }
        };
        Ok(Counts(counts))
    }
}

/// The row counts of a section, each with what is counted.
#[derive(Debug)]
pub struct Counts(Vec<(i64, &'static str)>);

impl Counts {
    /// Returns whether all counts are zero.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|(count, _)| *count == 0)
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let last = self.0.len().saturating_sub(1);
        for (index, (count, what)) in self.0.iter().enumerate() {
            let separator = match index {
                0 => "",
                _ if index == last => " and ",
                _ => ", ",
            };
            write!(f, "{separator}{count} {what}")?;
        }
        Ok(())
    }
}
