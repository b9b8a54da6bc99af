//! What a simulation does, step by step, and the text that says it: a step a line, each whole in itself, so
//! that lines can be taken out and the rest still means what it meant.

use std::{fmt, str::FromStr};

use super::universe::{ACCOUNTS, Draft, FIELDS, IDEMPOTENCY_KEYS, IMPORTS, KEYS, MACHINES, VALUES, WALKS};

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// From now on, a machine's clock is this many seconds ahead of or behind the true time.
    Skew(usize, i64),
    /// Time passes, in milliseconds.
    Pass(i64),
    /// A request begins on a machine, and runs up to its first call of the store. The label names it.
    Start(u32, usize, Ask),
    /// A request runs up to its next store call or its end; the fault hits the call that it waits at.
    Go(u32, Fault),
    /// A request runs to its end, if nothing holds it up.
    Finish(u32),
    /// A batch that was given up lands after all.
    Land,
}

/// What befalls a call of the store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    #[default]
    None,
    /// It fails before it runs.
    Fails,
    /// It is turned away because too much waits.
    Overloaded,
    /// It runs, and its answer is lost.
    Lost,
    /// It fails, and runs later.
    Late,
    /// It runs, and its answer comes only when the request goes on the next time.
    Held,
}

/// What is asked. Accounts, keys and all else are meant by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// `POST /clients`, perhaps with an `Idempotency-Key`.
    Post(Caller, Option<usize>, Vec<Draft>),
    /// `POST /cases/settled`, perhaps with an `Idempotency-Key`.
    Settle(Caller, Option<usize>, Draft),
    /// What that request sent, sent again.
    Retry(Caller, u32),
    /// The next page of a walk over the clients, or its first.
    Page(Caller, usize, u32),
    /// A page after a cursor that the account was given at some time.
    Again(Caller, usize, u32),
    /// A page after a cursor that another account was given.
    Foreign(Caller, usize),
    /// The client with that external id.
    Find(Caller, u8),
    /// A page of what changed since one of the account's states.
    Since(Caller, usize, u32),
    /// `GET /me`.
    Me(Caller),
    /// A dry run of `POST /clients`.
    Preview(Caller, Vec<Draft>),
    /// What that dry run asked, with its plan, perhaps with an `Idempotency-Key`.
    Confirm(Caller, Option<usize>, u32),
    /// The first page of the history of a client of an account, of those that ever were there or in the next account.
    History(Caller, usize, u32),
    /// The page of a history after that one.
    Older(Caller, u32, u32),
    /// The operator takes back what that request did.
    Undo(usize, u32),
    /// The operator decides about an item of an account, of those that are kept: whether it is one of its candidates or
    /// another client.
    Decide(usize, usize, Verdict),
    /// A person sends the next batch of an import of an account.
    Batch(usize, usize, Vec<Draft>),
    /// The operator takes the last batch of the import back of which that request is one.
    UndoImport(usize, u32),
    /// The operator goes on with that undo of an import.
    UndoNext(usize, u32),
    /// The operator looks at what that request did, and what its undo would do.
    Change(usize, u32),
    /// The operator suspends an account, or lets it in again.
    Suspend(usize, bool),
    /// The operator revokes a key.
    Revoke(Caller),
    /// The operator erases a client of an account, of those that ever were there or in the next account.
    Erase(usize, usize),
    /// The operator looks at a client of an account, of the same.
    Show(usize, usize),
    /// The operator lets a client of an account be mailed again, of the same.
    MailOn(usize, usize),
}

/// A decision about what waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is the client of that number.
    Same(usize),
    /// It is another person.
    Another,
    /// It is left.
    Leave,
}

/// An account, and one of its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Caller(pub usize, pub usize);

/// The names of the faults.
const FAULTS: [(Fault, &str); 6] = [
    (Fault::None, ""),
    (Fault::Fails, "fails"),
    (Fault::Overloaded, "overloaded"),
    (Fault::Lost, "lost"),
    (Fault::Late, "late"),
    (Fault::Held, "held"),
];

impl fmt::Display for Caller {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.0, self.1)
    }
}

impl fmt::Display for Draft {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = FIELDS.iter().zip(self.0).filter(|(_, value)| *value != 0);
        let mut given = given.map(|(name, value)| format!("{name}={value}"));
        match given.next() {
            None => formatter.write_str("nothing"),
            Some(first) => formatter.write_str(&given.fold(first, |text, next| text + "," + &next)),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Same(client) => write!(formatter, "same {client}"),
            Self::Another => formatter.write_str("another"),
            Self::Leave => formatter.write_str("leave"),
        }
    }
}

impl fmt::Display for Ask {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keyed = |key: &Option<usize>| key.map_or_else(String::new, |key| format!(" once {key}"));
        match self {
            Self::Post(caller, key, drafts) => {
                write!(formatter, "post {caller}{}", keyed(key))?;
                drafts.iter().try_for_each(|draft| write!(formatter, " {draft}"))
            }
            Self::Settle(caller, key, draft) => write!(formatter, "settle {caller}{} {draft}", keyed(key)),
            Self::Retry(caller, label) => write!(formatter, "retry {caller} {label}"),
            Self::Page(caller, walk, limit) => write!(formatter, "page {caller} {walk} {limit}"),
            Self::Again(caller, cursor, limit) => write!(formatter, "again {caller} {cursor} {limit}"),
            Self::Foreign(caller, cursor) => write!(formatter, "foreign {caller} {cursor}"),
            Self::Find(caller, external_id) => write!(formatter, "find {caller} {external_id}"),
            Self::Since(caller, state, limit) => write!(formatter, "since {caller} {state} {limit}"),
            Self::Me(caller) => write!(formatter, "me {caller}"),
            Self::Preview(caller, drafts) => {
                write!(formatter, "preview {caller}")?;
                drafts.iter().try_for_each(|draft| write!(formatter, " {draft}"))
            }
            Self::Confirm(caller, key, label) => write!(formatter, "confirm {caller}{} {label}", keyed(key)),
            Self::History(caller, client, limit) => write!(formatter, "history {caller} {client} {limit}"),
            Self::Older(caller, label, limit) => write!(formatter, "older {caller} {label} {limit}"),
            Self::Undo(account, label) => write!(formatter, "undo {account} {label}"),
            Self::Change(account, label) => write!(formatter, "change {account} {label}"),
            Self::Decide(account, item, verdict) => write!(formatter, "decide {account} {item} {verdict}"),
            Self::Batch(account, import, drafts) => {
                write!(formatter, "batch {account} {import}")?;
                drafts.iter().try_for_each(|draft| write!(formatter, " {draft}"))
            }
            Self::UndoImport(account, label) => write!(formatter, "undo-import {account} {label}"),
            Self::UndoNext(account, label) => write!(formatter, "undo-next {account} {label}"),
            Self::Suspend(account, on) => write!(formatter, "{} {account}", if *on { "suspend" } else { "resume" }),
            Self::Revoke(caller) => write!(formatter, "revoke {caller}"),
            Self::Erase(account, client) => write!(formatter, "erase {account} {client}"),
            Self::Show(account, client) => write!(formatter, "show {account} {client}"),
            Self::MailOn(account, client) => write!(formatter, "mail-on {account} {client}"),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Skew(machine, seconds) => write!(formatter, "skew {machine} {seconds}"),
            Self::Pass(millis) => write!(formatter, "pass {millis}"),
            Self::Start(label, machine, ask) => write!(formatter, "start {label} {machine} {ask}"),
            Self::Go(label, Fault::None) => write!(formatter, "go {label}"),
            Self::Go(label, fault) => {
                let name = FAULTS.iter().find(|(known, _)| known == fault).map(|(_, name)| *name);
                write!(formatter, "go {label} {}", name.unwrap_or_default())
            }
            Self::Finish(label) => write!(formatter, "finish {label}"),
            Self::Land => formatter.write_str("land"),
        }
    }
}

/// The words of a line, read one after the other.
struct Words<'t>(std::iter::Peekable<std::str::SplitWhitespace<'t>>);

impl Words<'_> {
    fn next<T: FromStr>(&mut self) -> Result<T, String> {
        let word = self.0.next().ok_or("a word is missing")?;
        word.parse().map_err(|_| format!("not understood: {word}"))
    }

    /// A number below a bound.
    fn below(&mut self, bound: usize) -> Result<usize, String> {
        self.next().and_then(|number| if number < bound { Ok(number) } else { Err(format!("too large: {number}")) })
    }

    fn idempotency_key(&mut self) -> Result<Option<usize>, String> {
        if self.0.next_if_eq(&"once").is_none() { Ok(None) } else { self.below(IDEMPOTENCY_KEYS).map(Some) }
    }

    fn drafts(&mut self) -> Result<Vec<Draft>, String> {
        self.0.by_ref().map(str::parse).collect()
    }
}

impl FromStr for Caller {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(account, key)| Some((account.parse().ok()?, key.parse().ok()?)));
        let caller = numbers.filter(|(account, key)| *account < ACCOUNTS && *key < KEYS);
        caller.map(|(account, key)| Self(account, key)).ok_or_else(|| format!("no caller: {text}"))
    }
}

impl FromStr for Draft {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut draft = Self::default();
        for part in text.split(',').filter(|part| *part != "nothing") {
            let known = part.split_once('=').and_then(|(name, value)| {
                let field = FIELDS.iter().position(|field| *field == name)?;
                let value: u8 = value.parse().ok()?;
                (value <= VALUES[field]).then_some((field, value))
            });
            let (field, value) = known.ok_or_else(|| format!("no field of a client: {part}"))?;
            draft.0[field] = value;
        }
        Ok(draft)
    }
}

impl FromStr for Step {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let mut words = Words(line.split_whitespace().peekable());
        let verb: String = words.next()?;
        let step = match verb.as_str() {
            "skew" => Self::Skew(words.below(MACHINES)?, words.next()?),
            "pass" => Self::Pass(words.next()?),
            "start" => Self::Start(words.next()?, words.below(MACHINES)?, ask(&mut words)?),
            "go" => {
                let label = words.next()?;
                let name = words.0.next().unwrap_or_default();
                let fault = FAULTS.iter().find(|(_, known)| *known == name).map(|(fault, _)| *fault);
                Self::Go(label, fault.ok_or_else(|| format!("no fault: {name}"))?)
            }
            "finish" => Self::Finish(words.next()?),
            "land" => Self::Land,
            _ => return Err(format!("no step: {verb}")),
        };
        words.0.next().map_or(Ok(step), |word| Err(format!("one word too many: {word}")))
    }
}

fn verdict(words: &mut Words<'_>) -> Result<Verdict, String> {
    let verb: String = words.next()?;
    Ok(match verb.as_str() {
        "same" => Verdict::Same(words.next()?),
        "another" => Verdict::Another,
        "leave" => Verdict::Leave,
        _ => return Err(format!("no decision: {verb}")),
    })
}

fn ask(words: &mut Words<'_>) -> Result<Ask, String> {
    let verb: String = words.next()?;
    Ok(match verb.as_str() {
        "post" => Ask::Post(words.next()?, words.idempotency_key()?, words.drafts()?),
        "settle" => Ask::Settle(words.next()?, words.idempotency_key()?, words.next()?),
        "retry" => Ask::Retry(words.next()?, words.next()?),
        "page" => Ask::Page(words.next()?, words.below(WALKS)?, words.next()?),
        "again" => Ask::Again(words.next()?, words.next()?, words.next()?),
        "foreign" => Ask::Foreign(words.next()?, words.next()?),
        "find" => Ask::Find(words.next()?, words.next()?),
        "since" => Ask::Since(words.next()?, words.next()?, words.next()?),
        "preview" => Ask::Preview(words.next()?, words.drafts()?),
        "confirm" => Ask::Confirm(words.next()?, words.idempotency_key()?, words.next()?),
        "history" => Ask::History(words.next()?, words.next()?, words.next()?),
        "older" => Ask::Older(words.next()?, words.next()?, words.next()?),
        "undo" => Ask::Undo(words.below(ACCOUNTS)?, words.next()?),
        "decide" => Ask::Decide(words.below(ACCOUNTS)?, words.next()?, verdict(words)?),
        "batch" => Ask::Batch(words.below(ACCOUNTS)?, words.below(IMPORTS)?, words.drafts()?),
        "undo-import" => Ask::UndoImport(words.below(ACCOUNTS)?, words.next()?),
        "undo-next" => Ask::UndoNext(words.below(ACCOUNTS)?, words.next()?),
        "change" => Ask::Change(words.below(ACCOUNTS)?, words.next()?),
        "me" => Ask::Me(words.next()?),
        "suspend" => Ask::Suspend(words.below(ACCOUNTS)?, true),
        "resume" => Ask::Suspend(words.below(ACCOUNTS)?, false),
        "revoke" => Ask::Revoke(words.next()?),
        "erase" => Ask::Erase(words.below(ACCOUNTS)?, words.next()?),
        "show" => Ask::Show(words.below(ACCOUNTS)?, words.next()?),
        "mail-on" => Ask::MailOn(words.below(ACCOUNTS)?, words.next()?),
        _ => return Err(format!("nothing that can be asked: {verb}")),
    })
}

/// Parses the steps of a text, one on each line. Empty lines and text after a `#` are ignored.
///
/// # Errors
/// A sentence about the first line that is not a step.
///
/// ```
/// use matterbook_conformance::simulation::{read_steps, write_steps};
/// let text = "start 1 0 post 0/1 once 2 id=1,name=2 name=1\ngo 1 lost\npass 60000\n";
/// assert_eq!(read_steps(text).map(|steps| write_steps(&steps)), Ok(text.to_owned()));
/// assert!(read_steps("go nowhere").is_err());
/// ```
pub fn read_steps(text: &str) -> Result<Vec<Step>, String> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    lines.filter(|line| !line.is_empty()).map(|line| line.parse().map_err(|error| format!("{line}: {error}"))).collect()
}

/// The text of steps, as [`read_steps`] reads it.
#[must_use]
pub fn write_steps(steps: &[Step]) -> String {
    steps.iter().map(|step| format!("{step}\n")).collect()
}
