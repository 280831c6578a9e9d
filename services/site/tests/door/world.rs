//! The environment of the door: fake services for rendering, changes and pictures.

use std::{
    collections::{BTreeMap, HashMap},
    convert::Infallible,
    fs::{self, File},
    future::Future,
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use axum::{
    Router,
    body::Body,
    extract::{Path, Request, State},
    response::{AppendHeaders, IntoResponse, Response, Sse, sse::Event},
    routing::{get, post},
};
use contracts::feed::{Changed, FeedEvent, Heartbeat, PositionEvent};
use futures::{StreamExt, stream};
use http::{HeaderMap, StatusCode, header};
use local_servers::free_port;
use runtime::Process;
use serde::Serialize;
use serde_json::Value;
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    sync::watch,
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

/// How long a test waits for anything.
const DEADLINE: Duration = Duration::from_mins(1);
pub const TOKEN: &str = "a-token";
/// The interval of the feed's heartbeats.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// The state of the fake services, and what the door requested from them.
#[derive(Debug)]
pub struct FakeBackend {
    position: watch::Sender<u64>,
    changes: Mutex<Vec<(u64, Vec<String>)>>,
    /// The feed can't resume from before this position.
    pub forgotten_up_to: AtomicU64,
    renders: Mutex<HashMap<String, Vec<HeaderMap>>>,
    held: Mutex<HashMap<String, watch::Sender<bool>>>,
    failing: Mutex<HashMap<String, StatusCode>>,
    /// The position that the fake services render from, if they lag behind.
    lagging_at: Mutex<Option<u64>>,
    pub pictures: Mutex<HashMap<String, Vec<u8>>>,
    pub original_requests: AtomicU64,
    /// Whether answers with originals are held back, how many are in flight, and the maximum of that.
    pub originals_held: watch::Sender<bool>,
    open_originals: AtomicU64,
    pub max_open_originals: AtomicU64,
    /// The pictures that published content shows, as `<file>/<version>`, with its tag.
    shown: Mutex<HashMap<String, String>>,
    pub shown_requests: AtomicU64,
    /// How many more requests for a picture's content are answered with 503.
    pub shown_refusals: AtomicU64,
    /// The paths of requests that the query service does not know.
    pub unknown_paths: Mutex<Vec<String>>,
    /// The query service's homes, by reference.
    pub homes: Mutex<HashMap<String, Value>>,
    /// The counts of searches that the write side received.
    pub searches: Mutex<Vec<Value>>,
}

impl FakeBackend {
    /// Publishes a change of `tags`. Returns its position.
    pub fn publish(&self, tags: &[&str]) -> u64 {
        let mut changes = self.changes.lock().expect("changes");
        let position = *self.position.borrow() + 1;
        changes.push((position, tags.iter().map(|&tag| tag.to_owned()).collect()));
        self.position.send_replace(position);
        position
    }

    /// Simulates a lost log, which restarts at `position`.
    pub fn restart_at(&self, position: u64) {
        self.changes.lock().expect("changes").clear();
        self.position.send_replace(position);
    }

    /// Sets the tag of the content that shows `picture`, or that no content shows it. No change is
    /// published.
    pub fn set_shown(&self, picture: &str, tag: Option<&str>) {
        let mut shown = self.shown.lock().expect("shown");
        match tag {
            Some(tag) => shown.insert(picture.to_owned(), tag.to_owned()),
            None => shown.remove(picture),
        };
    }

    /// Returns how often `path` was rendered.
    pub fn renders(&self, path: &str) -> usize {
        self.renders.lock().expect("renders").get(path).map_or(0, Vec::len)
    }

    /// Returns the headers of the last request for `path`.
    pub fn last_headers(&self, path: &str) -> HeaderMap {
        let renders = self.renders.lock().expect("renders");
        renders.get(path).and_then(|asked| asked.last()).expect("a render").clone()
    }

    /// Blocks renders of `path` from now on, after they have read the position.
    pub fn hold(&self, path: &str) {
        self.held.lock().expect("held").insert(path.to_owned(), watch::Sender::new(true));
    }

    /// Releases the blocked renders.
    pub fn release(&self, path: &str) {
        if let Some(held) = self.held.lock().expect("held").remove(path) {
            held.send_replace(false);
        }
    }

    /// Makes pages and homes come from `position`, as from a lagging node; none for the current
    /// position.
    pub fn lag_at(&self, position: Option<u64>) {
        *self.lagging_at.lock().expect("a position") = position;
    }

    /// Makes renders of `path` answer `status`, or succeed again.
    pub fn fail(&self, path: &str, status: Option<StatusCode>) {
        let mut failing = self.failing.lock().expect("failing");
        match status {
            Some(status) => failing.insert(path.to_owned(), status),
            None => failing.remove(path),
        };
    }
}

/// A fake service that can be stopped, and restarted at the same address.
#[derive(Debug)]
pub struct Service {
    pub address: SocketAddr,
    router: Router,
    running: Option<(CancellationToken, JoinHandle<()>)>,
    stop: watch::Sender<CancellationToken>,
}

impl Service {
    async fn start(router: impl FnOnce(watch::Receiver<CancellationToken>) -> Router) -> Self {
        let stop = watch::Sender::new(CancellationToken::new());
        let router = router(stop.subscribe());
        let address = free_address();
        let mut service = Self { address, router, running: None, stop };
        service.restart().await;
        service
    }

    pub async fn restart(&mut self) {
        let listener = TcpListener::bind(self.address).await.expect("the address again");
        let stop = CancellationToken::new();
        self.stop.send_replace(stop.clone());
        let (router, ended) = (self.router.clone(), stop.clone().cancelled_owned());
        let serving = tokio::spawn(async move {
            axum::serve(listener, router).with_graceful_shutdown(ended).await.expect("serving");
        });
        self.running = Some((stop, serving));
    }

    pub async fn stop(&mut self) {
        let (stop, serving) = self.running.take().expect("a running service");
        stop.cancel();
        serving.await.expect("an end");
    }
}

/// A door with all services around it.
#[derive(Debug)]
pub struct World {
    pub backend: Arc<FakeBackend>,
    pub renderer: Service,
    pub query: Service,
    pub command: Service,
    pub content: Service,
    pub folder: TempDir,
    pub site: Site,
}

/// A running door.
#[derive(Debug)]
pub struct Site {
    pub address: SocketAddr,
    pub process: Process,
    client: reqwest::Client,
}

impl World {
    pub async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    /// Starts a door whose configuration is changed by `change`.
    pub async fn start_with(change: impl FnOnce(&mut site::Config)) -> Self {
        let mut world = Self::without_door().await;
        world.open(change).await;
        world
    }

    /// Starts a door that follows the query service at `query_url`, whose feed is at `position`.
    pub async fn start_following(query_url: url::Url, position: u64) -> Self {
        let mut world = Self::without_door().await;
        world.backend.restart_at(position);
        world.open(|config| config.query_url = query_url).await;
        world
    }

    /// Starts everything but the door.
    async fn without_door() -> Self {
        runtime::install_crypto_provider();
        let backend = Arc::new(FakeBackend {
            position: watch::Sender::new(1),
            changes: Mutex::default(),
            forgotten_up_to: AtomicU64::new(0),
            renders: Mutex::default(),
            held: Mutex::default(),
            failing: Mutex::default(),
            lagging_at: Mutex::default(),
            pictures: Mutex::default(),
            original_requests: AtomicU64::new(0),
            originals_held: watch::Sender::new(false),
            open_originals: AtomicU64::new(0),
            max_open_originals: AtomicU64::new(0),
            shown: Mutex::default(),
            shown_requests: AtomicU64::new(0),
            shown_refusals: AtomicU64::new(0),
            unknown_paths: Mutex::default(),
            homes: Mutex::default(),
            searches: Mutex::default(),
        });
        let renderer = Service::start(|_| {
            Router::new()
                .route("/assets/{file}", get(other_build_file))
                .route("/healthz", get(|| async { "ok\n" }))
                .fallback(render)
                .with_state(backend.clone())
        })
        .await;
        let query = Service::start(|stop| {
            let changes = (backend.clone(), stop);
            Router::new()
                .route("/api/changes", get(change_stream).with_state(changes))
                .route("/api/properties", get(properties))
                .route("/api/properties/{reference}", get(home).with_state(backend.clone()))
                .route(
                    "/internal/pictures/{file}/{version}",
                    get(shown).with_state(backend.clone()),
                )
                .fallback(get(unknown_path).with_state(backend.clone()))
        })
        .await;
        let command = Service::start(|_| {
            Router::new()
                .route("/internal/searches", post(receive_searches).with_state(backend.clone()))
                .fallback(write_side)
        })
        .await;
        let content = Service::start(|_| {
            Router::new().route("/assets/{file}", get(original)).with_state(backend.clone())
        })
        .await;
        let folder = tempfile::tempdir().expect("a folder");
        let client_build = folder.path().join("client");
        fs::create_dir_all(client_build.join("assets")).expect("a folder");
        fs::write(client_build.join("favicon.ico"), b"icon").expect("a file");
        fs::write(client_build.join("sw.js"), b"let worker = 1;").expect("a file");
        fs::write(client_build.join("assets/app-1a2b.js"), "let a = 1;\n".repeat(400))
            .expect("a file");
        let packed = client_build.join("assets/app-1a2b.js.br");
        fs::write(&packed, b"as Brotli").expect("a file");
        // A deployment may copy the files of a build in any order.
        let copied = File::options().write(true).open(&packed).expect("the file");
        copied.set_modified(SystemTime::UNIX_EPOCH).expect("a time");
        fs::write(client_build.join("assets/app-1a2b.js.gz"), b"as gzip").expect("a file");
        fs::write(folder.path().join("secret.txt"), b"nobody may read this").expect("a file");
        let site = Site {
            address: free_address(),
            process: Process::new(),
            client: reqwest::Client::builder()
                .redirect(reqwest::redirect::Policy::none())
                .timeout(DEADLINE)
                .build()
                .expect("a client"),
        };
        Self { backend, renderer, query, command, content, folder, site }
    }

    /// Starts the door, or restarts it at another address after [`World::close`].
    pub async fn open(&mut self, change: impl FnOnce(&mut site::Config)) {
        self.site.address = free_address();
        self.site.process = testkit::Operator::process();
        let url = |service: &Service| {
            format!("http://{}", service.address).parse::<url::Url>().expect("a URL")
        };
        let mut config = site::Config {
            host: self.site.address.ip(),
            port: self.site.address.port(),
            public_url: "http://localhost".parse().expect("a URL"),
            query_url: url(&self.query),
            command_url: url(&self.command),
            renderer_url: url(&self.renderer),
            content_url: url(&self.content),
            content_token: TOKEN.into(),
            preview_secret: None,
            preview_url: None,
            studio_url: None,
            assets_dir: self.folder.path().join("client"),
            map_basemap: None,
            data_dir: self.folder.path().join("data"),
            page_cache_mb: 64.try_into().expect("a number"),
            picture_memory_mb: 64.try_into().expect("a number"),
            media_cache_mb: 64.try_into().expect("a number"),
            // No stand-in is served, however slow the machine is.
            picture_patience_ms: 60_000,
            render_concurrency: 8.try_into().expect("a number"),
            rate_limit: 0,
            trusted_proxies: 0,
            purged_page_limit: 60,
            unverified_page_limit: 60,
        };
        change(&mut config);
        let process = self.site.process.clone();
        self.site.process.spawn("site", async move { site::run(config, &process).await });
        let address = self.site.address;
        eventually("the door opens", async || {
            tokio::net::TcpStream::connect(address).await.is_ok()
        })
        .await;
    }

    /// Waits until the door is connected to the change stream.
    pub async fn connected(self) -> Self {
        self.site.is_ready().await;
        self
    }

    /// Shuts the door down, as a signal would.
    pub async fn close(&self) {
        self.site.process.clone().finish().await.expect("an orderly end");
    }
}

impl Site {
    /// Requests exactly `path`, which a client would normalise first. Returns the raw answer from its
    /// status line on.
    pub async fn raw(&self, path: &str) -> String {
        let mut connection =
            tokio::net::TcpStream::connect(self.address).await.expect("a connection");
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        connection.write_all(request.as_bytes()).await.expect("a request");
        let mut answer = Vec::new();
        connection.read_to_end(&mut answer).await.expect("an answer");
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub async fn is_ready(&self) {
        eventually("the site is ready", async || self.process.health().failing().is_empty()).await;
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn request(&self, method: reqwest::Method, path: &str) -> reqwest::RequestBuilder {
        self.client.request(method, self.url(path))
    }

    pub async fn get(&self, path: &str) -> reqwest::Response {
        self.client.get(self.url(path)).send().await.expect("an answer")
    }

    /// Requests a picture. Pictures are made at low priority, so a slow machine may answer 503 at first:
    /// this retries.
    pub async fn picture(&self, path: &str) -> reqwest::Response {
        testkit::eventually(&format!("{path} is made"), async || {
            let answer = self.get(path).await;
            (answer.status() != StatusCode::SERVICE_UNAVAILABLE).then_some(answer)
        })
        .await
    }

    /// Requests `path` with `headers`.
    pub async fn get_with(&self, path: &str, headers: &HeaderMap) -> reqwest::Response {
        let request = self.client.get(format!("http://{}{path}", self.address));
        request.headers(headers.clone()).send().await.expect("an answer")
    }

    pub async fn text(&self, path: &str) -> String {
        self.get(path).await.text().await.expect("a body")
    }

    /// Returns the position that the page at `path` shows.
    pub async fn shown_position(&self, path: &str) -> u64 {
        let text = self.text(path).await;
        let position = text.split("position ").nth(1).and_then(|rest| rest.split('.').next());
        position.and_then(|position| position.parse().ok()).unwrap_or_else(|| panic!("{text}"))
    }
}

/// Waits until `condition` holds.
pub async fn eventually<F: Future<Output = bool>>(what: &str, mut condition: impl FnMut() -> F) {
    let deadline = tokio::time::Instant::now() + DEADLINE;
    while !condition().await {
        assert!(tokio::time::Instant::now() < deadline, "in vain: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn free_address() -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, free_port().expect("a free port")))
}

/// Returns the tags of the page at a path. `/both/<tag>/<tag>` has two tags.
fn tags_of(path: &str) -> String {
    let named = path.trim_start_matches("/es").split('?').next().unwrap_or_default();
    match named.strip_prefix("/both/") {
        Some(tags) => tags.replace('/', " "),
        None => format!("site page:{}", named.trim_start_matches('/')),
    }
}

async fn render(State(backend): State<Arc<FakeBackend>>, request: Request) -> Response {
    let path = request.uri().path_and_query().expect("a path").as_str().to_owned();
    let lagging_at = *backend.lagging_at.lock().expect("a position");
    let position = lagging_at.unwrap_or(*backend.position.borrow());
    let min_position = request.headers().get("almijara-min-sequence").expect("a minimum position");
    let behind = min_position.to_str().expect("text").parse::<u64>().expect("a number") > position;
    backend
        .renders
        .lock()
        .expect("renders")
        .entry(path.clone())
        .or_default()
        .push(request.headers().clone());
    let held = backend.held.lock().expect("held").get(&path).map(watch::Sender::subscribe);
    if let Some(mut held) = held {
        // The sender is dropped with the hold.
        let _released = held.wait_for(|held| !held).await;
    }
    let failing = backend.failing.lock().expect("failing").get(&path).copied();
    if let Some(status) = failing {
        return (status, "an error page of the renderer").into_response();
    }
    if behind {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let status = match path.as_str() {
        "/gone" | "/news?page=9" | "/property-for-sale/atlantis" => StatusCode::NOT_FOUND,
        "/old" => StatusCode::MOVED_PERMANENTLY,
        _ => StatusCode::OK,
    };
    let cache_control =
        if path == "/account" { "private, no-store" } else { "public, max-age=0, must-revalidate" };
    let body = format!("<h1>{path}</h1>position {position}. {}", "Sol y mar. ".repeat(300));
    Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, "text/html; charset=utf-8")
        .header(header::CONTENT_SECURITY_POLICY, "script-src 'self' 'sha256-abc'")
        .header(header::CACHE_CONTROL, cache_control)
        .header(header::LOCATION, "/new")
        .header(header::SET_COOKIE, "session=1")
        .header("surrogate-key", tags_of(&path))
        .header("almijara-sequence", position)
        .body(Body::from(body))
        .expect("a response")
}

async fn change_stream(
    State((backend, stop)): State<(Arc<FakeBackend>, watch::Receiver<CancellationToken>)>,
    headers: HeaderMap,
) -> impl IntoResponse {
    let position = *backend.position.borrow();
    let last = headers.get("last-event-id").map(|id| {
        let id = id.to_str().expect("text").strip_prefix("feed-").expect("an id of ours");
        id.parse::<u64>().expect("a number")
    });
    let forgotten_up_to = backend.forgotten_up_to.load(Ordering::SeqCst);
    let (name, from) = match last {
        None => (FeedEvent::Hello, position),
        Some(last) if last < forgotten_up_to || last > position => (FeedEvent::Reset, position),
        Some(last) => (FeedEvent::Resumed, last),
    };
    let missed: Vec<_> =
        changes_of(&backend).filter(|(at, _)| (from + 1..=position).contains(at)).collect();
    let first = missed
        .into_iter()
        .map(changed)
        .chain([event(name, position, &PositionEvent { sequence: position.into() }), heartbeat()]);
    let rest =
        stream::unfold((backend.position.subscribe(), backend, position), |state| async move {
            let (mut position, backend, sent) = state;
            let moved = position.wait_for(|position| *position > sent);
            let Ok(moved) = tokio::time::timeout(HEARTBEAT, moved).await.map(|moved| moved.is_ok())
            else {
                return Some((heartbeat(), (position, backend, sent)));
            };
            let change = changes_of(&backend).find(|(at, _)| moved && *at > sent)?;
            let at = change.0;
            Some((changed(change), (position, backend, at)))
        });
    let end = stop.borrow().clone().cancelled_owned();
    Sse::new(stream::iter(first).chain(rest).map(Ok::<_, Infallible>).take_until(end))
}

fn changes_of(backend: &FakeBackend) -> impl Iterator<Item = (u64, Vec<String>)> + use<> {
    backend.changes.lock().expect("changes").clone().into_iter()
}

fn changed((sequence, tags): (u64, Vec<String>)) -> Event {
    let tags = tags.into_iter().collect();
    let change = Changed { sequence: sequence.into(), tags, traceparent: None, captured_at: None };
    event(FeedEvent::Changed, sequence, &change)
}

fn heartbeat() -> Event {
    sse_event(FeedEvent::Heartbeat, &Heartbeat { failing: BTreeMap::new() })
}

fn event(kind: FeedEvent, position: u64, data: &impl Serialize) -> Event {
    sse_event(kind, data).id(format!("feed-{position}"))
}

fn sse_event(kind: FeedEvent, data: &impl Serialize) -> Event {
    Event::default().event(kind.name()).json_data(data).expect("JSON")
}

async fn properties(headers: HeaderMap) -> Response {
    let seen: Vec<_> = headers.keys().map(|name| name.as_str().to_owned()).collect();
    Response::builder()
        .header(header::CONTENT_TYPE, "application/json")
        .header("almijara-sequence", "1")
        .header("keep-alive", "timeout=5")
        .header(header::CONTENT_SECURITY_POLICY, "default-src *")
        .body(Body::from(serde_json::json!({ "items": [], "seen": seen }).to_string()))
        .expect("a response")
}

async fn home(
    State(backend): State<Arc<FakeBackend>>,
    Path(reference): Path<String>,
    headers: HeaderMap,
) -> Response {
    let min_position = headers
        .get("almijara-min-sequence")
        .map(|min_position| min_position.to_str().expect("text"));
    let min_position: u64 =
        min_position.map_or(0, |min_position| min_position.parse().expect("a number"));
    if backend
        .lagging_at
        .lock()
        .expect("a position")
        .is_some_and(|position| min_position > position)
    {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    match backend.homes.lock().expect("homes").get(&reference) {
        Some(home) => axum::Json(home).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn shown(
    State(backend): State<Arc<FakeBackend>>,
    Path((file, version)): Path<(String, String)>,
) -> Response {
    backend.shown_requests.fetch_add(1, Ordering::SeqCst);
    let less = |times: u64| times.checked_sub(1);
    if backend.shown_refusals.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less).is_ok() {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let position = [("almijara-sequence", backend.position.borrow().to_string())];
    match backend.shown.lock().expect("shown").get(&format!("{file}/{version}")) {
        Some(tag) => (position, [("surrogate-key", tag.clone())]).into_response(),
        None => (StatusCode::NOT_FOUND, position).into_response(),
    }
}

async fn unknown_path(State(backend): State<Arc<FakeBackend>>, request: Request) -> StatusCode {
    backend.unknown_paths.lock().expect("paths").push(request.uri().path().to_owned());
    StatusCode::NOT_FOUND
}

/// Serves files of the renderer's build, which is another one than the site's.
async fn other_build_file(Path(file): Path<String>) -> Response {
    match file.as_str() {
        "app-5e6f.js" => "let c = 3;".into_response(),
        "app-5e6f.js.br" => "c as Brotli".into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn original(
    State(backend): State<Arc<FakeBackend>>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Response {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if bearer != Some(&format!("Bearer {TOKEN}")) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    backend.original_requests.fetch_add(1, Ordering::SeqCst);
    let open = backend.open_originals.fetch_add(1, Ordering::SeqCst) + 1;
    backend.max_open_originals.fetch_max(open, Ordering::SeqCst);
    // The sender lives as long as the backend.
    let mut held = backend.originals_held.subscribe();
    let _released = held.wait_for(|held| !held).await;
    backend.open_originals.fetch_sub(1, Ordering::SeqCst);
    match backend.pictures.lock().expect("pictures").get(&file) {
        Some(bytes) => bytes.clone().into_response(),
        None => StatusCode::FORBIDDEN.into_response(),
    }
}

async fn receive_searches(
    State(backend): State<Arc<FakeBackend>>,
    axum::Json(counts): axum::Json<Value>,
) -> StatusCode {
    backend.searches.lock().expect("searches").push(counts);
    StatusCode::NO_CONTENT
}

/// The write side: answers with what it was sent, and by whom, and redirects if it is asked to.
async fn write_side(request: Request) -> Response {
    let (head, body) = request.into_parts();
    let header = |name: &str| {
        let value = head.headers.get(name).and_then(|value| value.to_str().ok());
        value.map(str::to_owned)
    };
    let body = axum::body::to_bytes(body, usize::MAX).await.expect("a body");
    let seen = serde_json::json!({
        "path": head.uri.to_string(),
        "visitor": header("x-forwarded-for"),
        "key": header("idempotency-key"),
        "cookie": header("cookie"),
        "page": header("referer"),
        "body": String::from_utf8_lossy(&body),
    });
    let cookies = [(header::SET_COOKIE, "a=1; HttpOnly"), (header::SET_COOKIE, "b=2; HttpOnly")];
    let mut answer =
        (StatusCode::CREATED, AppendHeaders(cookies), axum::Json(seen)).into_response();
    if let Some(location) = head.uri.query().and_then(|query| query.strip_prefix("to=")) {
        let location = location.parse().expect("a location");
        answer.headers_mut().insert(header::LOCATION, location);
    }
    answer
}
