//! Generates the JavaScript of a wasm module: `matterbook-wasm-bindgen TARGET MODULE DIRECTORY NAME`
//!
//! It uses the same library as `wasm-bindgen-cli`. The workspace pins its version, which must equal that of
//! the `wasm-bindgen` in the module. It compiles in half a minute; the command takes several times as long,
//! because it includes a web server and an HTTP client for browser tests.

use anyhow::{Context as _, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usage = "usage: matterbook-wasm-bindgen worker|web MODULE DIRECTORY NAME";
    let [target, module, directory, name] = <[String; 4]>::try_from(arguments).ok().context(usage)?;

    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(&name).typescript(false);
    match &*target {
        // After a trap, the next call creates a new instance of the module.
        "worker" => bindgen.module(true)?.reset_state_function(true).force_enable_abort_handler(true),
        "web" => bindgen.web(true)?.omit_default_module_path(false),
        _ => bail!(usage),
    };
    bindgen.generate(directory)
}
