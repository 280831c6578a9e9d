//! What is kept together: the schema of one role, read and written with that role's own account.

use anyhow::Result;
use clap::ValueEnum;
use sqlx::{PgPool, query, query_scalar};

/// A part of a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// What visitors sent.
    Visitors,
    /// Who may use the console, and the trail of what they did.
    Operators,
    /// What was published when, and at which prices.
    Ledger,
}

impl Part {
    /// Each of them.
    pub const ALL: [Self; 3] = [Self::Visitors, Self::Operators, Self::Ledger];

    /// The schema that it is.
    pub const fn schema(self) -> &'static str {
        match self {
            Self::Visitors => "visitor",
            Self::Operators => "operator",
            Self::Ledger => "ledger",
        }
    }

    /// As `--only` calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Visitors => "visitors",
            Self::Operators => "operators",
            Self::Ledger => "ledger",
        }
    }

    /// The variable with the address of Postgres as its owner.
    pub const fn variable(self) -> &'static str {
        match self {
            Self::Visitors => "COMMAND_DATABASE_URL",
            Self::Operators => "CONSOLE_DATABASE_URL",
            Self::Ledger => "SYNC_DATABASE_URL",
        }
    }

    /// Tables of which no row is kept: none of them may come back.
    pub const fn left_out(self) -> &'static [&'static str] {
        match self {
            Self::Visitors => &[],
            Self::Operators => &["operator.session"],
            // An older ledger is complete once the content service was read again.
            Self::Ledger => &["ledger.pause", "ledger.compared"],
        }
    }

    /// Whether a system without it is whole: who has no console has no operators.
    pub const fn may_be_absent(self) -> bool {
        matches!(self, Self::Operators)
    }

    /// What psql is told before the schema is made again, in the same transaction.
    pub const fn before(self) -> &'static str {
        match self {
            // What waits to be published stands in no file and in no stream yet. Nobody adds to it after
            // it was read.
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

    /// What psql is told after that, in the same transaction.
    pub const fn after(self) -> &'static str {
        match self {
            // What waited when the file was written may wait still.
            Self::Visitors => {
                "insert into visitor.event
                 select * from json_populate_recordset(null::visitor.event, :'waiting')
                 on conflict do nothing;"
            }
            // Who was removed or kept out since is not let in by an older file, nor does it give anybody
            // a password or a right that was taken back. Rights of the database stand in none.
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
            // A relay that leads knows the ledger of before: whoever goes on begins with this one.
            Self::Ledger => {
                "select pg_terminate_backend(pid) from pg_stat_activity
                 where usename = current_user and pid <> pg_backend_pid();"
            }
        }
    }

    /// Brings the schema up to date, and makes it where there is none.
    pub async fn migrate(self, pool: &PgPool) -> Result<()> {
        match self {
            Self::Visitors => command::migrate(pool).await?,
            Self::Operators => console::migrate(pool).await?,
            Self::Ledger => sync::migrate(pool).await?,
        }
        Ok(())
    }

    /// Brings the schema up to date as it came out of a file, which an older program may have written.
    pub async fn catch_up(self, pool: &PgPool) -> Result<()> {
        if !matches!(self, Self::Ledger) {
            return self.migrate(pool).await;
        }
        let noted =
            query_scalar!(r#"select to_regclass('ledger.compared') is not null as "noted!""#);
        let is_noted = noted.fetch_one(pool).await?;
        self.migrate(pool).await?;
        if !is_noted {
            // Made just now, from a ledger that was taken for compared.
            query!("delete from ledger.compared").execute(pool).await?;
        }
        Ok(())
    }

    /// Whether there is such a schema.
    pub async fn exists(self, pool: &PgPool) -> Result<bool> {
        let found = query_scalar!(
            r#"select exists (select from pg_namespace where nspname = $1) as "found!""#,
            self.schema()
        );
        Ok(found.fetch_one(pool).await?)
    }

    /// How much of it there is.
    pub async fn count(self, pool: &PgPool) -> Result<Held> {
        let counts = match self {
            Self::Visitors => {
                let counted = query!(
                    r#"select (select count(*) from visitor.enquiry) as "enquiries!",
                              (select count(*) from visitor.account) as "accounts!",
                              (select count(*) from visitor.subscriber) as "subscribers!""#
                )
                .fetch_one(pool)
                .await?;
                // Who hears of homes, with an account or without.
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
                vec![(counted.accounts, "operators"), (counted.lines, "lines of their trail")]
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
        Ok(Held(counts))
    }
}

/// How much of a part there is, of what.
#[derive(Debug)]
pub struct Held(Vec<(i64, &'static str)>);

impl Held {
    /// Whether there is nothing of it.
    pub fn is_nothing(&self) -> bool {
        self.0.iter().all(|(count, _)| *count == 0)
    }
}

impl std::fmt::Display for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let last = self.0.len().saturating_sub(1);
        for (place, (count, what)) in self.0.iter().enumerate() {
            let before = match place {
                0 => "",
                _ if place == last => " and ",
                _ => ", ",
            };
            write!(f, "{before}{count} {what}")?;
        }
        Ok(())
    }
}
