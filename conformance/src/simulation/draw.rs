//! Lists of steps, drawn from a seed.

use super::{
    step::{Ask, Caller, Fault, Step, Verdict},
    universe::{ACCOUNTS, Draft, IDEMPOTENCY_KEYS, IMPORTS, KEYS, MACHINES, VALUES, WALKS},
};

/// How far the random bytes of two machines lie apart.
pub(super) const MACHINE_DRAWS: u64 = 1 << 32;

/// What a run is like: each seed has its own mix, so that rare things are frequent in some.
struct Mix {
    draw: fastrand::Rng,
    accounts: usize,
    /// Faults in a hundred calls.
    faults: i64,
    /// Requests that are under way at once, at most.
    at_once: usize,
    /// Of a hundred fields, those that are given.
    given: i64,
    /// How often each kind of request is made.
    weights: [i64; 24],
    skews: [i64; MACHINES],
    next_label: u32,
    under_way: Vec<u32>,
    /// Requests that may change clients, and their accounts.
    writes: Vec<(u32, usize)>,
    previews: Vec<(u32, usize)>,
    histories: Vec<(u32, usize)>,
    batches: Vec<(u32, usize)>,
    import_undos: Vec<(u32, usize)>,
    steps: Vec<Step>,
}

/// That many steps, or a few more, drawn from a seed.
#[must_use]
pub fn draw_steps(seed: u64, count: usize) -> Vec<Step> {
    let mut draw = fastrand::Rng::with_seed(seed);
    let mut weights = [12, 5, 4, 12, 3, 1, 2, 1, 1, 1, 4, 2, 1, 1, 3, 4, 3, 4, 6, 2, 8, 4, 2, 3];
    for weight in &mut weights {
        *weight *= draw.i64(0..4);
    }
    weights[0] = weights[0].max(6);
    // Decisions and imports would make all else rare.
    if seed.is_multiple_of(2) {
        weights[20..].fill(0);
    }
    let spread = [0, 3, 3, 8, 20, 3_600][draw.usize(..6)];
    let skews = std::array::from_fn(|_| if spread == 0 { 0 } else { draw.i64(0..2 * spread + 1) - spread });
    let mut mix = Mix {
        accounts: 1 + draw.usize(..ACCOUNTS),
        faults: [0, 5, 15, 40][draw.usize(..4)],
        at_once: 1 + draw.usize(..5),
        given: [40, 60, 80][draw.usize(..3)],
        weights,
        skews,
        draw,
        next_label: 0,
        under_way: Vec::new(),
        writes: Vec::new(),
        previews: Vec::new(),
        histories: Vec::new(),
        batches: Vec::new(),
        import_undos: Vec::new(),
        steps: Vec::new(),
    };
    for (machine, seconds) in mix.skews.into_iter().enumerate() {
        if seconds != 0 {
            mix.steps.push(Step::Skew(machine, seconds));
        }
    }
    while mix.steps.len() < count {
        mix.step();
    }
    mix.steps
}

impl Mix {
    fn one_in(&mut self, count: u32) -> bool {
        self.draw.u32(..count) == 0
    }

    fn number(&mut self, below: usize) -> usize {
        self.draw.usize(..below)
    }

    fn step(&mut self) {
        match self.draw.i64(0..100) {
            0..30 => self.start(),
            30..85 => self.go(),
            85..97 => self.pass(),
            97 => {
                let machine = self.number(MACHINES);
                // A clock is set, a few seconds off where it was.
                let seconds = self.skews[machine] + self.draw.i64(0..7) - 3;
                self.steps.push(Step::Skew(machine, seconds));
            }
            _ => self.steps.push(Step::Land),
        }
    }

    fn pass(&mut self) {
        let seconds = [0, 1, 5, 20, 30, 57, 58, 59, 60, 61, 90, 3_600][self.number(12)];
        let seconds = if seconds == 3_600 && self.one_in(3) { 86_400 } else { seconds };
        let millis = self.draw.i64(0..1_000);
        self.steps.push(Step::Pass(seconds * 1_000 + millis));
    }

    fn go(&mut self) {
        if self.under_way.is_empty() {
            return self.start();
        }
        let place = self.number(self.under_way.len());
        let label = self.under_way[place];
        let fault = if self.draw.i64(0..100) < self.faults {
            [Fault::Fails, Fault::Overloaded, Fault::Lost, Fault::Lost, Fault::Late, Fault::Held][self.number(6)]
        } else {
            Fault::None
        };
        self.steps.push(Step::Go(label, fault));
        if fault == Fault::None && self.one_in(5) {
            self.under_way.remove(place);
            self.steps.push(Step::Finish(label));
        }
    }

    fn start(&mut self) {
        if self.under_way.len() >= self.at_once {
            let label = self.under_way.remove(0);
            self.steps.push(Step::Finish(label));
        }
        let ask = self.ask();
        self.next_label += 1;
        match &ask {
            Ask::Post(Caller(account, _), ..)
            | Ask::Settle(Caller(account, _), ..)
            | Ask::Confirm(Caller(account, _), ..)
            | Ask::MailOn(account, _)
            | Ask::Decide(account, ..)
            | Ask::Undo(account, _) => self.writes.push((self.next_label, *account)),
            Ask::Batch(account, ..) => {
                self.writes.push((self.next_label, *account));
                self.batches.push((self.next_label, *account));
            }
            Ask::UndoImport(account, _) | Ask::UndoNext(account, _) => {
                self.writes.push((self.next_label, *account));
                self.import_undos.push((self.next_label, *account));
            }
            Ask::Preview(Caller(account, _), _) => self.previews.push((self.next_label, *account)),
            Ask::History(Caller(account, _), ..) | Ask::Older(Caller(account, _), ..) => {
                self.histories.push((self.next_label, *account));
            }
            _ => {}
        }
        let machine = self.number(MACHINES);
        self.steps.push(Step::Start(self.next_label, machine, ask));
        self.under_way.push(self.next_label);
    }

    fn caller(&mut self) -> Caller {
        Caller(self.draw.usize(..self.accounts), self.number(KEYS))
    }

    fn once(&mut self) -> Option<usize> {
        self.one_in(2).then(|| self.number(IDEMPOTENCY_KEYS))
    }

    fn ask(&mut self) -> Ask {
        let caller = self.caller();
        let mut left = self.draw.i64(0..self.weights.iter().sum());
        let kind = self.weights.iter().position(|weight| {
            left -= weight;
            left < 0
        });
        let limit = 1 + self.draw.u32(..4);
        match kind.unwrap_or_default() {
            1 => {
                let (once, mut draft) = (self.once(), self.draft());
                if draft.0[5] == 0 {
                    draft.0[5] = 1 + self.draw.u8(..3);
                }
                Ask::Settle(caller, once, draft)
            }
            2 if !self.writes.is_empty() => {
                let (label, account) = self.recent(|mix| &mix.writes, 4);
                Ask::Retry(Caller(account, caller.1), label)
            }
            14 => Ask::Preview(caller, self.drafts()),
            15 if !self.previews.is_empty() => {
                let (label, account) = self.recent(|mix| &mix.previews, 3);
                let account = if self.one_in(20) { caller.0 } else { account };
                Ask::Confirm(Caller(account, caller.1), self.once(), label)
            }
            16 => Ask::History(caller, self.number(20), 1 + self.draw.u32(..2)),
            17 if !self.histories.is_empty() => {
                let (label, account) = self.recent(|mix| &mix.histories, 3);
                Ask::Older(Caller(account, caller.1), label, limit)
            }
            kind @ (18 | 19) if !self.writes.is_empty() => {
                let (label, account) = self.recent(|mix| &mix.writes, 6);
                let account = if self.one_in(20) { caller.0 } else { account };
                if kind == 18 { Ask::Undo(account, label) } else { Ask::Change(account, label) }
            }
            20 => {
                let verdict = match self.number(5) {
                    0..3 => Verdict::Same(self.number(20)),
                    3 => Verdict::Another,
                    _ => Verdict::Leave,
                };
                Ask::Decide(caller.0, self.number(20), verdict)
            }
            21 => Ask::Batch(caller.0, self.number(IMPORTS), self.drafts()),
            22 if !self.batches.is_empty() => {
                let (label, account) = self.recent(|mix| &mix.batches, 6);
                let account = if self.one_in(20) { caller.0 } else { account };
                Ask::UndoImport(account, label)
            }
            23 if !self.import_undos.is_empty() => {
                let (label, account) = self.recent(|mix| &mix.import_undos, 3);
                Ask::UndoNext(account, label)
            }
            3 => Ask::Page(caller, self.number(WALKS), limit),
            4 => Ask::Again(caller, self.number(50), limit),
            5 => Ask::Foreign(caller, self.number(50)),
            6 => Ask::Find(caller, 1 + self.number(4) as u8),
            7 => Ask::Me(caller),
            8 => Ask::Suspend(caller.0, self.one_in(3)),
            9 => Ask::Revoke(caller),
            10 => Ask::Erase(caller.0, self.number(20)),
            11 => Ask::MailOn(caller.0, self.number(20)),
            13 => Ask::Show(caller.0, self.number(20)),
            12 => Ask::Since(caller, self.number(50), limit),
            _ => {
                let once = self.once();
                Ask::Post(caller, once, self.drafts())
            }
        }
    }

    /// One of the last few requests of a kind.
    fn recent(&mut self, of: impl Fn(&Self) -> &Vec<(u32, usize)>, count: usize) -> (u32, usize) {
        let length = of(self).len();
        let place = length - 1 - self.number(length.min(count));
        of(self)[place]
    }

    fn drafts(&mut self) -> Vec<Draft> {
        (0..self.draw.i64(0..4)).map(|_| self.draft()).collect()
    }

    fn draft(&mut self) -> Draft {
        let mut draft = Draft::default();
        for (field, value) in draft.0.iter_mut().enumerate() {
            // What matters less to who somebody is is given less often.
            let given = if field < 4 { self.given } else { self.given / 2 };
            if self.draw.i64(0..100) < given {
                *value = 1 + self.draw.u8(..VALUES[field]);
            }
        }
        draft
    }
}
