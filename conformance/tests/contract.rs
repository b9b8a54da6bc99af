//! Whatever the service answers is what its OpenAPI documents say: every request of every case of the
//! wire suite, its status, each of its header fields, and its body, without a member more.

use std::{sync::Mutex, time::Duration};

use matterbook_conformance::wire::{Answer, Body, Facts, Request, Service, cases, run};
use matterbook_openapi::{Contract, Sent};

/// A service whose answers are held to the documents.
struct Held<'s> {
    service: &'s dyn Service,
    contract: &'s Contract,
    broken: Mutex<Vec<String>>,
    answers: Mutex<usize>,
}

impl Service for Held<'_> {
    fn exchange(&self, request: &Request) -> Result<Answer, String> {
        let answer = self.service.exchange(request)?;
        let body = match &request.body {
            Body::Whole(bytes) | Body::Chunked(bytes) => bytes.as_slice(),
            Body::None | Body::Withheld { .. } | Body::Stalled { .. } => &[],
        };
        let sent = Sent {
            method: &request.method,
            target: &request.target,
            body,
            status: answer.status,
            headers: &answer.headers,
            answer: &answer.body,
        };
        if let Err(problem) = self.contract.check(sent) {
            self.broken.lock().expect("nobody panicked").push(format!("{problem}\n    {}", answer.sent));
        }
        *self.answers.lock().expect("nobody panicked") += 1;
        Ok(answer)
    }

    fn elapse(&self, duration: Duration) {
        self.service.elapse(duration);
    }

    fn clock(&self) -> Duration {
        self.service.clock()
    }

    fn facts(&self) -> &Facts {
        self.service.facts()
    }
}

#[test]
fn every_answer_is_one_that_the_documents_describe() {
    let contract = Contract::read().expect("documents");
    let (mut broken, mut answers) = (Vec::new(), 0);
    for case in cases::all() {
        let service = crate::services::over_memory();
        let held = Held { service: &service, contract: &contract, broken: Mutex::default(), answers: Mutex::default() };
        run(case, &held).held().expect("a case that holds");
        broken.extend(held.broken.into_inner().expect("nobody panicked"));
        answers += held.answers.into_inner().expect("nobody panicked");
    }
    broken.sort();
    broken.dedup();
    let shown = broken.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(broken.is_empty(), "{} of {answers} answers are not described, such as\n{shown}", broken.len());
    println!("{answers} answers");
    assert!(answers > 2_000, "{answers} answers");
}
