//! Which global flags apply to each command. Every command accepts all of them; its help lists only those
//! that it uses.

use clap::{Arg, Command};

/// The command tree, where each help lists only the flags that its command uses.
pub(super) fn with_used_flags(command: Command) -> Command {
    let flags: Vec<Arg> = command.get_arguments().filter(|flag| flag.is_global_set()).cloned().collect();
    command.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        fitted(command, &name, &flags)
    })
}

/// A command and its subcommands, by the command's full name.
fn fitted(command: Command, name: &str, flags: &[Arg]) -> Command {
    let own = flags.iter().map(|flag| {
        let is_used = uses(name, flag.get_id().as_str());
        let flag = flag.clone().hide(!is_used);
        match (name, flag.get_id().as_str()) {
            // These commands open no file, so the text must not offer one.
            ("push" | "pull", "url") => flag.help(
                "The service, such as https://matterbook.example.com; with or without /api/v1 [env: MATTERBOOK_URL]",
            ),
            _ => flag,
        }
    });
    command.args(own).mut_subcommands(|below| {
        let name = format!("{name} {}", below.get_name());
        fitted(below, &name, flags)
    })
}

fn uses(command: &str, flag: &str) -> bool {
    let group = command.split(' ').next().unwrap_or_default();
    match (group, flag) {
        // The commands that print tables.
        (_, "wide") => ["list", "show", "find", "log"].contains(&command.rsplit(' ').next().unwrap_or_default()),
        // It checks every setting.
        ("doctor", _) => true,
        ("completions" | "man", _) => false,
        ("secret", flag) => flag == "json",
        ("serve", flag) => !matches!(flag, "url" | "ca_file" | "json"),
        ("check", flag) => flag == "json",
        ("backup", flag) => matches!(flag, "db" | "json"),
        ("push" | "pull", flag) => matches!(flag, "url" | "ca_file" | "json"),
        // The operator commands apply the rules themselves when they work on a file, so they use these
        // settings.
        (_, "db" | "url" | "operator_token" | "ca_file" | "json") => true,
        (_, "key_prefix") => command == "key create",
        (_, "client_delay_seconds") => command == "client mail-on",
        (_, "body_limit_bytes") => command == "prospect import",
        _ => false,
    }
}
