//! The service in its own process, started as an operator does, with its log in a file.

use std::{
    fs::OpenOptions,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    Outcome,
    load::{Channel, Flood, flood, get, post},
    place::Process,
};

const OPERATOR_TOKEN: &str = "operator-token-of-the-benchmarks";
/// The connections over which accounts are created.
const OPERATOR_CONNECTIONS: usize = 32;

/// How to start it.
#[derive(Clone, Debug)]
pub struct Start {
    /// The program.
    pub program: PathBuf,
    /// The database, created when missing.
    pub database: PathBuf,
    /// Requests a minute for each key; 0 for no limit.
    pub rate_limit_per_minute: u32,
    /// A library to preload.
    pub preload: Option<PathBuf>,
}

/// A running service. It is killed when dropped.
pub struct Service {
    /// Its address.
    pub address: SocketAddr,
    /// Its process.
    pub process: Process,
    /// The time from its start to its first answer.
    pub start_time: Duration,
    database: PathBuf,
    log: PathBuf,
}

/// An account and its key.
#[derive(Clone, Debug)]
pub struct Account {
    /// Its public id.
    pub id: String,
    /// Its key.
    pub key: String,
    /// The id of that key.
    pub key_id: String,
}

impl Service {
    /// Starts it and waits until it answers.
    ///
    /// # Errors
    /// When it does not.
    pub fn start(start: &Start) -> Outcome<Self> {
        let log = start.database.with_extension("log");
        let log_file = OpenOptions::new().create(true).append(true).open(&log)?;
        let mut command = Command::new(&start.program);
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("MATTERBOOK_")) {
            command.env_remove(name);
        }
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--db"])
            .arg(&start.database)
            .env("MATTERBOOK_OPERATOR_TOKEN", OPERATOR_TOKEN)
            .env("MATTERBOOK_RATE_LIMIT_PER_MINUTE", start.rate_limit_per_minute.to_string())
            .stderr(log_file);
        if let Some(library) = &start.preload {
            command.env("LD_PRELOAD", library);
        }
        let began = Instant::now();
        let mut process = Process::start(&mut command)?;
        let address = address_of(&process.line()?)?;
        Channel::open(address)?.ask("GET", "/healthz", "", &Value::Null)?;
        Ok(Self { address, process, start_time: began.elapsed(), database: start.database.clone(), log })
    }

    /// The database file.
    #[must_use]
    pub fn database(&self) -> &Path {
        &self.database
    }

    /// Creates so many accounts, each with the digital bundle and a key.
    ///
    /// # Errors
    /// When one is refused.
    pub fn accounts(&self, count: usize) -> Outcome<Vec<Account>> {
        let owner = json!({"email": "owner@firm.example", "api_enabled": true, "digital_bundle": true}).to_string();
        let made = self.operate(vec![post("/operator/v1/accounts", OPERATOR_TOKEN, owner.as_bytes()); count])?;
        let ids = made.iter().map(|made| text(&made["account"]["id"])).collect::<Outcome<Vec<_>>>()?;
        let key = |id: &String| post(&format!("/operator/v1/accounts/{id}/keys"), OPERATOR_TOKEN, b"{}");
        let keys = self.operate(ids.iter().map(key).collect())?;
        let account = |(id, made): (String, Value)| {
            Ok(Account { id, key: text(&made["key"]["key"])?, key_id: text(&made["key"]["id"])? })
        };
        let accounts = ids.into_iter().zip(keys).map(account).collect::<Outcome<Vec<_>>>()?;
        // The first use of a key writes to the database, which must not happen during a measurement.
        let me: Vec<_> = accounts.iter().map(|account| get("/api/v1/me", &account.key)).collect();
        self.flood(&me, me.len(), OPERATOR_CONNECTIONS)?;
        Ok(accounts)
    }

    /// Creates one account.
    ///
    /// # Errors
    /// When it is refused.
    pub fn account(&self) -> Outcome<Account> {
        self.accounts(1)?.pop().ok_or_else(|| "no account was made".into())
    }

    /// Opens a county to an account, from a day on.
    ///
    /// # Errors
    /// When it is refused.
    pub fn grant(&self, account: &Account, county_fips: &str, from_date: &str) -> Outcome<()> {
        let path = format!("/operator/v1/accounts/{}/counties/{county_fips}", account.id);
        let body = json!({ "from_date": from_date });
        Channel::open(self.address)?.ask("PUT", &path, OPERATOR_TOKEN, &body).map(drop)
    }

    /// Truncates the log file, which grows by a hundred thousand lines a second.
    ///
    /// # Errors
    /// When it cannot be.
    pub fn empty_log(&self) -> Outcome<()> {
        Ok(OpenOptions::new().write(true).open(&self.log)?.set_len(0)?)
    }

    /// Stops it by SIGTERM and waits for its end.
    ///
    /// # Errors
    /// When its exit status is not 0.
    pub fn stop(self) -> Outcome<()> {
        self.process.stop()
    }

    fn operate(&self, requests: Vec<Vec<u8>>) -> Outcome<Vec<Value>> {
        let bodies = self.flood(&requests, requests.len(), OPERATOR_CONNECTIONS)?;
        bodies.iter().map(|body| Ok(serde_json::from_slice(body)?)).collect()
    }

    fn flood(&self, requests: &[Vec<u8>], count: usize, connections: usize) -> Outcome<Vec<Vec<u8>>> {
        Ok(flood(self.address, Flood { requests, count, connections, keeps_bodies: true, ..Flood::default() })?.bodies)
    }
}

/// The address in the first line that a server prints.
///
/// # Errors
/// When there is none.
pub fn address_of(line: &str) -> Outcome<SocketAddr> {
    let origin = line.split(' ').find_map(|word| word.strip_prefix("http://"));
    let address = origin.and_then(|origin| origin.split('/').next()).and_then(|address| address.trim().parse().ok());
    address.ok_or_else(|| format!("no address was announced, but {line:?}").into())
}

fn text(value: &Value) -> Outcome<String> {
    value.as_str().map(str::to_owned).ok_or_else(|| "an answer lacks an id or a key".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_read_from_the_first_line() {
        let line = "Matterbook serves http://127.0.0.1:4711/api/v1 from matterbook.db.\n";
        assert_eq!(address_of(line).expect("an address"), "127.0.0.1:4711".parse().expect("an address"));
        assert_eq!(address_of("http://127.0.0.1:80\n").expect("an address").port(), 80);
        assert!(address_of("Matterbook cannot start.\n").is_err());
    }
}
