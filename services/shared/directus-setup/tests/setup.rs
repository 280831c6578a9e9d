//! Upgrades a Directus that an agency has used since the first version of the set-up, and checks access in it
//! afterwards.
//!
//! There is one Directus, and so one test: each part continues where the previous one stopped.
#![expect(clippy::expect_used, reason = "a test that can't have its Directus must fail loudly")]

use std::{collections::BTreeMap, time::Duration};

use contracts::rules::MAX_PICTURE_BYTES;
use directus_setup::{
    Change, Directus, EXTENSIONS, Error, Options, Plan, VERSION, apply, plan, report,
};
use reqwest::{
    Method, StatusCode, header,
    multipart::{Form, Part},
};
use serde_json::{Value, json};

const READ_POLICY: &str = "5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0001";
const EDITOR_POLICY: &str = "5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0003";
const EDITOR_ROLE: &str = "5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0013";
const OFFICE_ROLE: &str = "5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0014";
const SYNC_ACCOUNT: &str = "users/5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0021";
const CONTENT_FLOW: &str = "flows/5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0101";
const NOT_LIVE_PANEL: &str = "panels/5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0216";
const READY_LIMIT: Duration = Duration::from_mins(4);

/// A client of Directus with a token or session.
struct Caller {
    base: String,
    token: String,
    http: reqwest::Client,
}

impl Caller {
    fn new(server: &testkit::Directus, token: &str) -> Self {
        Self { base: server.url.clone(), token: token.to_owned(), http: reqwest::Client::new() }
    }

    /// Signs in with the password of all accounts in this test.
    async fn signed_in(server: &testkit::Directus, email: &str) -> Self {
        let answer = Self::sign_in(server, email, "json").await;
        let answer: Value = answer.json().await.expect("JSON");
        let token = answer["data"]["access_token"].as_str();
        Self::new(server, token.unwrap_or_else(|| panic!("{email} can't sign in: {answer}")))
    }

    /// Signs in with a session, as in the Studio.
    async fn in_the_studio(server: &testkit::Directus, email: &str) -> Self {
        let answer = Self::sign_in(server, email, "session").await;
        let cookies = answer.headers().get_all(header::SET_COOKIE).iter();
        let token = cookies
            .filter_map(|cookie| cookie.to_str().ok()?.strip_prefix("directus_session_token="))
            .find_map(|cookie| cookie.split(';').next());
        Self::new(server, token.unwrap_or_else(|| panic!("{email} can't sign in: {answer:?}")))
    }

    async fn sign_in(server: &testkit::Directus, email: &str, mode: &str) -> reqwest::Response {
        let nobody = Self::new(server, "");
        let request = nobody.http.post(format!("{}auth/login", nobody.base));
        let sign_in = json!({ "email": email, "password": "for-tests-only", "mode": mode });
        request.json(&sign_in).send().await.expect("Directus answers")
    }

    async fn call(&self, method: Method, path: &str, body: Value) -> (StatusCode, Value) {
        let mut request =
            self.http.request(method, format!("{}{path}", self.base)).bearer_auth(&self.token);
        if !body.is_null() {
            request = request.json(&body);
        }
        let answer = request.send().await.expect("Directus answers");
        let status = answer.status();
        (status, answer.json().await.unwrap_or_default())
    }

    /// Returns the data of a response that must be successful.
    async fn done(&self, method: Method, path: &str, body: Value) -> Value {
        let (status, mut answer) = self.call(method.clone(), path, body).await;
        assert!(status.is_success(), "{method} {path}: {status} {answer}");
        answer["data"].take()
    }

    async fn get(&self, path: &str) -> Value {
        self.done(Method::GET, path, Value::Null).await
    }

    /// Checks that calls are allowed or forbidden as in `expected`.
    async fn may(&self, who: &str, expected: &[(Method, &str, Value, bool)]) {
        for (method, path, body, may) in expected {
            let (status, answer) = self.call(method.clone(), path, body.clone()).await;
            let is_as_expected =
                if *may { status.is_success() } else { status == StatusCode::FORBIDDEN };
            assert!(is_as_expected, "{who}: {method} {path} {body}: {status} {answer}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_directus_in_use_is_brought_up_to_date() {
    let extensions = tempfile::tempdir().expect("a folder");
    for extension in &EXTENSIONS {
        extension.write(extensions.path()).expect("it is written");
    }
    let server = testkit::Directus::start("http://127.0.0.1:9/", "none", extensions.path()).await;
    let url: reqwest::Url = server.url.parse().expect("an address");
    let directus = Directus::new(url, testkit::Directus::ADMIN_TOKEN.into()).expect("a client");
    directus.wait_until_ready(READY_LIMIT).await.expect("it answers");
    let admin = Caller::new(&server, testkit::Directus::ADMIN_TOKEN);

    as_of_version_1(&admin).await;
    add_the_agencys_own(&admin).await;
    a_dry_run_changes_nothing(&directus, &admin).await;
    conflicts_are_reported(&directus, &admin).await;
    the_upgrade_reports_its_changes_and_is_applied_once(&directus).await;
    the_agencys_own_parts_still_exist(&admin).await;
    the_live_status_is_not_content(&directus, &admin).await;
    what_an_administrator_changes_stays_until_it_is_overwritten(&directus, &admin).await;
    what_was_switched_off_is_switched_on(&directus, &server, &admin).await;
    an_upgrade_renews_names_and_displays(&directus, &admin).await;
    roles_may_do_what_they_should_and_nothing_else(&server, &admin).await;
    drafts_are_read_by_one_token(&server, &admin).await;
    redirects_are_made_by_one_token(&server).await;
    invalid_values_are_rejected_and_gaps_are_filled(&admin).await;
    a_batch_save_reports_the_invalid_items(&admin).await;
    an_incomplete_item_can_not_be_published(&server).await;
    the_studio_does_not_overwrite_a_feeds_memory(&server, &admin).await;
    a_file_that_is_too_large_for_the_site_is_rejected(&directus).await;
    a_newer_set_up_is_left_alone(&directus, &admin).await;
}

fn options() -> Options {
    Options {
        content_token: Some("reads-content".into()),
        enquiries_token: Some("hands-in-enquiries".into()),
        erase_token: Some("erases-enquiries".into()),
        live_status_token: Some("tells-what-is-live".into()),
        preview_token: Some("reads-drafts".into()),
        console_token: Some("makes-redirects".into()),
        site: Some("https://www.example.com".parse().expect("an address")),
        posts_enquiry_changes: true,
        ..Options::default()
    }
}

async fn planned(directus: &Directus, options: &Options) -> Plan {
    plan(directus, options).await.expect("it can be planned")
}

/// Creates the parts of the first version's set-up that matter in this test.
async fn as_of_version_1(admin: &Caller) {
    let snapshot: Value = serde_json::from_str(include_str!("schema-of-version-1.json"))
        .expect("the snapshot of version 1");
    let difference = admin.done(Method::POST, "schema/diff?mode=merge", snapshot).await;
    admin.done(Method::POST, "schema/apply", difference).await;
    let policies = json!([
        { "id": READ_POLICY, "name": "Almijara: read content" },
        { "id": EDITOR_POLICY, "name": "Editors", "app_access": true },
    ]);
    admin.done(Method::POST, "policies", policies).await;
    let grants: Vec<Value> = ["read", "update", "delete"]
        .map(|action| {
            json!({ "policy": EDITOR_POLICY, "collection": "enquiries", "action": action,
                    "permissions": {}, "validation": {}, "fields": ["*"] })
        })
        .into();
    admin.done(Method::POST, "permissions", json!(grants)).await;
    admin.done(Method::POST, "roles", json!({ "id": EDITOR_ROLE, "name": "Editor" })).await;
    let holds = json!({ "role": EDITOR_ROLE, "policy": EDITOR_POLICY, "sort": 1 });
    admin.done(Method::POST, "access", holds).await;
    // Languages as the Studio's own wizard creates them, not those of the site.
    let languages = json!([{ "code": "en-US" }, { "code": "es-ES" }]);
    admin.done(Method::POST, "items/languages", languages).await;
    let name = json!({ "languages_code": "es-ES", "name": "Nerja" });
    let place = json!({ "id": 1, "slug": "nerja", "status": "published", "translations": [name] });
    admin.done(Method::POST, "items/locations", place).await;
}

/// Adds a field, a collection and a home that the set-up does not know.
async fn add_the_agencys_own(admin: &Caller) {
    let field = json!({ "field": "keys_with", "type": "string", "meta": { "note": "Who has them" },
                        "schema": {} });
    admin.done(Method::POST, "fields/properties", field).await;
    let collection = json!({
        "collection": "viewings", "schema": {}, "meta": {},
        "fields": [{ "field": "id", "type": "integer",
                     "schema": { "is_primary_key": true, "has_auto_increment": true } },
                   { "field": "who", "type": "string", "schema": {}, "meta": {} }],
    });
    admin.done(Method::POST, "collections", collection).await;
    admin.done(Method::POST, "items/viewings", json!({ "who": "the Smiths" })).await;
    let home = json!({ "id": 1, "ref": "AH-1041", "property_type": "house", "kind": "villa",
                       "location": 1, "keys_with": "Ana" });
    admin.done(Method::POST, "items/properties", home).await;
    let figures =
        json!({ "region": "murcia", "notice_sheet": { "title": "Ours", "text": "Ours." } });
    admin
        .done(
            Method::PATCH,
            "items/site_settings",
            json!({ "company_name": "Costa", "figures": figures }),
        )
        .await;
}

async fn the_agencys_own_parts_still_exist(admin: &Caller) {
    assert_eq!(admin.get("items/properties/1").await["keys_with"], "Ana");
    assert_eq!(admin.get("fields/properties/keys_with").await["meta"]["note"], "Who has them");
    assert_eq!(admin.get("items/viewings").await[0]["who"], "the Smiths");
    let languages = json!([{ "code": "en-GB" }, { "code": "en-US" }, { "code": "es-ES" }]);
    assert_eq!(admin.get("items/languages?fields=code&sort=code").await, languages);
    let figures = admin.get("items/site_settings").await["figures"].take();
    assert_eq!(
        (&figures["region"], &figures["notice_sheet"]["title"]),
        (&json!("murcia"), &json!("Ours"))
    );
    assert!(figures["notice_deposit"]["text"]["es-ES"].is_string(), "{figures}");
    assert!(figures["enquiry_panel_offered"]["title"]["en-GB"].is_string(), "{figures}");
}

/// Returns everything that a set-up could change, by table.
async fn everything(admin: &Caller) -> BTreeMap<&'static str, Value> {
    let mut all = BTreeMap::new();
    for path in [
        "schema/snapshot",
        "policies?limit=-1",
        "permissions?limit=-1",
        "roles?limit=-1",
        "access?limit=-1",
        "users?limit=-1&fields=id,role,email",
        "flows?limit=-1&fields=*,operations.*",
        "presets?limit=-1",
        "dashboards?limit=-1",
        "panels?limit=-1",
        "translations?limit=-1",
        "activity?limit=-1&filter[action][_neq]=login&fields=id",
        "settings",
    ] {
        all.insert(path, admin.get(path).await);
    }
    all
}

async fn a_dry_run_changes_nothing(directus: &Directus, admin: &Caller) {
    let before = everything(admin).await;
    let report = report(directus, &options()).await.expect("it can be looked at");
    assert_eq!(report.plan.before, Some(1));
    assert!(report.extensions.is_empty(), "{:?}", report.extensions);
    let tables = report.licence.allowances.iter().find(|it| it.what == "collections");
    assert_eq!(tables.map(|it| (it.used, it.limit)), Some((21, Some(25))), "one is the agency's");
    let missing = report.environment.iter().map(|it| it.split_once(" is missing: "));
    let missing: Option<Vec<&str>> = missing.map(|it| Some(it?.0)).collect();
    let expected = vec!["ENQUIRIES_URL", "ENQUIRIES_SECRET", "PREVIEW_SECRET", "SITE_ORIGIN"];
    assert_eq!(missing, Some(expected), "{:?}", report.environment);
    let bare = planned(directus, &Options::default()).await;
    for left_out in [
        "program sync is missing; CONTENT_TOKEN adds it",
        "flow Tell whoever asked is missing; ENQUIRIES_URL adds it",
        "previews: not checked without SITE_ORIGIN",
    ] {
        assert!(bare.left_out.iter().any(|it| it == left_out), "{:#?}", bare.left_out);
    }
    let after = everything(admin).await;
    for (path, value) in before {
        assert_eq!(after[path], value, "{path} is another after a dry run");
    }
}

/// A field with the same name and another type can't be converted without losing data, and existing rows have
/// no value for a new required field.
async fn conflicts_are_reported(directus: &Directus, admin: &Caller) {
    let group = json!({ "field": "energy_group", "type": "string", "schema": {}, "meta": {} });
    admin.done(Method::POST, "fields/properties", group).await;
    let refused = plan(directus, &options()).await.expect_err("it is in the way");
    assert!(matches!(&refused, Error::InTheWay { what, .. } if what.ends_with("energy_group")));
    admin.done(Method::DELETE, "fields/properties/energy_group", Value::Null).await;

    let offices = json!({
        "collection": "offices", "schema": {}, "meta": {},
        "fields": [{ "field": "id", "type": "integer",
                     "schema": { "is_primary_key": true, "has_auto_increment": true } }],
    });
    admin.done(Method::POST, "collections", offices).await;
    let office = json!({ "field": "location", "type": "integer", "schema": {}, "meta": {} });
    admin.done(Method::POST, "fields/pages", office).await;
    let relation =
        json!({ "collection": "pages", "field": "location", "related_collection": "offices" });
    admin.done(Method::POST, "relations", relation).await;
    let refused = plan(directus, &options()).await.expect_err("it leads elsewhere");
    assert!(
        matches!(&refused, Error::InTheWay { what, .. } if what == "relation pages.location"),
        "{refused}"
    );
    admin.done(Method::DELETE, "fields/pages/location", Value::Null).await;
    admin.done(Method::DELETE, "collections/offices", Value::Null).await;

    let of_theirs = json!({
        "collection": "live_status", "schema": {}, "meta": {},
        "fields": [{ "field": "id", "type": "uuid", "schema": { "is_primary_key": true },
                     "meta": { "special": ["uuid"] } }],
    });
    admin.done(Method::POST, "collections", of_theirs).await;
    let row = admin.done(Method::POST, "items/live_status", json!({})).await;
    let refused = plan(directus, &options()).await.expect_err("its rows are in the way");
    assert!(
        matches!(&refused, Error::Unfilled { what } if what == "field live_status.state"),
        "{refused}"
    );
    let row = format!("items/live_status/{}", row["id"].as_str().expect("it has a key"));
    admin.done(Method::DELETE, &row, Value::Null).await;
    plan(directus, &options()).await.expect("without rows it can be made ours");
    admin.done(Method::DELETE, "collections/live_status", Value::Null).await;
}

async fn the_upgrade_reports_its_changes_and_is_applied_once(directus: &Directus) {
    let upgrade = planned(directus, &options()).await;
    let changes: Vec<String> = upgrade.changes.iter().map(ToString::to_string).collect();
    for expected in [
        "+ field properties.energy_group",
        "+ field properties.energy_exemption",
        "+ field properties.map",
        "+ field locations.map",
        "+ role Office",
        "+ program sync",
        "+ flow Tell Almijara",
        "+ bookmark properties: Drafts",
        "~ collection properties: versioning: false -> true",
        r#"~ relation properties.location: on_delete: "SET NULL" -> "NO ACTION""#,
        r#"~ relation pages_translations.languages_code: on_delete: "CASCADE" -> "NO ACTION""#,
        "+ collection live_status",
        "+ the languages of the site: en-GB",
        "+ field properties.live",
        "+ program live status",
        "+ bookmark live_status: Not live",
        "+ program preview",
        "+ visual editor: https://www.example.com/?preview=studio&version={{$version}}",
        "+ the Studio's modules: the visual editor",
        "+ words in the figures of site_settings: 14 missing",
        &format!("+ version {VERSION} of the set-up, recorded"),
    ] {
        assert!(
            changes.iter().any(|it| it == expected),
            "{expected} is not reported: {changes:#?}"
        );
    }
    assert!(!changes.iter().any(|it| it.contains("keys_with") || it.contains("viewings")));
    assert!(!changes.iter().any(|it| it.starts_with('-')), "an upgrade takes nothing away");
    apply(directus, &upgrade).await.expect("it is done");
    let again = planned(directus, &options()).await;
    assert!(again.is_empty(), "a second run has to do {:#?}", again.changes);
    assert_eq!(again.before, Some(VERSION));
    let kept: Vec<String> = again.kept.iter().map(ToString::to_string).collect();
    assert_eq!(kept.len(), 3, "editors keep what they were granted: {kept:#?}");
}

/// The live status that sync writes triggers no event, leaves no history, and fits into the licence.
async fn the_live_status_is_not_content(directus: &Directus, admin: &Caller) {
    let collection = admin.get("collections/live_status").await;
    assert_eq!(collection["meta"]["accountability"], Value::Null);
    for flow in admin.get("flows?fields=name,options").await.as_array().expect("flows") {
        let listens = flow["options"]["collections"].as_array().expect("collections");
        assert!(!listens.contains(&json!("live_status")), "{flow}");
    }
    for name in ["live", "map"] {
        let field = admin.get(&format!("fields/properties/{name}")).await;
        assert_eq!((&field["type"], &field["schema"]), (&json!("alias"), &Value::Null));
        assert!(admin.get("items/properties/1").await.get(name).is_none(), "it holds nothing");
    }
    let report = report(directus, &options()).await.expect("it can be looked at");
    let tables = report.licence.allowances.iter().find(|it| it.what == "collections");
    assert_eq!(tables.map(|it| it.used), Some(22), "one is the agency's");
    assert!(report.extensions.is_empty(), "{:?}", report.extensions);
}

async fn what_an_administrator_changes_stays_until_it_is_overwritten(
    directus: &Directus,
    admin: &Caller,
) {
    let note = json!({ "meta": { "note": "Ask Pedro", "validation": null } });
    admin.done(Method::PATCH, "fields/properties/price", note).await;
    let found = planned(directus, &options()).await;
    let sets = |changes: &[Change], what: &str| {
        changes.iter().any(|it| matches!(it, Change::Set { what: set, .. } if set.ends_with(what)))
    };
    assert!(sets(&found.kept, "properties.price: note"), "{:#?}", found.kept);
    assert!(sets(&found.changes, "properties.price: validation"), "{:#?}", found.changes);
    apply(directus, &found).await.expect("it is done");
    let price = admin.get("fields/properties/price").await;
    assert_eq!(price["meta"]["note"], "Ask Pedro");
    assert!(price["meta"]["validation"].is_object(), "a rule belongs to the code");

    let overwriting = Options { overwrite: true, ..options() };
    let all = planned(directus, &overwriting).await;
    apply(directus, &all).await.expect("it is done");
    let price = admin.get("fields/properties/price").await;
    assert_ne!(price["meta"]["note"], "Ask Pedro");
    let again = planned(directus, &options()).await;
    assert!(again.is_empty() && again.kept.is_empty(), "{:#?}", again.kept);
    the_agencys_own_parts_still_exist(admin).await;
}

/// A suspended account can't use its token, whichever that is.
async fn what_was_switched_off_is_switched_on(
    directus: &Directus,
    server: &testkit::Directus,
    admin: &Caller,
) {
    admin.done(Method::PATCH, SYNC_ACCOUNT, json!({ "status": "suspended" })).await;
    admin.done(Method::PATCH, CONTENT_FLOW, json!({ "status": "inactive" })).await;
    let found = planned(directus, &options()).await;
    let changes: Vec<String> = found.changes.iter().map(ToString::to_string).collect();
    let expected = [
        r#"~ program sync: status: "suspended" -> "active""#,
        r#"~ flow Tell Almijara: status: "inactive" -> "active""#,
    ];
    assert_eq!(changes, expected);
    apply(directus, &found).await.expect("it is done");
    let again = planned(directus, &options()).await;
    assert!(again.is_empty() && again.left_out.is_empty(), "{again:#?}");
    Caller::new(server, "reads-content").get("items/properties").await;
    let bare = planned(directus, &Options::default()).await;
    assert!(bare.is_empty(), "{:#?}", bare.changes);
    let token = "token of program sync: not checked without CONTENT_TOKEN";
    assert!(bare.left_out.iter().any(|it| it == token), "{:#?}", bare.left_out);
}

/// Otherwise the Studio would show one name beside a field, and another above its column in lists. It also takes
/// back what an earlier version granted.
async fn an_upgrade_renews_names_and_displays(directus: &Directus, admin: &Caller) {
    let grant = json!({ "policy": EDITOR_POLICY, "collection": "languages", "action": "delete",
                        "permissions": {}, "validation": {}, "fields": ["*"] });
    admin.done(Method::POST, "permissions", grant).await;
    admin.done(Method::PATCH, NOT_LIVE_PANEL, json!({ "name": "Not live · Sin publicar" })).await;
    let names = json!([{ "language": "es-ES", "translation": "Documentación" }]);
    let meta = json!({ "meta": { "translations": names } });
    admin.done(Method::PATCH, "collections/docs", meta).await;
    for (field, meta) in [
        ("enquiries/kind", json!({ "interface": "input", "display": null, "options": null })),
        ("enquiries/message", json!({ "readonly": false })),
        ("properties/price", json!({ "readonly": true, "display": "formatted-value" })),
    ] {
        let path = format!("fields/{field}");
        admin.done(Method::PATCH, &path, json!({ "meta": meta })).await;
    }
    record_version(admin, VERSION - 1).await;
    let upgrade = planned(directus, &options()).await;
    assert_eq!(upgrade.before, Some(VERSION - 1));
    let taken_back = Change::Remove("grant Editors: delete languages".to_owned());
    assert!(upgrade.changes.contains(&taken_back), "{:#?}", upgrade.changes);
    apply(directus, &upgrade).await.expect("it is done");
    assert_eq!(admin.get(NOT_LIVE_PANEL).await["name"], "Not live · Retenidos");
    let names = admin.get("collections/docs").await["meta"]["translations"].take();
    let mut all = names.as_array().into_iter().flatten();
    assert!(all.any(|it| it["translation"] == "Guías"), "{names}");
    let kind = admin.get("fields/enquiries/kind").await["meta"].take();
    assert_eq!(
        (&kind["interface"], &kind["display"]),
        (&json!("select-dropdown"), &json!("labels"))
    );
    assert_eq!(kind["options"]["choices"][2]["value"], "viewing");
    assert_eq!(admin.get("fields/enquiries/message").await["meta"]["readonly"], true);
    let price = admin.get("fields/properties/price").await["meta"].take();
    assert_eq!(
        (&price["readonly"], &price["display"]),
        (&json!(true), &json!("formatted-value")),
        "an administrator's own"
    );
}

/// Records another version of the set-up in Directus.
async fn record_version(admin: &Caller, version: u32) {
    let record = admin.get("translations?filter[key][_eq]=almijara_setup_version").await;
    let path = format!("translations/{}", record[0]["id"].as_str().expect("it has an id"));
    admin.done(Method::PATCH, &path, json!({ "value": version.to_string() })).await;
}

async fn roles_may_do_what_they_should_and_nothing_else(
    server: &testkit::Directus,
    admin: &Caller,
) {
    for (email, role) in [("editor@example.com", EDITOR_ROLE), ("office@example.com", OFFICE_ROLE)]
    {
        let account = json!({ "email": email, "password": "for-tests-only", "role": role,
                              "status": "active" });
        admin.done(Method::POST, "users", account).await;
    }
    let enquiry = "0f8470da-8519-4420-8d5d-ae4d58b58e5f";
    let nothing = Value::Null;
    let title = json!({ "languages_code": "en-GB", "title": "A house" });
    let home = json!({ "id": 2, "ref": "AH-1042", "property_type": "house", "kind": "villa",
                       "location": 1, "translations": [title] });
    let sent = json!({ "id": enquiry, "state": "new", "kind": "general", "name": "Jo" });

    let program = Caller::new(server, "hands-in-enquiries");
    program
        .may(
            "who hands in enquiries",
            &[
                (Method::POST, "items/enquiries", sent, true),
                (Method::GET, "items/enquiries", nothing.clone(), false),
                (Method::PATCH, "items/enquiries/1", json!({ "state": "closed" }), false),
                (Method::GET, "items/properties", nothing.clone(), false),
            ],
        )
        .await;
    let editor = Caller::signed_in(server, "editor@example.com").await;
    editor
        .may(
            "an editor",
            &[
                (Method::POST, "items/properties", home, true),
                (Method::PATCH, "items/properties/2", json!({ "price": 250_000 }), true),
                (Method::GET, "items/properties_translations", nothing.clone(), true),
                (Method::GET, "files", nothing.clone(), true),
                (Method::GET, "dashboards", nothing.clone(), true),
                (Method::GET, "panels", nothing.clone(), true),
                (Method::GET, "translations", nothing.clone(), true),
                (Method::GET, "items/enquiries", nothing.clone(), false),
                (Method::PATCH, "fields/properties/price", json!({ "meta": {} }), false),
                (Method::POST, "policies", json!({ "name": "Mine", "admin_access": true }), false),
                (Method::POST, "users", json!({ "email": "x@example.com" }), false),
                (Method::PATCH, "settings", json!({ "project_name": "Mine" }), false),
                (Method::GET, "flows", nothing.clone(), false),
                (Method::GET, "items/languages", nothing.clone(), true),
                (Method::POST, "items/languages", json!({ "code": "de-DE" }), false),
                (Method::PATCH, "items/languages/es-ES", json!({ "name": "Spanish" }), false),
                (Method::DELETE, "items/languages/es-ES", nothing.clone(), false),
                (Method::GET, "almijara/doctor", nothing.clone(), false),
            ],
        )
        .await;
    a_language_with_texts_can_not_be_deleted(admin).await;
    an_editor_works_with_drafts(&editor).await;
    an_editor_can_read_colleagues_but_not_their_credentials(&editor).await;
    one_program_writes_the_live_status(server, &editor).await;
    office_and_programs_may_do_what_they_should(server, enquiry).await;
}

async fn office_and_programs_may_do_what_they_should(server: &testkit::Directus, enquiry: &str) {
    let nothing = Value::Null;
    Caller::signed_in(server, "office@example.com")
        .await
        .may(
            "the office",
            &[
                (Method::GET, "items/enquiries", nothing.clone(), true),
                (
                    Method::PATCH,
                    &format!("items/enquiries/{enquiry}"),
                    json!({ "state": "answered" }),
                    true,
                ),
                (Method::POST, "items/enquiries", json!({ "kind": "x", "name": "x" }), false),
                (Method::GET, "items/properties", nothing.clone(), false),
                (Method::GET, "items/viewings", nothing.clone(), false),
                (Method::GET, "flows", nothing.clone(), false),
            ],
        )
        .await;
    Caller::new(server, "reads-content")
        .may(
            "sync",
            &[
                (Method::GET, "items/properties", nothing.clone(), true),
                (Method::GET, "activity", nothing.clone(), true),
                (Method::PATCH, "items/properties/2", json!({ "price": 1 }), false),
                (Method::GET, "items/enquiries", nothing.clone(), false),
                (Method::GET, "items/live_status", nothing.clone(), false),
                (Method::GET, "items/viewings", nothing.clone(), false),
                (Method::GET, "revisions", nothing.clone(), false),
            ],
        )
        .await;
    Caller::new(server, "erases-enquiries")
        .may(
            "who erases enquiries",
            &[
                (
                    Method::PATCH,
                    &format!("items/enquiries/{enquiry}"),
                    json!({ "name": "x" }),
                    false,
                ),
                (Method::GET, "items/properties", nothing.clone(), false),
                (Method::DELETE, &format!("items/enquiries/{enquiry}"), nothing.clone(), true),
            ],
        )
        .await;
}

/// Not even by an administrator: the texts would be gone, without an event and a revision.
async fn a_language_with_texts_can_not_be_deleted(admin: &Caller) {
    let language = "items/languages/es-ES";
    let (status, answer) = admin.call(Method::DELETE, language, Value::Null).await;
    assert!(!status.is_success(), "{answer}");
    let names = admin.get("items/locations_translations?fields=name").await;
    assert_eq!(names, json!([{ "name": "Nerja" }]));
}

/// The Studio shows who changed an item, and can't compare versions without reading users. Passwords and
/// tokens are neither readable nor discoverable with prefix filters.
async fn an_editor_can_read_colleagues_but_not_their_credentials(editor: &Caller) {
    let names = editor.get("users?fields=id,first_name,last_name,email,token").await;
    let names = names.as_array().expect("users");
    let sync = names.iter().find(|user| user["last_name"] == "sync").expect("a program's name");
    assert_eq!(sync["token"], "**********");
    let guess = "users?filter[token][_starts_with]=reads";
    let (status, answer) = editor.call(Method::GET, guess, Value::Null).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{answer}");
    let sync = format!("users/{}", sync["id"].as_str().expect("a key"));
    let another = json!({ "last_name": "nobody" });
    editor.may("an editor", &[(Method::PATCH, &sync, another, false)]).await;
}

/// The preview token reads content including drafts, and writes nothing.
async fn drafts_are_read_by_one_token(server: &testkit::Directus, admin: &Caller) {
    let nothing = Value::Null;
    Caller::new(server, "reads-drafts")
        .may(
            "who previews",
            &[
                (Method::GET, "items/properties", nothing.clone(), true),
                (Method::GET, "items/properties?version=draft", nothing.clone(), true),
                (Method::GET, "versions", nothing.clone(), true),
                (Method::GET, "files", nothing.clone(), true),
                (Method::PATCH, "items/properties/2", json!({ "price": 1 }), false),
                (Method::POST, "items/locations", json!({ "slug": "x" }), false),
                (Method::GET, "items/enquiries", nothing.clone(), false),
                (Method::GET, "items/live_status", nothing.clone(), false),
                (Method::GET, "activity", nothing.clone(), false),
            ],
        )
        .await;
    let properties = admin.get("collections/properties").await;
    assert_eq!(
        properties["meta"]["preview_url"],
        "https://www.example.com/property-for-sale/{{location.slug}}/{{ref}}?preview=studio&version={{$version}}"
    );
}

/// The operators' console creates redirects, and can neither read nor change anything.
async fn redirects_are_made_by_one_token(server: &testkit::Directus) {
    let nothing = Value::Null;
    let redirect = json!({
        "status": "published", "from_path": "/old-home", "to_path": "/property-for-sale", "code": 308,
    });
    Caller::new(server, "makes-redirects")
        .may(
            "who makes redirects",
            &[
                (Method::POST, "items/redirects", redirect, true),
                (Method::GET, "items/redirects", nothing.clone(), false),
                (Method::POST, "items/locations", json!({ "slug": "x" }), false),
                (Method::GET, "items/properties", nothing.clone(), false),
                (Method::GET, "files", nothing, false),
            ],
        )
        .await;
}

/// Editors rely on the live status: only one program writes it, and that program writes nothing else.
async fn one_program_writes_the_live_status(server: &testkit::Directus, editor: &Caller) {
    let id = "1f8470da-8519-4420-8d5d-ae4d58b58e5f";
    let path = format!("items/live_status/{id}");
    let nothing = Value::Null;
    let reason =
        json!({ "field": "price", "value": -5, "rule": { "en": "is not", "es": "no es" } });
    let row = json!({
        "id": id, "item_collection": "properties", "item_key": "2", "item_name": "AH-1042",
        "state": "not_live", "live_since": null, "milliseconds": null, "addresses": [],
        "reasons": [reason], "noted_at": "2026-07-01T12:00:00Z",
    });
    let live = json!({ "state": "live", "milliseconds": 38, "reasons": [],
                       "addresses": ["https://www.example.com/en/AH-1042"] });
    let program = Caller::new(server, "tells-what-is-live");
    program
        .may(
            "who tells what is live",
            &[
                (Method::POST, "items/live_status", row.clone(), true),
                (Method::GET, "items/live_status", nothing.clone(), true),
                (Method::GET, "items/properties", nothing.clone(), false),
                (Method::PATCH, "items/properties/2", json!({ "price": 1 }), false),
                (Method::POST, "items/locations", json!({ "slug": "x" }), false),
                (Method::GET, "items/enquiries", nothing.clone(), false),
                (Method::GET, "activity", nothing.clone(), false),
                (Method::GET, "files", nothing.clone(), false),
            ],
        )
        .await;
    let filter = "filter[item_collection][_eq]=properties&filter[item_key][_eq]=2&limit=1";
    let statuses = editor.get(&format!("items/live_status?{filter}")).await;
    assert_eq!(statuses[0]["reasons"], row["reasons"]);
    editor
        .may(
            "an editor",
            &[
                (Method::POST, "items/live_status", row, false),
                (Method::PATCH, &path, live.clone(), false),
                (Method::DELETE, &path, nothing.clone(), false),
            ],
        )
        .await;
    let as_the_program =
        [(Method::PATCH, &*path, live, true), (Method::DELETE, &*path, nothing, true)];
    program.may("who tells what is live", &as_the_program).await;
    let traces = "activity?filter[collection][_eq]=live_status&fields=id";
    assert_eq!(editor.get(traces).await, json!([]), "it leaves no trace");
}

/// A draft accepts any value, but publishing it validates.
async fn an_editor_works_with_drafts(editor: &Caller) {
    let draft = json!({ "key": "draft", "collection": "properties", "item": "2" });
    let draft = editor.done(Method::POST, "versions", draft).await;
    let id = draft["id"].as_str().expect("it has an id").to_owned();
    let save = format!("versions/{id}/save");
    editor.done(Method::POST, &save, json!({ "status": "published", "price": -5 })).await;
    for (correction, broken) in [
        (json!({}), Some("energy_rating")),
        (json!({ "energy_rating": "exempt" }), Some("energy_exemption")),
        (json!({ "energy_exemption": "protected" }), Some("price")),
        (json!({ "price": 260_000 }), None),
    ] {
        editor.done(Method::POST, &save, correction).await;
        let compared = editor.get(&format!("versions/{id}/compare")).await;
        let promote = json!({ "mainHash": compared["mainHash"] });
        let path = format!("versions/{id}/promote");
        let (status, answer) = editor.call(Method::POST, &path, promote).await;
        match broken {
            Some(field) => {
                assert_eq!(status, 400, "{answer}");
                assert_eq!(answer["errors"][0]["extensions"]["field"], field, "{answer}");
            }
            None => assert!(status.is_success(), "{status} {answer}"),
        }
    }
    let home = editor.get("items/properties/2").await;
    assert_eq!((&home["status"], &home["price"]), (&json!("published"), &json!(260_000)));
}

async fn invalid_values_are_rejected_and_gaps_are_filled(admin: &Caller) {
    let place =
        json!({ "translations": [{ "languages_code": "es-ES", "name": "Rincón de la Victoria" }] });
    let made = admin.done(Method::POST, "items/locations", place.clone()).await;
    assert_eq!(made["slug"], "rincon-de-la-victoria");
    let second = admin.done(Method::POST, "items/locations", place).await;
    assert_eq!(second["slug"], "rincon-de-la-victoria-2", "an address that is taken is not made");
    let home = json!({ "property_type": "house", "kind": "villa", "location": 1 });
    let made = admin.done(Method::POST, "items/properties", home).await;
    assert_eq!(made["ref"], "AH-1043", "the reference after the highest");
    for reference in ["AH-1044", "CRM-77"] {
        let memory = json!({ "source": "crm", "key": reference });
        let home = json!({ "ref": reference, "property_type": "house", "kind": "villa",
                           "location": 1, "imported": memory });
        admin.done(Method::POST, "items/properties", home).await;
    }
    let home = json!({ "property_type": "house", "kind": "villa", "location": 1 });
    let made = admin.done(Method::POST, "items/properties", home).await;
    assert_eq!(made["ref"], "AH-1045", "none is made after a feed's, and none twice");

    for (path, invalid, field) in [
        ("items/properties/1", json!({ "status": "published" }), "energy_rating"),
        (
            "items/properties/1",
            json!({ "status": "published", "energy_rating": "in_process" }),
            "energy_rating",
        ),
        (
            "items/properties/1",
            json!({ "status": "published", "energy_rating": "exempt" }),
            "energy_exemption",
        ),
        ("items/properties/2", json!({ "energy_rating": "" }), "energy_rating"),
        ("items/properties/2", json!({ "energy_exemption": null }), "energy_exemption"),
        ("items/properties/2", json!({ "energy_exemption": "old" }), "energy_exemption"),
        ("items/properties/2", json!({ "price": 270_000, "energy_rating": null }), "energy_rating"),
        ("items/properties/1", json!({ "price": -5 }), "price"),
        ("items/properties/1", json!({ "lat": 999 }), "lat"),
        ("items/properties/1", json!({ "ref": "" }), "ref"),
    ] {
        let (status, answer) = admin.call(Method::PATCH, path, invalid.clone()).await;
        assert_eq!(status, 400, "{path} takes {invalid}: {answer}");
        let error = &answer["errors"][0]["extensions"];
        assert_eq!((&error["field"], &error["code"]), (&json!(field), &json!("FAILED_VALIDATION")));
    }
    for (path, field) in
        [("items/site_settings_translations", "title_suffix"), ("items/team_translations", "role")]
    {
        let invalid = json!({ "languages_code": "en-GB", field: " " });
        let (status, answer) = admin.call(Method::POST, path, invalid).await;
        assert_eq!(status, 400, "{path} takes no {field}: {answer}");
        assert_eq!(answer["errors"][0]["extensions"]["field"], field, "{answer}");
    }
    let text = json!({ "languages_code": "en-GB", "title": "A villa" });
    let whole = json!({ "status": "published", "energy_rating": "E", "translations": [text] });
    admin.done(Method::PATCH, "items/properties/1", whole).await;
    admin.done(Method::POST, "items/properties", plot()).await;

    let (status, answer) = admin.call(Method::DELETE, "items/locations/1", Value::Null).await;
    assert_eq!(status, 400, "a place with homes is deleted: {answer}");
    let message = answer["errors"][0]["message"].as_str().unwrap_or_default();
    assert!(message.contains(": archive the place, or give these another one"), "{message}");
    assert_eq!(admin.get("items/properties/1").await["location"], 1);
    let empty = format!("items/locations/{}", second["id"]);
    admin.done(Method::DELETE, &empty, Value::Null).await;
}

/// Returns a plot that has all that it needs to be published.
fn plot() -> Value {
    let text = json!({ "languages_code": "en-GB", "title": "A plot by the river" });
    json!({ "status": "published", "property_type": "commercial", "kind": "land", "location": 1,
            "translations": [text] })
}

/// Otherwise the Studio would only report the field, and not in which item.
async fn a_batch_save_reports_the_invalid_items(admin: &Caller) {
    let plot = admin.done(Method::POST, "items/properties", plot()).await;
    let change = json!({ "keys": [1, plot["id"]], "data": { "kind": "villa" } });
    let (status, answer) = admin.call(Method::PATCH, "items/properties", change).await;
    assert_eq!(status, 400, "{answer}");
    let message = answer["errors"][0]["message"].as_str().unwrap_or_default();
    let reference = plot["ref"].as_str().expect("it was given one");
    assert!(message.starts_with(&format!("{reference}: no energy rating")), "{answer}");
    assert!(message.contains("falta la calificación energética"), "{answer}");
}

/// A published item keeps its place and one of its texts, whichever way it is saved. A draft may lack them.
async fn an_incomplete_item_can_not_be_published(server: &testkit::Directus) {
    let editor = Caller::signed_in(server, "editor@example.com").await;
    let refused = async |method: Method, path: &str, body: Value, fields: &[&str]| {
        let (status, answer) = editor.call(method.clone(), path, body.clone()).await;
        assert_eq!(status, 400, "{method} {path} {body}: {answer}");
        let errors = answer["errors"].as_array().into_iter().flatten();
        let named: Vec<&Value> = errors.map(|error| &error["extensions"]["field"]).collect();
        assert_eq!(named, fields, "{method} {path} {body}: {answer}");
    };
    let (all, texts) = ("items/properties", ["translations"]);
    let mut bare = plot();
    bare["translations"] = json!([]);
    refused(Method::POST, all, bare.clone(), &texts).await;
    let mut nowhere = plot();
    nowhere["location"].take();
    refused(Method::POST, all, nowhere, &["location"]).await;
    let article = json!({ "status": "published", "slug": "market-day" });
    refused(Method::POST, "items/articles", article, &texts).await;

    let made = editor.done(Method::POST, all, plot()).await;
    let path = format!("{all}/{}", made["id"]);
    let text = made["translations"][0].clone();
    let deleted = json!({ "create": [], "update": [], "delete": [text] });
    refused(Method::PATCH, &path, json!({ "translations": deleted }), &texts).await;
    refused(Method::PATCH, &path, json!({ "translations": [] }), &texts).await;
    let row = format!("items/properties_translations/{text}");
    refused(Method::DELETE, &row, Value::Null, &texts).await;
    let spanish = json!({ "languages_code": "es-ES", "title": "Una parcela junto al río" });
    editor.done(Method::PATCH, &path, json!({ "translations": [spanish] })).await;
    editor.done(Method::PATCH, &path, json!({ "status": "draft", "translations": [] })).await;
    refused(Method::PATCH, &path, json!({ "status": "published" }), &texts).await;

    let begun = json!({ "property_type": "commercial", "kind": "land" });
    let begun = editor.done(Method::POST, all, begun).await;
    let draft =
        json!({ "key": "draft", "collection": "properties", "item": begun["id"].to_string() });
    let draft = editor.done(Method::POST, "versions", draft).await;
    let draft = format!("versions/{}", draft["id"].as_str().expect("it has an id"));
    let save = format!("{draft}/save");
    editor.done(Method::POST, &save, json!({ "status": "published" })).await;
    let compared = editor.get(&format!("{draft}/compare")).await;
    let (promote, main) = (format!("{draft}/promote"), json!({ "mainHash": compared["mainHash"] }));
    refused(Method::POST, &promote, main.clone(), &["location", "translations"]).await;
    let texts = json!({ "create": [spanish], "update": [], "delete": [] });
    editor.done(Method::POST, &save, json!({ "location": 1, "translations": texts })).await;
    editor.done(Method::POST, &promote, main).await;
    let published = editor.get(&format!("{all}/{}", begun["id"])).await;
    assert_eq!(published["status"], "published");
}

/// An earlier revision that an editor restores has all fields, and so has a draft of it. Neither may overwrite
/// a feed's memory.
async fn the_studio_does_not_overwrite_a_feeds_memory(server: &testkit::Directus, admin: &Caller) {
    let said = |word: &str| json!({ "source": "crm", "key": "9", "said": word });
    let home = json!({ "ref": "CRM-9", "property_type": "house", "kind": "villa", "location": 1,
                       "imported": said("at first") });
    let home = admin.done(Method::POST, "items/properties", home).await;
    let path = format!("items/properties/{}", home["id"]);
    admin.done(Method::PATCH, &path, json!({ "imported": said("at last") })).await;

    let editor = Caller::in_the_studio(server, "editor@example.com").await;
    let earlier = |price: i64| json!({ "price": price, "imported": said("at first") });
    editor.done(Method::PATCH, &path, earlier(300_000)).await;
    let kept = admin.get(&path).await;
    assert_eq!((&kept["price"], &kept["imported"]), (&json!(300_000), &said("at last")));

    let draft = json!({ "key": "draft", "collection": "properties",
                        "item": home["id"].to_string() });
    let draft = editor.done(Method::POST, "versions", draft).await;
    let draft = format!("versions/{}", draft["id"].as_str().expect("it has an id"));
    editor.done(Method::POST, &format!("{draft}/save"), earlier(310_000)).await;
    let compared = editor.get(&format!("{draft}/compare")).await;
    let promote = json!({ "mainHash": compared["mainHash"] });
    editor.done(Method::POST, &format!("{draft}/promote"), promote).await;
    let kept = admin.get(&path).await;
    assert_eq!((&kept["price"], &kept["imported"]), (&json!(310_000), &said("at last")));

    let another = json!({ "ref": "CRM-9B", "property_type": "house", "kind": "villa",
                          "location": 1, "imported": said("at first") });
    let copy = editor.done(Method::POST, "items/properties", another).await;
    assert_eq!(copy["imported"], Value::Null);
}

async fn a_file_that_is_too_large_for_the_site_is_rejected(directus: &Directus) {
    for (bytes, expected) in [(MAX_PICTURE_BYTES - 1, None), (MAX_PICTURE_BYTES + 1, Some(413))] {
        let file = Part::bytes(vec![0; bytes]).file_name("scan.bin");
        let refused = match directus.upload(Form::new().part("file", file)).await {
            Ok(_) => None,
            Err(Error::Refused { status, .. }) => Some(status.as_u16()),
            Err(error) => panic!("{bytes} bytes: {error}"),
        };
        assert_eq!(refused, expected, "{bytes} bytes");
    }
}

async fn a_newer_set_up_is_left_alone(directus: &Directus, admin: &Caller) {
    record_version(admin, 99).await;
    let refused = plan(directus, &options()).await.expect_err("a newer program made it");
    assert!(matches!(refused, Error::SetUpByNewer { found: 99, .. }), "{refused}");
}
