//! An operator at work: counties are granted and moved, keys created and revoked.

use std::{collections::BTreeMap, sync::mpsc::Sender};

use serde_json::json;

use super::{Driven, Report, answered};
use crate::wire::{Firm, Operator, Request, Service};

/// An operator over one account.
pub(super) struct OperatorActor {
    account: String,
    count: u64,
    /// Counties with the day from which they are granted.
    counties: BTreeMap<String, String>,
    /// Live keys: their ids, and the keys.
    keys: Vec<(String, String)>,
    /// Revoked keys.
    revoked: Vec<String>,
    pending: Option<Pending>,
}

#[derive(Clone)]
enum Pending {
    Grant { fips: String, from_date: String },
    Create,
    Revoke { id: String, key: String },
}

impl OperatorActor {
    pub(super) fn open(service: &dyn Service) -> Result<Self, String> {
        let firm = Firm::with(service, &json!({"api_enabled": true})).map_err(|failure| failure.to_string())?;
        Ok(Self {
            account: firm.account.clone(),
            count: 0,
            counties: BTreeMap::new(),
            keys: vec![(firm.key_id.clone(), firm.key.clone())],
            revoked: Vec::new(),
            pending: None,
        })
    }

    /// Changes one thing after another until the service is gone; how many answers came.
    pub(super) fn drive(&mut self, service: &dyn Service, answers: &Sender<()>) -> Driven {
        for count in 0.. {
            let pending = self.next();
            self.pending = Some(pending.clone());
            let Some(answer) = answered(service, &self.request(service, &pending))? else { return Ok(count) };
            self.pending = None;
            match pending {
                Pending::Grant { fips, from_date } => drop(self.counties.insert(fips, from_date)),
                Pending::Create => {
                    let text = |pointer| answer.text(pointer).map_err(|failure| failure.to_string());
                    self.keys.push((text("/key/id")?, text("/key/key")?));
                }
                Pending::Revoke { id, key } => self.forget(&id, key),
            }
            let _ = answers.send(());
        }
        Ok(0)
    }

    /// Holds the account to what was answered.
    pub(super) fn check(&mut self, service: &dyn Service, report: &mut Report) -> Result<(), String> {
        let pending = self.pending.take();
        for (id, key) in self.keys.clone() {
            let status = me(service, &key)?;
            let is_pending = matches!(&pending, Some(Pending::Revoke { id: pending, .. }) if *pending == id);
            match status {
                200 if is_pending => report.lost += 1,
                200 => {}
                401 if is_pending => {
                    report.happened += 1;
                    self.forget(&id, key);
                }
                status => return Err(format!("a live key is answered {status}")),
            }
        }
        for key in &self.revoked {
            match me(service, key)? {
                401 => {}
                status => return Err(format!("a revoked key is answered {status}")),
            }
        }
        let operator = Operator::of(service);
        let show = operator.call("GET", &format!("/accounts/{}", self.account)).map_err(|error| error.to_string())?;
        let counties = show.array("/account/counties").map_err(|failure| failure.to_string())?;
        let found: BTreeMap<String, String> = counties
            .iter()
            .map(|county| {
                let text = |name: &str| county[name].as_str().unwrap_or_default().to_owned();
                (text("fips"), text("from_date"))
            })
            .collect();
        if let Some(Pending::Grant { fips, from_date }) = pending
            && found.get(&fips) == Some(&from_date)
        {
            report.happened += 1;
            self.counties.insert(fips, from_date);
        }
        if found != self.counties {
            return Err(format!("{} counties are granted, not the {} answered", found.len(), self.counties.len()));
        }
        Ok(())
    }

    fn forget(&mut self, id: &str, key: String) {
        self.keys.retain(|(live, _)| live != id);
        self.revoked.push(key);
        // Each is asked for after every kill, so not all of them for ever.
        self.revoked.drain(..self.revoked.len().saturating_sub(10));
    }

    fn next(&mut self) -> Pending {
        self.count += 1;
        match self.count % 4 {
            0 => Pending::Create,
            2 if self.keys.len() > 3 => {
                let (id, key) = self.keys[0].clone();
                Pending::Revoke { id, key }
            }
            _ => Pending::Grant {
                fips: format!("06{:03}", 1 + 2 * (self.count % 50)),
                from_date: format!("2025-{:02}-{:02}", 1 + self.count % 12, 1 + self.count % 28),
            },
        }
    }

    fn request(&self, service: &dyn Service, pending: &Pending) -> Request {
        let operator = Operator::of(service);
        let path = |rest: &str| format!("/accounts/{}{rest}", self.account);
        match pending {
            Pending::Grant { fips, from_date } => {
                operator.request("PUT", &path(&format!("/counties/{fips}"))).json(&json!({ "from_date": from_date }))
            }
            Pending::Create => operator.request("POST", &path("/keys")).json(&json!({})),
            Pending::Revoke { id, .. } => operator.request("DELETE", &format!("/keys/{id}")),
        }
    }
}

fn me(service: &dyn Service, key: &str) -> Result<u16, String> {
    service.exchange(&Request::new("GET", "/api/v1/me").bearer(key)).map(|answer| answer.status)
}
