//! Postgres and NATS of our own, with one account a role.

use std::{path::Path, time::Duration};

use anyhow::{Context, Result};
use local_servers::{Durability, NatsServer, NatsUser, PostgresServer};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use super::{children::Supervised, journal::Journal, state::State};

const DATABASE: &str = "almijara";
const START_LIMIT: Duration = Duration::from_secs(30);

/// The servers, running.
#[derive(Debug)]
pub struct Servers {
    postgres: PostgresServer,
    nats: NatsServer,
    children: Vec<Supervised>,
}

/// The roles that have accounts of their own.
#[derive(Clone, Copy, Debug)]
pub enum Account {
    /// Owns the ledger; alone may write the log.
    Sync,
    /// Owns the read models; may read the log.
    Projections,
    /// May read the read models and the log.
    Query,
    /// Owns what visitors wrote; may read the log, and write the stream of visitors' events.
    Command,
}

impl Account {
    const ALL: [Self; 4] = [Self::Sync, Self::Projections, Self::Query, Self::Command];

    const fn name(self) -> &'static str {
        match self {
            Self::Sync => "almijara_sync",
            Self::Projections => "almijara_projections",
            Self::Query => "almijara_query",
            Self::Command => "almijara_command",
        }
    }

    /// What the account may do on NATS: no more than its role needs.
    fn nats_user(self, password: String) -> NatsUser {
        let read_log = [
            "$JS.API.INFO",
            "$JS.API.STREAM.INFO.CONTENT",
            "$JS.API.CONSUMER.CREATE.CONTENT",
            "$JS.API.CONSUMER.CREATE.CONTENT.>",
            "$JS.API.CONSUMER.INFO.CONTENT.>",
            "$JS.API.CONSUMER.DELETE.CONTENT.>",
            "$JS.API.CONSUMER.MSG.NEXT.CONTENT.>",
        ];
        let (publish, subscribe): (Vec<&str>, Vec<&str>) = match self {
            // Whoever may manage any stream could delete another's.
            Self::Sync => (
                vec![
                    "content.>",
                    "$JS.API.INFO",
                    "$JS.API.STREAM.*.CONTENT",
                    "$JS.API.STREAM.MSG.GET.CONTENT",
                    "$JS.API.CONSUMER.>",
                    "$JS.API.DIRECT.GET.CONTENT.>",
                ],
                vec!["_INBOX.>"],
            ),
            Self::Command => {
                let visitors =
                    ["visitor.>", "$JS.API.STREAM.*.VISITOR", "$JS.API.STREAM.MSG.GET.VISITOR"];
                (read_log.into_iter().chain(visitors).collect(), vec!["visitor.>", "_INBOX.>"])
            }
            Self::Projections => {
                (read_log.into_iter().chain(["projected"]).collect(), vec!["_INBOX.>"])
            }
            Self::Query => (read_log.to_vec(), vec!["_INBOX.>", "projected"]),
        };
        let owned = |subjects: Vec<&str>| subjects.into_iter().map(str::to_owned).collect();
        NatsUser {
            name: self.name().to_owned(),
            password,
            publish: owned(publish),
            subscribe: owned(subscribe),
        }
    }
}

impl Servers {
    /// Starts both in `folder` and waits until they answer and every account is there.
    pub async fn start(folder: &Path, state: &mut State, journal: &Journal) -> Result<Self> {
        let postgres = PostgresServer::prepare(
            &folder.join("postgres"),
            state.port("postgres")?,
            &state.secret("postgres")?,
            Durability::Full,
        )
        .await
        .context("preparing Postgres")?;
        let users = Account::ALL
            .into_iter()
            .map(|account| Ok(account.nats_user(state.secret(account.name())?)))
            .collect::<Result<_>>()?;
        let nats = NatsServer::prepare(&folder.join("nats"), state.port("nats")?, users)
            .context("preparing NATS")?;
        let children = vec![
            Supervised::keep("postgres", journal, {
                let postgres = postgres.clone();
                move || postgres.start()
            }),
            Supervised::keep("nats", journal, {
                let nats = nats.clone();
                move || nats.start()
            }),
        ];
        let servers = Self { postgres, nats, children };
        tokio::try_join!(
            servers.postgres.wait_ready(START_LIMIT),
            servers.nats.wait_ready(START_LIMIT)
        )?;
        servers.make_accounts(state).await.context("making the accounts of Postgres")?;
        Ok(servers)
    }

    /// The address of our database for `account`.
    pub fn database_url(&self, account: Account, state: &mut State) -> Result<String> {
        Ok(self.postgres.url(account.name(), &state.secret(account.name())?, DATABASE))
    }

    /// The address of NATS for `account`.
    pub fn nats_url(&self, account: Account) -> Result<String> {
        self.nats.url(account.name()).context("every account is a user of NATS")
    }

    /// Makes a database called `name`, owned by a user of the same name, and gives the port.
    pub async fn private_database(&self, name: &str, password: &str) -> Result<u16> {
        let mut connection = self.postgres.connect("postgres").await?;
        make_user(&mut connection, name, password).await?;
        make_database(&mut connection, name).await?;
        let sql = format!(
            "revoke all on database {name} from public; alter database {name} owner to {name}"
        );
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await?;
        connection.close().await?;
        Ok(self.postgres.port())
    }

    /// Stops both.
    pub async fn stop(self, journal: &Journal) {
        for child in self.children {
            child.stop(journal).await;
        }
    }

    async fn make_accounts(&self, state: &mut State) -> Result<()> {
        let mut connection = self.postgres.connect("postgres").await?;
        for account in Account::ALL {
            make_user(&mut connection, account.name(), &state.secret(account.name())?).await?;
        }
        make_database(&mut connection, DATABASE).await?;
        // Each role makes its own schema, and no other role sees into it unless told so.
        connection
            .execute(
                "revoke all on database almijara from public;
                 grant connect on database almijara to almijara_query;
                 grant connect, create on database almijara
                    to almijara_sync, almijara_projections, almijara_command",
            )
            .await?;
        connection.close().await?;
        Ok(())
    }
}

async fn make_user(connection: &mut PgConnection, name: &str, password: &str) -> Result<()> {
    let exists: bool =
        sqlx::query_scalar("select exists (select from pg_roles where rolname = $1)")
            .bind(name)
            .fetch_one(&mut *connection)
            .await?;
    let verb = if exists { "alter" } else { "create" };
    // Names are constants of this program and passwords are hexadecimal digits.
    let sql = format!("{verb} role {name} login password '{password}'");
    connection.execute(AssertSqlSafe(sql)).await?;
    Ok(())
}

async fn make_database(connection: &mut PgConnection, name: &str) -> Result<()> {
    let exists: bool =
        sqlx::query_scalar("select exists (select from pg_database where datname = $1)")
            .bind(name)
            .fetch_one(&mut *connection)
            .await?;
    if !exists {
        connection.execute(AssertSqlSafe(format!("create database {name}"))).await?;
    }
    Ok(())
}
