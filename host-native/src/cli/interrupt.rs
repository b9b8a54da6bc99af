//! The message of a long command that is interrupted.

use std::io::Write as _;

use tokio::signal::unix::{SignalKind, signal};

/// From here on, Ctrl-C and SIGTERM end the program at once, with a sentence and the usual exit status. Its
/// files are consistent at every moment, so there is nothing to finish.
pub(super) fn say_on_interrupt(sentence: &'static str) {
    let listen = move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        let status = runtime.block_on(async {
            let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
            Ok::<i32, std::io::Error>(tokio::select! {
                _ = interrupt.recv() => 130,
                _ = terminate.recv() => 143,
            })
        });
        if let Ok(status) = status {
            let _ = writeln!(std::io::stderr(), "\n{sentence}");
            std::process::exit(status);
        }
    };
    // If the thread cannot start, the signals end the program without a sentence.
    let _ = std::thread::Builder::new().name("interrupt".to_owned()).spawn(listen);
}
