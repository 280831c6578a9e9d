//! The flows. Every change of content is posted to sync, and every change of an enquiry by the office to the
//! write side.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{
    Directus, Error,
    data::{FlowData, flows},
    plan::{Plan, SetupStep},
    same::agrees,
};

/// Plans the flows that are missing or wrong. Returns how many become active, and the variables of Directus's
/// environment that the flows read. Other flows must not be written: Directus reloads all flows at any change of
/// one, and loses events meanwhile.
pub async fn plan(
    directus: &Directus,
    content: &[&str],
    with_enquiries: bool,
    plan: &mut Plan,
) -> Result<(u64, Vec<String>), Error> {
    let found = directus.list("/flows", &[("fields", "*,operations.*")]).await?;
    let mut activated = 0;
    let mut variables = Vec::new();
    for wanted in &flows()? {
        let existing = found.iter().find(|flow| flow["id"] == wanted.id.as_str());
        if wanted.of_enquiries && !with_enquiries && existing.is_none() {
            plan.left_out.push(format!("flow {} is missing; ENQUIRIES_URL adds it", wanted.name));
            continue;
        }
        activated += u64::from(becomes_active(existing));
        variables.extend([wanted.address.clone(), wanted.secret.clone()]);
        plan_flow(wanted, content, existing, plan);
    }
    Ok((activated, variables))
}

/// Returns whether the licence counts one more flow once it is planned; `existing` is the flow so far.
fn becomes_active(existing: Option<&Value>) -> bool {
    existing.is_none_or(|flow| flow["status"] != "active")
}

fn plan_flow(wanted: &FlowData, content: &[&str], existing: Option<&Value>, plan: &mut Plan) {
    let (mut flow, operation) = (flow_of(wanted, content), operation_of(wanted));
    let what = format!("flow {}", wanted.name);
    let mut has_operation = false;
    if let Some(existing) = existing {
        let operations = existing["operations"].as_array().map(Vec::as_slice).unwrap_or_default();
        let posting = operations.iter().find(|it| it["id"] == wanted.operation.as_str());
        has_operation = posting.is_some();
        if is_same_set(&flow, existing) {
            flow["options"]["collections"] = existing["options"]["collections"].clone();
        }
        let is_right = agrees(&flow, existing)
            && posting.is_some_and(|posting| agrees(&operation, posting))
            && existing["operation"] == wanted.operation.as_str();
        if is_right {
            return;
        }
        let owned: Vec<&str> =
            flow.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        let before = plan.changes.len();
        plan.compare(&what, &flow, existing, &owned, &[]);
        if plan.changes.len() == before {
            plan.add(format!("{what}: its operations"));
        }
    } else {
        plan.add(what);
    }
    plan.step(SetupStep::Flow {
        id: wanted.id.clone(),
        flow,
        operation,
        exists: existing.is_some(),
        has_operation,
    });
}

/// Returns whether both flows listen to the same collections. Another order is no reason to change a flow.
fn is_same_set(flow: &Value, existing: &Value) -> bool {
    let set = |flow: &Value| {
        let names = flow["options"]["collections"].as_array().into_iter().flatten();
        names.filter_map(Value::as_str).map(str::to_owned).collect::<BTreeSet<_>>()
    };
    set(flow) == set(existing)
}

/// Returns the flow in Directus's format.
fn flow_of(flow: &FlowData, content: &[&str]) -> Value {
    let collections: Vec<&str> = flow
        .collections
        .iter()
        .flat_map(|name| match name.as_str() {
            // Languages are not content themselves.
            "*" => content.iter().copied().filter(|name| *name != "languages").collect(),
            name => vec![name],
        })
        .collect();
    json!({
        "name": flow.name,
        "icon": "bolt",
        "description": flow.description,
        "status": "active",
        "trigger": "event",
        // A run must not add a row to the activity log: sync reads that log, and a run is not a change.
        "accountability": null,
        "options": { "type": "action", "scope": flow.events, "collections": collections },
    })
}

/// Returns the only operation of a flow.
fn operation_of(flow: &FlowData) -> Value {
    json!({
        "id": flow.operation,
        "name": flow.operation_name,
        "key": flow.operation_key,
        "type": "request",
        "position_x": 19,
        "position_y": 1,
        "options": {
            "method": "POST",
            "url": format!("{{{{$env.{}}}}}", flow.address),
            "headers": [
                { "header": "Authorization", "value": format!("Bearer {{{{$env.{}}}}}", flow.secret) },
                { "header": "Content-Type", "value": "application/json" },
            ],
            "body": "{{$trigger}}",
        },
    })
}

/// Applies a flow step.
pub async fn apply(
    directus: &Directus,
    id: &str,
    flow: &Value,
    operation: &Value,
    (exists, has_operation): (bool, bool),
) -> Result<(), Error> {
    let mut body = flow.clone();
    if exists {
        let (create, update) =
            if has_operation { (None, Some(operation)) } else { (Some(operation), None) };
        body["operation"] = Value::Null;
        body["operations"] = json!({
            "create": create.into_iter().collect::<Vec<_>>(),
            "update": update.into_iter().collect::<Vec<_>>(),
            "delete": [],
        });
        directus.patch(&format!("/flows/{id}"), &body).await?;
    } else {
        body["id"] = json!(id);
        body["operations"] = json!([operation]);
        directus.post("/flows", &body).await?;
    }
    let first = json!({ "operation": operation["id"] });
    directus.patch(&format!("/flows/{id}"), &first).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flow_that_is_switched_on_counts_as_a_new_one() {
        assert!(becomes_active(None));
        assert!(becomes_active(Some(&json!({ "status": "inactive" }))));
        assert!(!becomes_active(Some(&json!({ "status": "active" }))));
    }
}
