//! The process of the bare loops. It reads orders, one in each line, and prints the time that each took.

use std::{
    io::{BufRead as _, Write as _},
    path::{Path, PathBuf},
    process::Command,
    time::{Instant, SystemTime},
};

use matterbook_core::time::Timestamp;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use super::{
    client_rows::client_rows,
    loops::{BareBatch, Way, post_batches},
    pages::{Page, place_of, read_pages},
    schema::{Tuning, open},
};
use crate::{Outcome, clients::Bodies, place::Process};

/// What the process has to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Order {
    /// Opens a file for the orders that follow.
    Open {
        /// Created when missing.
        file: PathBuf,
        /// The settings of its connection.
        tuning: Tuning,
    },
    /// Saves batches of clients to the accounts in turn.
    Post {
        /// The accounts' numbers.
        accounts: Vec<i64>,
        /// The clients.
        bodies: Bodies,
        /// The number of the first batch.
        first: usize,
        /// The number of batches.
        count: usize,
        /// What to do with each client.
        way: Way,
    },
    /// Reads a page repeatedly.
    Read {
        /// The public id of its account.
        account: String,
        /// The page.
        page: Page,
        /// The number of reads.
        times: usize,
    },
}

/// The answer to an order.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Taken {
    /// The time that it took, without preparation.
    pub seconds: f64,
}

/// A handle to the process.
pub struct BareTables(pub Process);

impl BareTables {
    /// Starts it.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start(preload: Option<&Path>) -> Outcome<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("bare-tables");
        if let Some(library) = preload {
            command.env("LD_PRELOAD", library);
        }
        Process::start(&mut command).map(Self)
    }

    /// Starts it on a file.
    ///
    /// # Errors
    /// When it does not start.
    pub fn on(file: PathBuf, tuning: Tuning, preload: Option<&Path>) -> Outcome<Self> {
        let mut tables = Self::start(preload)?;
        tables.order(&Order::Open { file, tuning })?;
        Ok(tables)
    }

    /// Executes an order.
    ///
    /// # Errors
    /// When it fails.
    pub fn order(&mut self, order: &Order) -> Outcome<Taken> {
        let line = serde_json::to_string(order)?;
        writeln!(self.0.input()?, "{line}")?;
        Ok(serde_json::from_str(&self.0.line()?)?)
    }
}

/// The process itself: executes orders until its input ends.
///
/// # Errors
/// When an order fails.
pub fn serve_orders() -> Outcome<()> {
    let mut connection: Option<Connection> = None;
    for line in std::io::stdin().lock().lines() {
        let order: Order = serde_json::from_str(&line?)?;
        let seconds = match (order, &connection) {
            (Order::Open { file, tuning }, _) => {
                connection = Some(open(&file, tuning)?);
                0.0
            }
            (_, None) => return Err("no file was opened".into()),
            (Order::Post { accounts, bodies, first, count, way }, Some(connection)) => {
                let batches = batches(&accounts, bodies, first, count)?;
                timed(|| post_batches(connection, &batches, way))?
            }
            (Order::Read { account, page, times }, Some(connection)) => {
                let number = "select id from accounts where public_id = unhex(?1, '-')";
                let account = connection.query_row(number, [account], |row| row.get(0))?;
                let place = place_of(connection, account, page)?;
                timed(|| read_pages(connection, account, &place, times))?
            }
        };
        println!("{}", serde_json::to_string(&Taken { seconds })?);
    }
    Ok(())
}

fn batches(accounts: &[i64], bodies: Bodies, first: usize, count: usize) -> Outcome<Vec<BareBatch>> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_micros();
    let now = i64::try_from(now)?;
    let batch = |number: usize| {
        let at = Timestamp::from_micros(now + 1_000 * i64::try_from(number)?);
        let account = *accounts.get(number % accounts.len()).ok_or("no account was named")?;
        Ok(BareBatch { account, at, rows: client_rows(&bodies.body(number), at)? })
    };
    (first..first + count).map(batch).collect()
}

fn timed(work: impl FnOnce() -> Outcome<()>) -> Outcome<f64> {
    let began = Instant::now();
    work()?;
    Ok(began.elapsed().as_secs_f64())
}
