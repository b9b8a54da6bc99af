//! Names the pages' files after the hash of their content.

use std::{env, error::Error, fs, path::Path};

const FILES: [(&str, &str, &str, &str); 3] = [
    ("STYLE", "style", "css", "text/css; charset=utf-8"),
    ("PASSKEYS", "passkeys", "js", "text/javascript; charset=utf-8"),
    ("SCRIPT", "console", "js", "text/javascript; charset=utf-8"),
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=page");
    let directory = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("page");
    let mut text = String::new();
    for (constant, stem, extension, media_type) in FILES {
        let source = directory.join(format!("{stem}.{extension}"));
        let content = fs::read(&source)?;
        let path = format!("/app/files/{stem}.{:016x}.{extension}", hash(&content));
        text.push_str(&format!(
            "pub(crate) static {constant}: File = File {{ path: {path:?}, media_type: {media_type:?}, \
             content: include_str!({source:?}) }};\n",
        ));
    }
    let names: Vec<_> = FILES.iter().map(|(constant, ..)| format!("&{constant}")).collect();
    text.push_str(&format!("static FILES: [&File; {}] = [{}];\n", names.len(), names.join(", ")));
    fs::write(Path::new(&env::var("OUT_DIR")?).join("files.rs"), text)?;
    Ok(())
}

/// FNV-1a: it tells versions of our own files apart and protects nothing.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
