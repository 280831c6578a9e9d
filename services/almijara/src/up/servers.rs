//! The stack's own Postgres and NATS, with an account for each role.

use std::{collections::BTreeMap, path::Path, time::Duration};

use anyhow::{Context, Result};
use local_servers::{Durability, NatsAccounts, NatsServer, PostgresServer, Programs};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use tokio_util::sync::CancellationToken;

use super::{
    children::Supervised,
    journal::Journal,
    names::{Account, PortName, SecretName},
    state::State,
};

const DATABASE: &str = "almijara";
/// The roles and their permissions, the same files as in production.
const POSTGRES_ROLES: &str = include_str!("../../../../deploy/postgres/roles.sql");
const POSTGRES_GRANTS: &str = include_str!("../../../../deploy/postgres/grants.sql");
const NATS_ACCOUNTS: &str = include_str!("../../../../deploy/nats/accounts.conf");
const START_LIMIT: Duration = Duration::from_secs(30);

/// The running servers.
#[derive(Debug)]
pub struct Servers {
    postgres: PostgresServer,
    nats: NatsServer,
    children: Vec<Supervised>,
}

impl Servers {
    /// Starts both in `folder`, and waits until they answer and all accounts exist. Fails if `shutdown` is
    /// cancelled meanwhile. After an error, nothing is left running.
    pub async fn start(
        folder: &Path,
        state: &mut State,
        journal: &Journal,
        shutdown: &CancellationToken,
    ) -> Result<Self> {
        tokio::try_join!(Programs::postgres_version(), Programs::nats_version())?;
        let postgres = PostgresServer::prepare(
            &folder.join("postgres"),
            state.port(PortName::Postgres)?,
            &state.secret(SecretName::Postgres)?,
            Durability::Full,
        )
        .await
        .context("preparing Postgres")?;
        let passwords = Account::ALL
            .iter()
            .filter(|account| account.has_nats_user())
            .map(|&account| {
                Ok((account.name().to_owned(), state.secret(SecretName::Account(account))?))
            })
            .collect::<Result<BTreeMap<_, _>>>()?;
        let accounts = NatsAccounts::new(passwords, NATS_ACCOUNTS);
        let nats = NatsServer::prepare(&folder.join("nats"), state.port(PortName::Nats)?, accounts)
            .context("preparing NATS")?;
        let children = vec![
            Supervised::spawn("postgres", journal, {
                let postgres = postgres.clone();
                move || postgres.start()
            }),
            Supervised::spawn("nats", journal, {
                let nats = nats.clone();
                move || nats.start()
            }),
        ];
        let servers = Self { postgres, nats, children };
        let ready = tokio::select! {
            ready = servers.prepare(state) => ready,
            () = shutdown.cancelled() => Err(anyhow::anyhow!("interrupted")),
        };
        if let Err(error) = ready {
            servers.stop(journal).await;
            return Err(error);
        }
        Ok(servers)
    }

    async fn prepare(&self, state: &mut State) -> Result<()> {
        tokio::try_join!(self.postgres.wait_ready(START_LIMIT), self.nats.wait_ready(START_LIMIT))?;
        self.create_accounts(state).await.context("making the accounts of Postgres")
    }

    /// Returns the address of the database `almijara` for `account`.
    pub fn database_url(&self, account: Account, state: &mut State) -> Result<String> {
        let password = state.secret(SecretName::Account(account))?;
        Ok(self.postgres.url(account.name(), &password, DATABASE))
    }

    /// Returns the address of NATS for `account`.
    pub fn nats_url(&self, account: Account) -> Result<String> {
        self.nats.url(account.name()).context("every account is a user of NATS")
    }

    /// Creates a database `name`, owned by a user of the same name. Returns the port of Postgres.
    pub async fn private_database(&self, name: &str, password: &str) -> Result<u16> {
        let mut connection = self.postgres.connect("postgres").await?;
        create_or_update_user(&mut connection, name, password).await?;
        create_database(&mut connection, name).await?;
        let sql = format!(
            "revoke all on database {name} from public; alter database {name} owner to {name}"
        );
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await?;
        connection.close().await?;
        Ok(self.postgres.port())
    }

    /// Stops both servers.
    pub async fn stop(self, journal: &Journal) {
        for child in self.children {
            child.stop(journal).await;
        }
    }

    async fn create_accounts(&self, state: &mut State) -> Result<()> {
        let mut connection = self.postgres.connect("postgres").await?;
        connection.execute(POSTGRES_ROLES).await?;
        for &account in Account::ALL {
            let password = state.secret(SecretName::Account(account))?;
            create_or_update_user(&mut connection, account.name(), &password).await?;
        }
        create_database(&mut connection, DATABASE).await?;
        connection.execute(POSTGRES_GRANTS).await?;
        connection.close().await?;
        Ok(())
    }
}

async fn create_or_update_user(
    connection: &mut PgConnection,
    name: &str,
    password: &str,
) -> Result<()> {
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

async fn create_database(connection: &mut PgConnection, name: &str) -> Result<()> {
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
