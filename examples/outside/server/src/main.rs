//! The API over a store of its own, behind axum. The program makes one account and shows its key. The store suite
//! tests the store.
//!
//! `cargo run -p server`

mod lists;

use std::{error::Error, time::SystemTime};

use axum::Router;
use matterbook_core::{
    account::AccountFlags,
    api::Api,
    key::{AccountNumber, KeySecrets, new_secret},
    memory::MemoryRateLimiter,
    platform::Platform,
    settings::Settings,
    time::Timestamp,
    uuid::Uuid,
};
use matterbook_tower::{ApiService, BODY_TIMEOUT};

use lists::{ListStore, NewAccount};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // The store is in memory, so its keys end with the program and need no secret that outlives it.
    let key_secrets = KeySecrets::parse(&new_secret(System.random()))?;
    let settings = Settings::default();
    let store = ListStore::default();
    let number = AccountNumber::from_bytes([0, 0, 0, 0, 0, 1]);
    let key = key_secrets.new_key(&settings.key_prefix, number, random());
    let flags = AccountFlags { api_enabled: true, ..AccountFlags::default() };
    let [id, login_id, key_id] = [1, 2, 3].map(Uuid::from_u128);
    let account = NewAccount { id, number, login_id, email: "owner@firm.example".to_owned(), flags };
    store.add_account_with_key(account, key_id, key_secrets.stored(&key), System.now());

    let api = Api::new(store, MemoryRateLimiter::default(), System, settings, key_secrets);
    let service = ApiService::new(api, || tokio::time::sleep(BODY_TIMEOUT)).with_log(|handled| {
        if let Some(cause) = &handled.cause {
            eprintln!("{} {}: {cause}", handled.request_id, handled.route);
        }
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
    println!("curl -H 'Authorization: Bearer {key}' http://{}/api/v1/me", listener.local_addr()?);
    Ok(axum::serve(listener, Router::new().fallback_service(service)).await?)
}

struct System;

impl Platform for System {
    fn now(&self) -> Timestamp {
        SystemTime::now().into()
    }

    fn random(&self) -> [u8; 32] {
        random()
    }
}

fn random<const LENGTH: usize>() -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes
}
