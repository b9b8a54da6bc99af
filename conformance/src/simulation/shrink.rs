//! Makes a list of steps that breaks a promise as short as it gets, while it still breaks it.

use super::{
    step::{Ask, Caller, Fault, Step},
    universe::Draft,
};

/// The most runs that shrinking takes.
const RUNS_MAX: usize = 4_000;

/// The shortest list found for which `breaks` holds, as it does for `steps`: ever smaller stretches of steps
/// are left out, then faults, clients and fields one by one, until nothing more can go.
pub fn shrink(steps: Vec<Step>, mut breaks: impl FnMut(&[Step]) -> bool) -> Vec<Step> {
    let mut steps = steps;
    let mut runs = 0;
    loop {
        let before = steps.clone();
        let mut length = steps.len().div_ceil(2).max(1);
        loop {
            let mut from = 0;
            while from < steps.len() {
                let mut fewer = steps.clone();
                fewer.drain(from..(from + length).min(steps.len()));
                runs += 1;
                if runs <= RUNS_MAX && breaks(&fewer) {
                    steps = fewer;
                } else {
                    from += length;
                }
            }
            if length == 1 {
                break;
            }
            length = length.div_ceil(2);
        }
        for place in 0..steps.len() {
            for simpler in simpler(&steps[place]) {
                let mut other = steps.clone();
                other[place] = simpler;
                runs += 1;
                if runs <= RUNS_MAX && breaks(&other) {
                    steps = other;
                    break;
                }
            }
        }
        if steps == before || runs > RUNS_MAX {
            return steps;
        }
    }
}

/// Steps that do a little less than this one.
fn simpler(step: &Step) -> Vec<Step> {
    match step {
        Step::Go(label, fault) if *fault != Fault::None => vec![Step::Go(*label, Fault::None)],
        Step::Start(label, machine, ask) => {
            let mut steps: Vec<_> =
                simpler_asks(ask).into_iter().map(|ask| Step::Start(*label, *machine, ask)).collect();
            if *machine != 0 {
                steps.push(Step::Start(*label, 0, ask.clone()));
            }
            steps
        }
        Step::Pass(millis) if millis % 1_000 != 0 => vec![Step::Pass(millis - millis % 1_000)],
        _ => Vec::new(),
    }
}

fn simpler_asks(ask: &Ask) -> Vec<Ask> {
    match ask {
        Ask::Post(caller, once, drafts) => {
            let mut asks = Vec::new();
            if once.is_some() {
                asks.push(Ask::Post(*caller, None, drafts.clone()));
            }
            for place in 0..drafts.len() {
                let mut fewer = drafts.clone();
                fewer.remove(place);
                asks.push(Ask::Post(*caller, *once, fewer));
                for draft in simpler_drafts(&drafts[place]) {
                    let mut other = drafts.clone();
                    other[place] = draft;
                    asks.push(Ask::Post(*caller, *once, other));
                }
            }
            asks
        }
        Ask::Preview(caller, drafts) => {
            let posts = simpler_asks(&Ask::Post(*caller, None, drafts.clone())).into_iter();
            let preview =
                |post| if let Ask::Post(caller, _, drafts) = post { Ask::Preview(caller, drafts) } else { post };
            posts.map(preview).collect()
        }
        Ask::Batch(account, import, drafts) => {
            let posts = simpler_asks(&Ask::Post(Caller(*account, 0), None, drafts.clone())).into_iter();
            let batch =
                |post| if let Ask::Post(_, _, drafts) = post { Ask::Batch(*account, *import, drafts) } else { post };
            posts.map(batch).collect()
        }
        Ask::Confirm(caller, Some(_), label) => vec![Ask::Confirm(*caller, None, *label)],
        Ask::Settle(caller, once, draft) => {
            let without = once.map(|_| Ask::Settle(*caller, None, *draft));
            let drafts = simpler_drafts(draft).into_iter().map(|draft| Ask::Settle(*caller, *once, draft));
            without.into_iter().chain(drafts).collect()
        }
        _ => Vec::new(),
    }
}

fn simpler_drafts(draft: &Draft) -> Vec<Draft> {
    let given = (0..draft.0.len()).filter(|field| draft.0[*field] != 0);
    given
        .map(|field| {
            let mut draft = *draft;
            draft.0[field] = 0;
            draft
        })
        .collect()
}
