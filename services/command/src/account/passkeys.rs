//! Passkeys: registered by signed-in users, and a way to sign in without a mail. The state of a ceremony
//! is stored in a row, which its first use deletes.

use chrono::{DateTime, Utc};
use runtime::error_text;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use sqlx::{PgPool, types::Json};
use url::{Host, Url};
use utoipa::ToSchema;
use uuid::Uuid;
use webauthn_rs::prelude::{
    DiscoverableAuthentication, Passkey, PasskeyRegistration, PublicKeyCredential,
    RegisterPublicKeyCredential, Webauthn, WebauthnBuilder, WebauthnError,
};

use super::{
    cookies::PresentedSecrets,
    session::{self, Session},
    sign_in::{SignedIn, create_device},
};
use crate::Error;

/// A passkey, as shown to the account's owner.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedPasskey {
    /// The id for removing the passkey.
    #[schema(value_type = String)]
    id: Uuid,
    /// The user agent of the browser in which the passkey was made.
    user_agent: Option<String>,
    created_at: DateTime<Utc>,
    used_at: Option<DateTime<Utc>>,
}

/// A `WebAuthn` challenge for the browser.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Ceremony {
    /// The id of the ceremony, to be sent back with the answer.
    #[schema(value_type = String)]
    ceremony: Uuid,
    /// The options for `navigator.credentials`, as JSON.
    #[schema(value_type = Object)]
    options: Value,
}

/// The authenticator's answer to a challenge.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CeremonyAnswer {
    #[schema(value_type = String)]
    ceremony: Uuid,
    /// The result of `PublicKeyCredential.toJSON()`.
    #[schema(value_type = Object)]
    credential: Value,
}

/// The result of a ceremony.
#[derive(Debug)]
pub enum CeremonyOutcome<T> {
    /// The answer is valid.
    Accepted(T),
    /// The answer is invalid or too late, or the key is unknown.
    Rejected,
}

/// Returns the site as a relying party of passkeys. An IP address can't be one. The loopback address is
/// replaced by `localhost`, which the browser has to use too.
pub fn relying_party(public_url: &Url, name: &str) -> Option<Webauthn> {
    let mut origin = public_url.clone();
    if is_loopback(public_url) {
        origin.set_host(Some("localhost")).ok()?;
    }
    let Host::Domain(id) = origin.host()?.to_owned() else { return None };
    let built = WebauthnBuilder::new(&id, &origin).and_then(|it| it.rp_name(name).build());
    built
        .inspect_err(|error| {
            tracing::warn!(error = error_text(error), "passkeys can't be used with PUBLIC_URL");
        })
        .ok()
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        _ => false,
    }
}

/// Starts the registration of a passkey for the owner of `session`.
pub async fn begin_registration(
    pool: &PgPool,
    webauthn: &Webauthn,
    session: &Session,
) -> Result<Ceremony, Error> {
    let registered = sqlx::query_scalar!(
        "select credential_id from visitor.passkey where account = $1",
        session.account,
    )
    .fetch_all(pool)
    .await?;
    let name = session.name.as_deref().unwrap_or(&session.email);
    let begun = webauthn.start_passkey_registration(
        session.account,
        &session.email,
        name,
        Some(registered),
    );
    let (challenge, state) = begun.map_err(Error::Passkey)?;
    let mut options = json!(challenge.public_key);
    // Makes the passkey discoverable, so that users can sign in without typing their address.
    options["authenticatorSelection"]["residentKey"] = json!("required");
    options["authenticatorSelection"]["requireResidentKey"] = json!(true);
    store_ceremony(pool, Some(session.account), &json!(state), options).await
}

/// Completes a registration and stores the passkey.
pub async fn finish_registration(
    pool: &PgPool,
    webauthn: &Webauthn,
    session: &Session,
    answer: &CeremonyAnswer,
    user_agent: Option<&str>,
) -> Result<CeremonyOutcome<()>, Error> {
    let state: Option<PasskeyRegistration> =
        take_state(pool, answer, Some(session.account)).await?;
    let Some((state, credential)) =
        state.zip(parse_credential::<RegisterPublicKeyCredential>(answer))
    else {
        return Ok(CeremonyOutcome::Rejected);
    };
    let Some(passkey) = log_refusal(webauthn.finish_passkey_registration(&credential, &state))
    else {
        return Ok(CeremonyOutcome::Rejected);
    };
    let kept = sqlx::query!(
        "insert into visitor.passkey (id, account, credential_id, passkey, user_agent)
         values ($1, $2, $3, $4, $5)
         on conflict (credential_id) do nothing",
        Uuid::now_v7(),
        session.account,
        passkey.cred_id().as_ref() as &[u8],
        Json(&passkey) as _,
        user_agent,
    )
    .execute(pool)
    .await?;
    Ok(if kept.rows_affected() > 0 {
        CeremonyOutcome::Accepted(())
    } else {
        CeremonyOutcome::Rejected
    })
}

/// Starts a sign-in with a discoverable passkey, which identifies the account.
pub async fn begin_sign_in(pool: &PgPool, webauthn: &Webauthn) -> Result<Ceremony, Error> {
    let begun = webauthn.start_discoverable_authentication();
    let (challenge, state) = begun.map_err(Error::Passkey)?;
    store_ceremony(pool, None, &json!(state), json!(challenge.public_key)).await
}

/// Completes a sign-in with a passkey.
pub async fn sign_in(
    pool: &PgPool,
    webauthn: &Webauthn,
    answer: &CeremonyAnswer,
    presented: &PresentedSecrets,
    user_agent: Option<&str>,
) -> Result<CeremonyOutcome<SignedIn>, Error> {
    let state: Option<DiscoverableAuthentication> = take_state(pool, answer, None).await?;
    let Some((state, credential)) = state.zip(parse_credential::<PublicKeyCredential>(answer))
    else {
        return Ok(CeremonyOutcome::Rejected);
    };
    let mut transaction = pool.begin().await?;
    let found = sqlx::query!(
        r#"select id, account, passkey as "passkey: Json<Passkey>" from visitor.passkey
         where credential_id = $1 for update"#,
        credential.get_credential_id(),
    )
    .fetch_optional(&mut *transaction)
    .await?;
    let Some(found) = found else { return Ok(CeremonyOutcome::Rejected) };
    let Json(mut passkey) = found.passkey;
    // The user id in the passkey's answer has to match the account that it is stored for.
    let is_owner = credential.get_user_unique_id() == Some(found.account.as_bytes().as_slice());
    let finished = webauthn.finish_discoverable_authentication_v2(&credential, state, &passkey);
    let Some(used) = log_refusal(finished).filter(|_| is_owner) else {
        return Ok(CeremonyOutcome::Rejected);
    };
    passkey.update_credential(&used);
    sqlx::query!(
        "update visitor.passkey set passkey = $2, used_at = now() where id = $1",
        found.id,
        Json(&passkey) as _,
    )
    .execute(&mut *transaction)
    .await?;
    let account = found.account;
    let device = create_device(&mut transaction, account).await?;
    let session = session::open(&mut transaction, account, presented, &device, user_agent).await?;
    transaction.commit().await?;
    Ok(CeremonyOutcome::Accepted(SignedIn { session, device, next: None }))
}

/// Returns the passkeys of `account`, latest first.
pub async fn list(pool: &PgPool, account: Uuid) -> Result<Vec<ListedPasskey>, Error> {
    let listed = sqlx::query_as!(
        ListedPasskey,
        "select id, user_agent, created_at, used_at from visitor.passkey
         where account = $1 order by created_at desc, id",
        account,
    )
    .fetch_all(pool)
    .await?;
    Ok(listed)
}

/// Removes the passkey `id` if it belongs to `account`. Returns whether it did.
pub async fn remove(pool: &PgPool, account: Uuid, id: Uuid) -> Result<bool, Error> {
    let removed =
        sqlx::query!("delete from visitor.passkey where id = $1 and account = $2", id, account)
            .execute(pool)
            .await?;
    Ok(removed.rows_affected() > 0)
}

async fn store_ceremony(
    pool: &PgPool,
    account: Option<Uuid>,
    state: &Value,
    options: Value,
) -> Result<Ceremony, Error> {
    let ceremony = Uuid::new_v4();
    sqlx::query!(
        "insert into visitor.ceremony (id, account, state, expires_at)
         values ($1, $2, $3, now() + interval '5 minutes')",
        ceremony,
        account,
        state,
    )
    .execute(pool)
    .await?;
    Ok(Ceremony { ceremony, options })
}

/// Takes the state of a ceremony, which ends it.
async fn take_state<State: DeserializeOwned>(
    pool: &PgPool,
    answer: &CeremonyAnswer,
    account: Option<Uuid>,
) -> Result<Option<State>, Error> {
    let state = sqlx::query_scalar!(
        "delete from visitor.ceremony
         where id = $1 and account is not distinct from $2 and expires_at > now()
         returning state",
        answer.ceremony,
        account,
    )
    .fetch_optional(pool)
    .await?;
    Ok(state.and_then(|state| serde_json::from_value(state).ok()))
}

fn parse_credential<Credential: DeserializeOwned>(answer: &CeremonyAnswer) -> Option<Credential> {
    serde_json::from_value(answer.credential.clone()).ok()
}

fn log_refusal<T>(outcome: Result<T, WebauthnError>) -> Option<T> {
    outcome
        .inspect_err(|error| tracing::info!(error = error_text(error), "a passkey was refused"))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::relying_party;

    #[test]
    fn passkeys_need_a_domain_name_or_the_loopback_address() {
        let has = |url: &str| relying_party(&url.parse().expect("a URL"), "Almijara").is_some();
        assert!(has("https://almijara.example"));
        assert!(has("http://localhost:8080"));
        assert!(has("http://127.0.0.1:8080"));
        assert!(!has("https://192.0.2.7"));
    }
}
