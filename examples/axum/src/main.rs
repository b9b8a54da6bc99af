//! `MATTERBOOK_OPERATOR_TOKEN=$(openssl rand -hex 32) cargo run -p matterbook-example-axum`

use std::error::Error;

use matterbook_core::{
    key::{KeySecrets, new_secret},
    settings::Settings,
};
use matterbook_tower::BODY_TIMEOUT;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let settings = Settings::read(|name| std::env::var(name).ok())?;
    let mut random = [0; 32];
    getrandom::fill(&mut random)?;
    // The store is in memory, so its keys end with the program and need no secret that outlives it.
    let key_secrets = KeySecrets::parse(&new_secret(random))?;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
    println!("The service is at http://{}/api/v1.", listener.local_addr()?);
    Ok(axum::serve(listener, matterbook_example_axum::router(settings, key_secrets, BODY_TIMEOUT)).await?)
}
