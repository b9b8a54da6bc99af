//! The command line (rules L1 to L14). Each command has its own file; the operator API does the work.

mod account;
mod backup;
mod caller;
mod change;
mod check;
mod client;
mod completions;
mod county;
mod demo;
mod doctor;
mod flags;
mod help_flags;
mod interrupt;
mod kept_mapping;
mod key;
mod login;
mod man;
mod new_database;
mod operator;
mod operator_log;
mod outcome;
mod progress;
mod prospect;
mod pull;
mod push;
mod push_introduction;
mod rate;
mod reading;
mod review;
mod secret;
mod serve;
mod settlement;
mod similar;
mod table;
mod takeover;
mod terminal;
mod transfer;

use std::{ffi::OsString, io::Write as _, path::PathBuf, process::ExitCode};

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use flags::Flags;
use operator::Operator;
use outcome::{Failure, Shown};

/// Keeps a law firm's client list current and hands it crash prospects, over a JSON HTTP API.
#[derive(Parser)]
#[command(name = "matterbook", version, after_help = NEXT_STEPS, term_width = 80)]
struct CommandLine {
    #[command(flatten)]
    flags: Flags,
    #[command(subcommand)]
    command: Command,
}

const NEXT_STEPS: &str = "\
Try it:       matterbook serve --demo
For real:     matterbook account create --email you@example.com --api-enabled
              matterbook key create --account ID
              matterbook serve

The other commands work on the database file (--db), also while it is being
served, or on a running service (--url and --operator-token). Exit status:
0 done, 1 refused, 2 usage error.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the API over HTTP
    Serve {
        /// Create a demo database with an account, a key, counties and made-up prospects, and show how to use it
        #[arg(long)]
        demo: bool,
        /// Serve a copy that Litestream follows: answer reads, refuse changes, write nothing into the file
        #[arg(long, conflicts_with = "demo")]
        standby: bool,
    },
    /// Make a copy that Litestream followed the main database, when the main service is lost
    Takeover,
    /// Create, show, list, change and move accounts
    #[command(subcommand)]
    Account(account::AccountCommand),
    /// List, add and remove logins, and change what they may do
    #[command(subcommand)]
    Login(login::LoginCommand),
    /// Create, list and revoke API keys
    #[command(subcommand)]
    Key(key::KeyCommand),
    /// List, grant and revoke access to the prospects of a county
    #[command(subcommand)]
    County(county::CountyCommand),
    /// Import and erase prospects
    #[command(subcommand)]
    Prospect(prospect::ProspectCommand),
    /// Show a client, allow letters to it again, or erase it
    #[command(subcommand)]
    Client(client::ClientCommand),
    /// Read the settlements that letters are sent for
    #[command(subcommand)]
    Settlement(settlement::SettlementCommand),
    /// Read what waits for review, and decide about it
    #[command(subcommand)]
    Review(review::ReviewCommand),
    /// Show what a request changed, or take it back
    #[command(subcommand)]
    Change(change::ChangeCommand),
    /// Read what the operator did
    #[command(subcommand)]
    Operator(operator_log::OperatorCommand),
    /// Check each row of a file of clients, without sending anything
    Check(check::CheckArguments),
    /// Copy the database into a new file, also while it is being served
    Backup {
        /// The new file; it must not exist yet
        file: PathBuf,
    },
    /// Send a file of clients to a service; resumes after an interruption and reports each refused row
    #[command(after_help = push::HELP)]
    Push(push::PushCommand),
    /// Copy an account's clients or prospects to a file or stdout; the next pull adds what changed since
    #[command(after_help = pull::HELP)]
    Pull(pull::PullCommand),
    /// Make a key secret, with which a service makes and recognizes its API keys
    Secret,
    /// Find problems in the settings, the database or a service, and say how to fix them; changes nothing
    Doctor(doctor::Doctor),
    /// Print a script that completes commands in a shell
    Completions {
        /// The shell
        shell: completions::Shell,
    },
    /// Write the manual pages, one for each command
    Man {
        /// The directory for the pages; it must exist
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
}

/// Runs the command that the arguments name, program name first, and prints its result.
#[must_use]
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let matches = commands().try_get_matches_from(arguments);
    let read = matches.and_then(|matches| {
        let mut command_line = CommandLine::from_arg_matches(&matches)?;
        command_line.flags.read_sources(&matches)?;
        Ok(command_line)
    });
    let CommandLine { flags, command } = match read {
        Ok(command_line) => command_line,
        Err(error) => {
            // Help goes to stdout with status 0, a usage error to stderr with 2.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match perform(&flags, command) {
        Ok(shown) => print(&shown, &flags),
        Err(Failure::Refused(sentence)) => complain(&sentence, 1),
        Err(Failure::Usage(sentence)) => complain(&sentence, 2),
    }
}

/// Every command with its flags and help.
fn commands() -> clap::Command {
    help_flags::with_used_flags(flags::with_environment(CommandLine::command()))
}

fn perform(flags: &Flags, command: Command) -> Result<Shown, Failure> {
    let operator = || Operator::open(flags, false);
    match command {
        Command::Serve { demo, standby } => serve::run(flags, demo, standby),
        Command::Takeover => takeover::run(flags),
        Command::Account(command) => Operator::run(flags, command.creates(), |operator| command.run(operator)),
        Command::Login(command) => operator().and_then(|operator| command.run(&operator)),
        Command::Key(command) => operator().and_then(|operator| command.run(&operator)),
        Command::County(command) => operator().and_then(|operator| command.run(&operator)),
        Command::Prospect(command) => command.run(flags),
        Command::Client(command) => operator().and_then(|operator| command.run(&operator)),
        Command::Review(command) => operator().and_then(|operator| command.run(&operator)),
        Command::Change(command) => operator().and_then(|operator| command.run(&operator)),
        Command::Settlement(command) => operator().and_then(|operator| command.run(&operator)),
        Command::Operator(command) => operator().and_then(|operator| command.run(&operator)),
        Command::Check(arguments) => arguments.run(flags),
        Command::Backup { file } => backup::run(flags, &file),
        Command::Push(command) => command.run(flags),
        Command::Pull(command) => command.run(flags),
        Command::Secret => Ok(secret::run()),
        Command::Doctor(doctor) => doctor.run(flags),
        Command::Completions { shell } => Ok(completions::run(shell)),
        Command::Man { out } => man::run(&out),
    }
}

/// Write errors are ignored: a reader such as `head` may close the pipe early, which is not a failure.
fn print(shown: &Shown, flags: &Flags) -> ExitCode {
    let as_json = flags.json;
    let width = if flags.wide { None } else { terminal::width(std::io::stdout()) };
    let mut output = std::io::stdout().lock();
    let _ = if as_json && !shown.json.is_null() {
        writeln!(output, "{}", shown.json)
    } else {
        write!(output, "{}", shown.text.laid_out(width))
    };
    let _ = output.flush();
    if let Some(hint) = shown.hint.as_ref().filter(|_| !as_json) {
        terminal::print_wrapped(hint);
    }
    match &shown.refusal {
        Some(sentence) => complain(sentence, 1),
        None => ExitCode::from(u8::from(shown.is_partial)),
    }
}

fn complain(sentence: &str, status: u8) -> ExitCode {
    terminal::print_wrapped(sentence);
    ExitCode::from(status)
}
