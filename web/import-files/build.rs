//! Builds the import page's files: compiles `matterbook-import-page` to wasm, generates the functions that call it, and
//! names the files after the hashes of their contents.

use std::{
    env,
    error::Error,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use brotli::{BrotliCompress, enc::BrotliEncoderParams};
use sha2::{Digest as _, Sha256};
use wasm_bindgen_cli_support::Bindgen;

type Outcome<T> = Result<T, Box<dyn Error>>;

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "import-page";

fn main() -> Outcome<()> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let workspace = fs::canonicalize("../..")?;
    let target = shared_target(&out);
    compile(&workspace, &target)?;
    let built = target.join(TARGET).join(PROFILE);
    rerun_if_changed(&workspace, &built.join("matterbook_import_page.d"))?;

    let mut bindgen = Bindgen::new();
    bindgen.input_path(built.join("matterbook_import_page.wasm")).out_name("functions").typescript(false);
    bindgen.web(true)?.remove_name_section(true).remove_producers_section(true);
    let mut generated = bindgen.generate_output()?;
    let functions = generated.js().to_owned();
    let module = generated.wasm_mut().emit_wasm();

    let made = Files { out: &out, kept: &target.join("compressed") };
    let wasm = made.write("import", "wasm", &module)?;
    let functions = made.write("import-functions", "js", functions.as_bytes())?;
    let worker =
        include_str!("page/import-worker.js").replace("{functions}", &functions.name).replace("{wasm}", &wasm.name);
    let worker = made.write("import-worker", "js", worker.as_bytes())?;
    let columns = made.write("import-columns", "js", include_bytes!("page/import-columns.js"))?;
    let problems = include_str!("page/import-problems.js").replace("{columns}", &columns.name);
    let problems = made.write("import-problems", "js", problems.as_bytes())?;
    let script = include_str!("page/imports.js")
        .replace("{worker}", &worker.name)
        .replace("{columns}", &columns.name)
        .replace("{problems}", &problems.name);
    let script = made.write("imports", "js", script.as_bytes())?;

    let files = [
        ("SCRIPT", "page's script", script),
        ("COLUMNS", "part of the script that shows columns", columns),
        ("PROBLEMS", "part of the script that shows problems", problems),
        ("WORKER", "thread that reads the file", worker),
        ("FUNCTIONS", "functions that call the wasm", functions),
        ("WASM", "reader of files", wasm),
    ];
    let constants = files.iter().map(|(name, what, file)| file.in_rust(name, what)).collect::<String>();
    let contents = files.iter().map(|(.., file)| file.content()).collect::<String>();
    let text = format!("{constants}#[cfg(feature = \"bytes\")]\nstatic CONTENTS: [(&str, &[u8]); 6] = [{contents}];\n");
    fs::write(out.join("files.rs"), text)?;
    Ok(())
}

/// A directory that the builds of all profiles and targets of a workspace share, so that the wasm is compiled once. It
/// is below the target directory: cargo marks that, and within it the directory of each target.
fn shared_target(out: &Path) -> PathBuf {
    let is_marked = |directory: &&Path| directory.join("CACHEDIR.TAG").exists();
    let marked = out.ancestors().skip_while(|directory| !is_marked(directory)).take_while(is_marked);
    marked.last().unwrap_or(out).join(PROFILE)
}

/// Compiles the crate. The outer build's flags and wrappers are for other code, so none is passed on.
fn compile(workspace: &Path, target: &Path) -> Outcome<()> {
    let mut cargo = Command::new(env::var("CARGO")?);
    cargo.args(["build", "--quiet", "--locked", "--lib", "--package", "matterbook-import-page"]);
    cargo.args(["--target", TARGET, "--profile", PROFILE, "--target-dir"]).arg(target).current_dir(workspace);
    for (name, _) in env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        let is_kept = matches!(name.as_str(), "CARGO_HOME" | "CARGO_MAKEFLAGS")
            || ["CARGO_NET_", "CARGO_HTTP_", "CARGO_REGISTR"].iter().any(|kept| name.starts_with(kept));
        if !is_kept
            && ["CARGO_", "RUSTFLAGS", "RUSTC_W", "RUSTDOC", "WASM_BINDGEN_"]
                .iter()
                .any(|outer| name.starts_with(outer))
        {
            cargo.env_remove(&name);
        }
    }
    // Messages of a panic name source files; not those of this machine.
    let home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")));
    let remap = |from: &Path, to: &str| format!("--remap-path-prefix={}={to}", from.display());
    let remaps = home.iter().map(|home| remap(home, "cargo")).chain([remap(workspace, "matterbook")]);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", remaps.collect::<Vec<_>>().join("\u{1f}"));
    let status = cargo.status()?;
    if status.success() {
        return Ok(());
    }
    Err(format!("the wasm of the import page was not built; it needs the target {TARGET}: rustup target add {TARGET}")
        .into())
}

/// The sources of the wasm, which the compiler lists, and the files that choose the versions.
fn rerun_if_changed(workspace: &Path, list: &Path) -> Outcome<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=page");
    let own = ["Cargo.lock", "Cargo.toml", "rust-toolchain.toml"].map(|file| workspace.join(file));
    own.iter().for_each(|file| println!("cargo::rerun-if-changed={}", file.display()));
    let list = fs::read_to_string(list)?;
    let (_, sources) = list.trim().split_once(": ").ok_or("the compiler lists no sources")?;
    // A space within a path is escaped.
    for source in sources.replace("\\ ", "\0").split(' ') {
        println!("cargo::rerun-if-changed={}", source.replace('\0', " "));
    }
    Ok(())
}

/// Where files are written, and where compressed ones are kept for the builds of other profiles.
struct Files<'f> {
    out: &'f Path,
    kept: &'f Path,
}

/// A written file: its name and its length in bytes.
struct File {
    name: String,
    length: usize,
}

impl Files<'_> {
    /// Writes a file, compressed, whose name contains the hash of its content.
    fn write(&self, stem: &str, extension: &str, content: &[u8]) -> Outcome<File> {
        let digest: String = Sha256::digest(content).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let name = format!("{stem}.{digest}.{extension}");
        let kept = self.kept.join(&name);
        if !kept.exists() {
            fs::create_dir_all(self.kept)?;
            // Renamed when it is whole: builds of two profiles may run at once.
            let part = self.kept.join(format!("{name}.{}", std::process::id()));
            fs::write(&part, compressed(content)?)?;
            fs::rename(part, &kept)?;
        }
        let length = usize::try_from(fs::copy(&kept, self.out.join(&name))?)?;
        Ok(File { name, length })
    }
}

fn compressed(mut content: &[u8]) -> Outcome<Vec<u8>> {
    let parameters = BrotliEncoderParams { size_hint: content.len(), ..BrotliEncoderParams::default() };
    let mut bytes = Vec::new();
    BrotliCompress(&mut content, &mut bytes, &parameters)?;
    Ok(bytes)
}

impl File {
    /// The file as a constant in Rust.
    fn in_rust(&self, constant: &str, what: &str) -> String {
        let Self { name, length } = self;
        let is_wasm = Path::new(name).extension() == Some(OsStr::new("wasm"));
        let media_type = if is_wasm { "WASM_TYPE" } else { "SCRIPT_TYPE" };
        format!(
            "/// The {what}.\npub static {constant}: ViewerFile = ViewerFile {{ name: {name:?}, media_type: {media_type}, \
             length_bytes: {length} }};\n"
        )
    }

    /// Its name and content in Rust.
    fn content(&self) -> String {
        let Self { name, .. } = self;
        format!("({name:?}, include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}\"))), ")
    }
}
