//! What only those ask who may manage: who may join, who may call, who is put out, which models are brought here.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::front::{Ask, Call, Front, Shared};
use crate::{Failure, KeyError, KeyLimits, Keys};

pub(crate) fn routes() -> Router<Arc<Front>> {
    Router::new()
        .route("/tandem/pull", post(pull))
        .route("/tandem/pull/{*model}", delete(forget_pull))
        .route("/tandem/tokens", get(tokens))
        .route("/tandem/tokens", post(invite))
        .route("/tandem/tokens/{id}", delete(revoke_token))
        .route("/tandem/nodes/{node}", delete(remove_node))
        .route("/tandem/keys", get(keys))
        .route("/tandem/keys", post(add_key))
        .route("/tandem/keys/{name}", delete(revoke_key))
}

const DAY_H: u64 = 24;

async fn pull(State(front): Shared, mut ask: Ask) -> Result<Json<Value>, Failure> {
    let model: String = ask.fields.need("model")?;
    ask.fields.finish()?;
    ask.call.may_manage()?;
    front.pulls.begin(&front.service, model.clone())?;
    Ok(Json(json!({"model": model, "state": "pulling"})))
}

async fn forget_pull(
    State(front): Shared,
    call: Call,
    Path(model): Path<String>,
) -> Result<Json<Value>, Failure> {
    call.may_manage()?;
    front.pulls.forget(&model)?;
    Ok(Json(json!({"model": model, "state": "stopped"})))
}

async fn tokens(State(front): Shared, call: Call) -> Result<Json<Value>, Failure> {
    call.may_manage()?;
    Ok(Json(json!({"tokens": front.service.invitations()?})))
}

async fn invite(State(front): Shared, mut ask: Ask) -> Result<Json<Value>, Failure> {
    let hours = ask.fields.integer("hours", 1, 365 * DAY_H)?.unwrap_or(1);
    let uses = ask.fields.integer("uses", 1, 1000)?.unwrap_or(1);
    ask.fields.finish()?;
    ask.call.may_manage()?;
    front.service.invite(Duration::from_secs(hours * 3600), uses as u32).await.map(Json)
}

async fn revoke_token(
    State(front): Shared,
    call: Call,
    Path(id): Path<String>,
) -> Result<Json<Value>, Failure> {
    call.may_manage()?;
    front.service.revoke(id.clone()).await?;
    Ok(Json(json!({"id": id, "revoked": true})))
}

async fn remove_node(
    State(front): Shared,
    call: Call,
    Path(node): Path<String>,
) -> Result<Json<Value>, Failure> {
    call.may_manage()?;
    front.service.remove(node.clone()).await?;
    Ok(Json(json!({"node": node, "removed": true})))
}

async fn keys(State(front): Shared, call: Call) -> Result<Json<Value>, Failure> {
    call.may_manage()?;
    let keys: Vec<Value> = own_keys(&front)?
        .list()
        .map_err(told)?
        .iter()
        .map(|key| {
            json!({
                "name": key.name, "created_unix_s": key.created_unix_s, "manages": key.manages,
                "requests_per_minute": key.limits.requests_per_minute, "concurrent": key.limits.concurrent,
            })
        })
        .collect();
    Ok(Json(json!({"keys": keys})))
}

async fn add_key(State(front): Shared, mut ask: Ask) -> Result<Json<Value>, Failure> {
    let name: String = ask.fields.need("name")?;
    let most = u64::from(u32::MAX);
    let requests_per_minute = ask.fields.integer("requests_per_minute", 1, most)?.map(|limit| limit as u32);
    let concurrent = ask.fields.integer("concurrent", 1, most)?.map(|limit| limit as u32);
    let manages = ask.fields.take("manages")?.unwrap_or(false);
    ask.fields.finish()?;
    ask.call.may_manage()?;
    let limits = KeyLimits { requests_per_minute, concurrent };
    let secret = own_keys(&front)?.add(&name, limits, manages).map_err(told)?;
    Ok(Json(json!({"name": name, "key": secret})))
}

async fn revoke_key(
    State(front): Shared,
    call: Call,
    Path(name): Path<String>,
) -> Result<Json<Value>, Failure> {
    call.may_manage()?;
    own_keys(&front)?.revoke(&name).map_err(told)?;
    Ok(Json(json!({"name": name, "revoked": true})))
}

fn own_keys(front: &Front) -> Result<&Keys, Failure> {
    front.keys().ok_or_else(|| Failure::NotFound("this server keeps no keys".into()))
}

fn told(error: KeyError) -> Failure {
    let message = error.to_string();
    match error {
        KeyError::Taken(_) | KeyError::BadName(_) => Failure::invalid("name", message),
        KeyError::Unknown(_) => Failure::NotFound(message),
        _ => Failure::Unavailable(message),
    }
}
