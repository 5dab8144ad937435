//! Receives webhooks with the library of Standard Webhooks: cargo add standardwebhooks

use std::{env, sync::Arc};

use axum::{Router, body::Bytes, extract::State, http::HeaderMap, http::StatusCode, routing::post};
use serde_json::Value;
use standardwebhooks::Webhook;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let webhook = Webhook::new(&env::var("WEBHOOK_SECRET")?)?;
    let receiver = Router::new().route("/", post(receive)).with_state(Arc::new(webhook));
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{}", env::var("PORT")?)).await?;
    Ok(axum::serve(listener, receiver).await?)
}

async fn receive(State(webhook): State<Arc<Webhook>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    if webhook.verify(&body, &headers).is_err() {
        return StatusCode::UNAUTHORIZED;
    }
    match serde_json::from_slice::<Value>(&body) {
        Ok(event) => println!("{}", event["type"].as_str().unwrap_or_default()),
        Err(_) => return StatusCode::BAD_REQUEST,
    }
    StatusCode::NO_CONTENT
}
