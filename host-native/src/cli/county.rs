//! `matterbook county …`

use clap::Subcommand;
use serde_json::{Value, json};

use super::{
    operator::{Call, Operator},
    outcome::{Failure, Shown},
    table,
};

/// The columns of the list, the most important first.
pub(super) const GRANT: [&str; 4] = ["fips", "county_name", "state", "from_date"];

/// List, grant and revoke access to the prospects of a county.
#[derive(Debug, Subcommand)]
pub(super) enum CountyCommand {
    /// List an account's counties, each with the first crash date that it sees
    List {
        /// The account's id
        #[arg(long, value_name = "ID")]
        account: String,
    },
    /// Let an account see a county's crashes, starting at a date
    Grant {
        /// The account's id
        #[arg(long, value_name = "ID")]
        account: String,
        /// The county's five-digit FIPS code, such as 06037
        #[arg(long)]
        fips: String,
        /// The first crash date that the account sees, such as 2025-01-01
        #[arg(long, value_name = "DATE")]
        from: String,
    },
    /// Take a county away from an account
    Revoke {
        /// The account's id
        #[arg(long, value_name = "ID")]
        account: String,
        /// The county's five-digit FIPS code
        #[arg(long)]
        fips: String,
    },
}

impl CountyCommand {
    pub(super) fn run(self, operator: &Operator) -> Result<Shown, Failure> {
        match self {
            Self::List { account } => {
                let answer = operator.send(Call::get(&["accounts", &account, "counties"]))?;
                let rows = answer["counties"].as_array().map_or(&[][..], Vec::as_slice);
                let text = table::table(rows, &GRANT);
                Ok(Shown::new(answer, text))
            }
            Self::Grant { account, fips, from } => {
                shown(operator.send(Call::put(&["accounts", &account, "counties", &fips], json!({"from_date": from})))?)
            }
            Self::Revoke { account, fips } => {
                shown(operator.send(Call::delete(&["accounts", &account, "counties", &fips]))?)
            }
        }
    }
}

fn shown(answer: Value) -> Result<Shown, Failure> {
    let text = table::record(&answer["county"], &GRANT);
    Ok(Shown::new(answer, text))
}
