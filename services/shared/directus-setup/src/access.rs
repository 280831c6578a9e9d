//! Access: programs have tokens, editors and the office have roles.
//!
//! A grant covers complete rows with all fields, because finer ones require a paid licence.

use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use crate::{
    Account, Directus, Error, Options,
    data::{AccessData, ServiceData, TokenName, access},
    plan::{Change, Plan, SetupStep},
    rows::{Row, Rows},
};

/// The role of editors, who write content.
pub const EDITOR_ROLE: &str = "5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0013";
/// The policy of the office, which answers enquiries.
pub const OFFICE_POLICY: &str = "5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0005";
/// The role of the programs.
const SITE_ROLE: &str = "5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0015";
/// The policy that every version of the set-up has created.
pub const FIRST_POLICY: &str = "5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0001";

/// Plans missing policies, grants, roles and accounts, and returns the number of new seats.
pub async fn plan(
    directus: &Directus,
    content: &[&str],
    options: &Options,
    plan: &mut Plan,
) -> Result<u64, Error> {
    let data = access()?;
    policies(&data).plan(directus, plan).await?;
    roles(&data).plan(directus, plan).await?;
    grants(directus, &data, content, plan).await?;

    let users = directus.list("/users", &[("fields", "id,email,role,status")]).await?;
    let mut holders = Vec::new();
    for role in &data.roles {
        for policy in &role.policies {
            let row = Row::new(&role.name, json!({ "role": role.id, "policy": policy }), json!({}));
            holders.push(row.initial(json!({ "sort": 1 })));
        }
    }
    for service in &data.services {
        let token = token_of(service, options);
        if self::service(directus, service, token, &users, plan).await? {
            let identity = json!({ "user": service.id, "policy": service.policy });
            holders.push(Row::new(&service.name, identity, json!({})));
        }
    }
    Rows::new("/access", "policy of", holders).plan(directus, plan).await?;
    Ok(options.editor.as_ref().map_or(0, |editor| account(editor, &users, plan)))
}

fn policies(data: &AccessData) -> Rows {
    let rows = data.policies.iter().map(|policy| {
        let fields = json!({ "name": policy.name, "icon": policy.icon });
        let row = Row::new(&policy.name, json!({ "id": policy.id }), fields);
        row.initial(json!({ "app_access": policy.studio, "admin_access": false }))
    });
    Rows::new("/policies", "policy", rows.collect())
}

fn roles(data: &AccessData) -> Rows {
    let rows = data.roles.iter().map(|role| {
        let fields =
            json!({ "name": role.name, "icon": role.icon, "description": role.description });
        Row::new(&role.name, json!({ "id": role.id }), fields)
    });
    Rows::new("/roles", "role", rows.collect())
}

/// Plans missing grants, and takes back those that an earlier version gave and this one does not. Further
/// grants of the set-up's policies are only removed on request, because the administrator who added them may
/// rely on them.
async fn grants(
    directus: &Directus,
    data: &AccessData,
    content: &[&str],
    plan: &mut Plan,
) -> Result<(), Error> {
    let mut rows = Vec::new();
    for policy in &data.policies {
        for (collection, actions) in &policy.may {
            let collections: Vec<&str> = match collection.as_str() {
                "*" => {
                    let is_named = |name: &str| policy.may.contains_key(name);
                    content.iter().copied().filter(|name| !is_named(name)).collect()
                }
                name => vec![name],
            };
            for collection in collections {
                for action in actions {
                    let identity =
                        json!({ "policy": policy.id, "collection": collection, "action": action });
                    let name = format!("{}: {action} {collection}", policy.name);
                    let whole = json!({ "permissions": {}, "validation": {}, "fields": ["*"] });
                    rows.push(Row::new(name, identity, json!({})).initial(whole));
                }
            }
        }
    }
    let wanted: Vec<Value> = rows.iter().map(|row| row.identity.clone()).collect();
    let found = Rows::new("/permissions", "grant", rows).plan(directus, plan).await?;
    for grant in found {
        let Some(policy) =
            data.policies.iter().find(|policy| grant["policy"] == policy.id.as_str())
        else {
            continue;
        };
        // The grants that Directus itself adds for Studio users have no row.
        if grant["id"].is_null() || wanted.iter().any(|it| crate::same::agrees(it, &grant)) {
            continue;
        }
        let text = |name: &str| grant[name].as_str().unwrap_or_default().to_owned();
        let (action, collection) = (text("action"), text("collection"));
        let taken_back = policy.taken_back.get(&collection);
        let is_taken_back = taken_back.is_some_and(|actions| actions.contains(&action));
        let what = format!("grant {}: {action} {collection}", policy.name);
        if plan.overwrite || plan.is_upgrade() && is_taken_back {
            plan.changes.push(Change::Remove(what));
            plan.step(SetupStep::Delete { path: format!("/permissions/{}", grant["id"]) });
        } else {
            plan.kept.push(Change::Remove(what));
        }
    }
    Ok(())
}

fn token_of<'a>(service: &ServiceData, options: &'a Options) -> Option<&'a SecretString> {
    match service.token {
        TokenName::Content => options.content_token.as_ref(),
        TokenName::Enquiries => options.enquiries_token.as_ref(),
        TokenName::Erase => options.erase_token.as_ref(),
        TokenName::LiveStatus => options.live_status_token.as_ref(),
        TokenName::Preview => options.preview_token.as_ref(),
        TokenName::Console => options.console_token.as_ref(),
    }
}

/// Plans a user without a password and without access to the Studio, who takes no seat of the licence. Returns
/// whether there is one. Without a `token` none is created, and the token of an existing one is not checked.
async fn service(
    directus: &Directus,
    service: &ServiceData,
    token: Option<&SecretString>,
    users: &[Value],
    plan: &mut Plan,
) -> Result<bool, Error> {
    let what = format!("program {}", service.name);
    let variable = service.token.variable();
    let Some(user) = users.iter().find(|user| user["id"] == service.id.as_str()) else {
        let Some(token) = token else {
            plan.left_out.push(format!("{what} is missing; {variable} adds it"));
            return Ok(false);
        };
        plan.add(what);
        plan.step(SetupStep::Post {
            path: "/users",
            body: json!({
                "id": service.id, "first_name": "Almijara", "last_name": service.name,
                "token": token.expose_secret(), "role": SITE_ROLE, "status": "active",
            }),
        });
        return Ok(true);
    };
    let wanted = json!({ "role": SITE_ROLE, "status": "active" });
    let mut body: serde_json::Map<String, Value> =
        plan.compare(&what, &wanted, user, &["role", "status"], &[]).into_iter().collect();
    match token {
        None => plan.left_out.push(format!("token of {what}: not checked without {variable}")),
        // The token of an account that is not active is refused, whichever it is.
        Some(token) if user["status"] != "active" => {
            body.insert("token".to_owned(), json!(token.expose_secret()));
        }
        Some(token) => {
            // Directus never shows a token, so the only way to check it is to use it.
            let itself = directus.with_token(token.clone());
            let itself = itself.get("/users/me", &[("fields", "id")]).await;
            if !itself.is_ok_and(|itself| itself["id"] == service.id.as_str()) {
                plan.changes.push(Change::Set {
                    what: format!("{what}: token"),
                    from: "another".to_owned(),
                    to: "the one given".to_owned(),
                });
                body.insert("token".to_owned(), json!(token.expose_secret()));
            }
        }
    }
    if !body.is_empty() {
        plan.step(SetupStep::Patch { path: format!("/users/{}", service.id), body: body.into() });
    }
    Ok(true)
}

/// Plans an editor's account that may also answer enquiries, and returns the number of new seats.
fn account(editor: &Account, users: &[Value], plan: &mut Plan) -> u64 {
    // Ignores case, as Directus does.
    let email = editor.email.to_lowercase();
    if users.iter().filter_map(|it| it["email"].as_str()).any(|it| it.to_lowercase() == email) {
        return 0;
    }
    plan.add(format!("editor {}", editor.email));
    plan.step(SetupStep::Post {
        path: "/users",
        body: json!({
            "email": editor.email,
            "password": editor.password.expose_secret(),
            "first_name": "Editor",
            "role": EDITOR_ROLE,
            "language": editor.language,
            "status": "active",
            "policies": [{ "policy": OFFICE_POLICY }],
        }),
    });
    1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::PolicyData;

    #[test]
    fn only_one_program_writes_the_live_status_and_it_writes_nothing_else() {
        let data = access().expect("who may do what");
        let writes = |policy: &&PolicyData| {
            let may = policy.may.get("live_status");
            may.is_some_and(|actions| actions.iter().any(|action| action != "read"))
        };
        let allowed: Vec<&PolicyData> = data.policies.iter().filter(writes).collect();
        assert_eq!(allowed.len(), 1);
        assert_eq!(allowed[0].may.len(), 1, "{:?}", allowed[0].may);
        assert!(!allowed[0].studio);
        assert!(!data.roles.iter().any(|role| role.policies.contains(&allowed[0].id)));
        let holders: Vec<TokenName> = data
            .services
            .iter()
            .filter(|service| service.policy == allowed[0].id)
            .map(|service| service.token)
            .collect();
        assert_eq!(holders, [TokenName::LiveStatus]);
    }

    #[test]
    fn nobody_changes_the_languages() {
        let data = access().expect("who may do what");
        for policy in data.policies.iter().filter(|policy| policy.may.contains_key("*")) {
            let may = policy.may.get("languages").unwrap_or(&policy.may["*"]);
            assert_eq!(*may, ["read"], "{}", policy.name);
        }
    }

    #[test]
    fn accounts_are_compared_without_case() {
        let seats = |email: &str| {
            let users = [json!({ "email": null }), json!({ "email": "ana@costa.example" })];
            let editor =
                Account { email: email.to_owned(), password: "secret".into(), language: None };
            let mut plan = Plan::new(None, false);
            (account(&editor, &users, &mut plan), plan.is_empty())
        };
        assert_eq!(seats("Ana@Costa.example"), (0, true));
        assert_eq!(seats("bea@costa.example"), (1, false));
    }
}
