//! The roles of the cluster, two of each, configured as in `deploy/`.

use std::{fs, path::Path};

use anyhow::{Context, Result};
use local_servers::{Programs, free_port};

use super::{
    forward::Service,
    servers::Ports,
    world::{UpCheck, Version, World},
};
use crate::stack::root;

/// The folder of the renderer and its build in a package.
const PACKAGED_FRONTEND: &str = "usr/share/almijara/frontend";

pub type Environment = Vec<(&'static str, String)>;

/// The addresses by which the roles reach each other.
pub struct Names {
    content: u16,
    sync: Pair,
    query: Pair,
    command: Pair,
    renderer: Pair,
    sites: [u16; 2],
    /// Forwards to the replica and, while that is down, to the primary Postgres.
    reading: Service,
}

impl Names {
    fn content_url(&self) -> String {
        format!("http://127.0.0.1:{}", self.content)
    }
}

/// Two instances of a role: their ports, and the service that forwards to both.
struct Pair {
    ports: [u16; 2],
    service: Service,
}

impl Pair {
    async fn new() -> Result<Self> {
        let ports = [free_port()?, free_port()?];
        Ok(Self { ports, service: Service::round_robin(ports.to_vec()).await? })
    }
}

impl World {
    pub(super) async fn start_roles(&mut self, secrets: &Path, ports: &Ports) -> Result<()> {
        let names = Names {
            content: free_port()?,
            sync: Pair::new().await?,
            query: Pair::new().await?,
            command: Pair::new().await?,
            renderer: Pair::new().await?,
            sites: [free_port()?, free_port()?],
            reading: Service::first_available(vec![ports.replica, ports.postgres]).await?,
        };
        self.start_publishing(secrets, &names)?;
        let read = fs::read_to_string(secrets.join("query-database-url"))?
            .replace(&format!(":{}/", ports.postgres), &format!(":{}/", names.reading.port));
        for number in [1, 2] {
            self.start_answering(secrets, &names, number, &read)?;
            self.start_showing(secrets, &names, number)?;
        }
        self.caddy(names.sites)?;
        let operator = [
            ("SYNC_DATABASE_URL", "sync-database-url"),
            ("PROJECTIONS_DATABASE_URL", "projections-database-url"),
            ("PROJECTIONS_NATS_URL", "projections-nats-url"),
            ("COMMAND_DATABASE_URL", "command-database-url"),
            ("CONTENT_TOKEN", "content-token"),
        ];
        for (name, file) in operator {
            self.operator.push((name, fs::read_to_string(secrets.join(file))?));
        }
        self.operator.push(("CONTENT_URL", names.content_url()));
        self.operator.push(("ENQUIRY_ITEMS", "false".to_owned()));
        self.names = Some(names);
        Ok(())
    }

    /// Starts the content service, and two of each role between it and the read models.
    fn start_publishing(&mut self, secrets: &Path, names: &Names) -> Result<()> {
        let webhook = format!("{}/webhooks/content", names.sync.service.url());
        let content = vec![
            ("CONTENT_DIR", self.content.path().display().to_string()),
            ("CONTENT_TOKEN_FILE", file(secrets, "content-token")),
            ("WEBHOOK_URL", webhook),
            ("WEBHOOK_SECRET_FILE", file(secrets, "webhook-secret")),
            ("PORT", names.content.to_string()),
        ];
        self.role("content-pack", "content", content)?;
        for (number, port) in (1..).zip(names.sync.ports) {
            let own = vec![
                ("CONTENT_URL", names.content_url()),
                ("CONTENT_TOKEN_FILE", file(secrets, "content-token")),
                ("WEBHOOK_SECRET_FILE", file(secrets, "webhook-secret")),
                ("ADMIN_TOKEN_FILE", file(secrets, "sync-admin-token")),
                ("PORT", port.to_string()),
            ];
            self.role("sync", &format!("sync-{number}"), with(servers_of(secrets, "sync"), own))?;
            let name = format!("projections-{number}");
            self.role("projections", &name, servers_of(secrets, "projections"))?;
        }
        Ok(())
    }

    /// Starts the query node and the write side with that `number`. `read` is the address of Postgres
    /// for reads.
    fn start_answering(
        &mut self,
        secrets: &Path,
        names: &Names,
        number: usize,
        read: &str,
    ) -> Result<()> {
        let data = self.data_of(&format!("query-{number}"))?;
        let query = vec![
            ("DATABASE_URL", read.to_owned()),
            ("NATS_URL_FILE", file(secrets, "query-nats-url")),
            ("DATA_DIR", data.display().to_string()),
            ("PUBLIC_URL", self.url("")),
            ("PORT", names.query.ports[number - 1].to_string()),
        ];
        self.indexes.push(data);
        self.role("query", &format!("query-{number}"), query)?;
        let command = vec![
            ("QUERY_URL", names.query.service.url()),
            ("PUBLIC_URL", self.url("")),
            ("SMTP_URL_FILE", file(secrets, "smtp-url")),
            ("MAIL_FROM", "Almijara Homes <homes@almijara.example>".to_owned()),
            ("OFFICE_EMAIL", "office@almijara.example".to_owned()),
            ("ENQUIRY_BURST", "0".to_owned()),
            ("PORT", names.command.ports[number - 1].to_string()),
        ];
        let environment = with(servers_of(secrets, "command"), command);
        self.role("command", &format!("command-{number}"), environment)
    }

    /// Starts the renderer and the site with that `number`.
    fn start_showing(&mut self, secrets: &Path, names: &Names, number: usize) -> Result<()> {
        let public = vec![
            ("QUERY_URL", names.query.service.url()),
            ("COMMAND_URL", names.command.service.url()),
            ("PUBLIC_URL", self.url("")),
        ];
        let frontend = root().join("frontend");
        self.renderer(&frontend, names.renderer.ports[number - 1], number, &public)?;
        let data = self.data_of(&format!("site-{number}"))?;
        let site = vec![
            ("RENDERER_URL", names.renderer.service.url()),
            ("ASSETS_DIR", frontend.join("build/client").display().to_string()),
            ("DATA_DIR", data.display().to_string()),
            ("CONTENT_URL", names.content_url()),
            ("CONTENT_TOKEN_FILE", file(secrets, "content-token")),
            ("TRUSTED_PROXIES", "1".to_owned()),
            ("RATE_LIMIT", "0".to_owned()),
            ("PORT", names.sites[number - 1].to_string()),
        ];
        self.role("site", &format!("site-{number}"), with(public, site))
    }

    /// Starts `role` as `name`.
    fn role(&mut self, role: &str, name: &str, environment: Environment) -> Result<()> {
        let health = free_port()?;
        let arguments = vec![role.to_owned()];
        let environment = with(
            environment,
            vec![("HOST", "127.0.0.1".to_owned()), ("HEALTH_PORT", health.to_string())],
        );
        let before = self.before.as_ref().filter(|_| role != "content-pack").map(|package| {
            let environment = in_package(package, &environment);
            let program = self.almijara(Version::Before);
            self.program(name, program, arguments.clone(), environment)
        });
        let start = self.program(name, self.almijara(Version::Today), arguments, environment);
        let up_check = UpCheck::Ready(format!("http://127.0.0.1:{health}/readyz"));
        self.run(name, start, before, Some(up_check))
    }

    fn renderer(
        &mut self,
        frontend: &Path,
        port: u16,
        number: usize,
        public: &Environment,
    ) -> Result<()> {
        let name = format!("renderer-{number}");
        let environment = with(
            public.clone(),
            vec![
                ("NODE_ENV", "production".to_owned()),
                ("RENDERERS", "1".to_owned()),
                ("HOST", "127.0.0.1".to_owned()),
                ("PORT", port.to_string()),
            ],
        );
        let server = |frontend: &Path| vec![frontend.join("server.js").display().to_string()];
        let before = self.before.as_ref().map(|package| {
            let node = package.join("usr/lib/almijara/node");
            let server = server(&package.join(PACKAGED_FRONTEND));
            self.program(&name, node, server, environment.clone())
        });
        let node = frontend.join("node_modules/node/bin/node");
        let start = self.program(&name, node, server(frontend), environment);
        let up_check = UpCheck::Ready(format!("http://127.0.0.1:{port}/healthz"));
        self.run(&name, start, before, Some(up_check))
    }

    /// Starts Caddy in front of both sites, with the configuration of production.
    fn caddy(&mut self, sites: [u16; 2]) -> Result<()> {
        let program = Programs::on_path("caddy")
            .or_else(|| {
                Some(root().join("target/caddy/usr/bin/caddy")).filter(|file| file.exists())
            })
            .context("caddy is not installed; deploy/prerequisites.sh test fetches it")?;
        let data = self.data_of("caddy")?.display().to_string();
        let configuration = root().join("deploy/caddy/Caddyfile").display().to_string();
        let arguments = ["run", "--adapter", "caddyfile", "--config", &configuration];
        let start = self.program(
            "caddy",
            program,
            arguments.map(str::to_owned).to_vec(),
            vec![
                ("SITE_HOST", self.url("")),
                ("SITE_UPSTREAMS", sites.map(|port| format!("127.0.0.1:{port}")).join(" ")),
                ("SITE_BALANCING", "fail_duration 1s".to_owned()),
                ("STUDIO_HOST", format!("http://studio.localhost:{}", self.door)),
                ("CADDY_ADMIN", format!("127.0.0.1:{}", free_port()?)),
                ("HOME", data.clone()),
                ("XDG_DATA_HOME", data.clone()),
                ("XDG_CONFIG_HOME", data),
            ],
        );
        self.run("caddy", start, None, None)
    }
}

/// Returns `environment` with the files of an unpacked package, for a role that runs from it.
fn in_package(package: &Path, environment: &Environment) -> Environment {
    let mut environment = environment.clone();
    for (_, value) in environment.iter_mut().filter(|(name, _)| *name == "ASSETS_DIR") {
        *value = package.join(PACKAGED_FRONTEND).join("build/client").display().to_string();
    }
    environment
}

fn with(mut environment: Environment, more: Environment) -> Environment {
    environment.extend(more);
    environment
}

/// Returns the path of a secret's file.
fn file(secrets: &Path, name: &str) -> String {
    secrets.join(name).display().to_string()
}

/// Returns the environment with the servers' addresses for `role`.
fn servers_of(secrets: &Path, role: &str) -> Environment {
    vec![
        ("DATABASE_URL_FILE", file(secrets, &format!("{role}-database-url"))),
        ("NATS_URL_FILE", file(secrets, &format!("{role}-nats-url"))),
        ("STREAM_REPLICAS", "3".to_owned()),
    ]
}
