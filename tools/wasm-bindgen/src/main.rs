//! Writes the JavaScript of a wasm module: `matterbook-wasm-bindgen TARGET MODULE DIRECTORY NAME`
//!
//! The same library is behind `wasm-bindgen-cli`. The workspace pins its version, which must be that of the
//! `wasm-bindgen` the module is compiled with. It compiles in half a minute; the command, which also brings
//! a web server and an HTTP client for browser tests, takes several times as long.

use anyhow::{Context as _, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usage = "usage: matterbook-wasm-bindgen worker|web MODULE DIRECTORY NAME";
    let [target, module, directory, name] = <[String; 4]>::try_from(arguments).ok().context(usage)?;

    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(&name).typescript(false);
    match &*target {
        // After a trap, the next call into the module starts a new instance of it.
        "worker" => bindgen.module(true)?.reset_state_function(true).force_enable_abort_handler(true),
        "web" => bindgen.web(true)?,
        _ => bail!(usage),
    };
    bindgen.generate(directory)
}
