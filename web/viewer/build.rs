//! Builds the viewer's files. Swagger UI's script and style come from an archive in a crate; each is joined
//! with our own, compressed, and named after its content hash. The page refers to those names.

use std::{
    borrow::Cow,
    env,
    error::Error,
    fs,
    io::{Cursor, Read as _},
    num::NonZero,
    path::Path,
};

use sha2::{Digest as _, Sha256};
use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;
use zip::ZipArchive;
use zopfli::{Format, Options};

/// More iterations hardly reduce the size.
const ITERATIONS: NonZero<u64> = NonZero::new(5).expect("five is not zero");

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=page");
    println!("cargo::rerun-if-changed=../../core/openapi.json");
    let out = env::var("OUT_DIR")?;
    let out = Path::new(&out);
    let mut archive = ZipArchive::new(Cursor::new(SWAGGER_UI_VENDORED))?;
    let notice = format!("/* Swagger UI, under the Apache License 2.0. {} */\n", of_archive(&mut archive, "NOTICE")?);

    let script = of_archive(&mut archive, "dist/swagger-ui-bundle.js")?;
    let script = [&notice, without_map(&script), ";\n", include_str!("page/start.js")].concat();
    let script = write(out, "viewer", "js", &compressed(&script)?)?;
    let style = of_archive(&mut archive, "dist/swagger-ui.css")?;
    let style = [&notice, without_map(&style), "\n", include_str!("page/style.css")].concat();
    let style = write(out, "viewer", "css", &compressed(&style)?)?;
    let page = include_str!("page/index.html").replace("{script}", &script.name).replace("{style}", &style.name);
    fs::write(out.join("index.html"), &page)?;
    let page = File { name: "index.html".to_owned(), length: page.len() };
    let document = fs::read("../../core/openapi.json")?;
    fs::write(out.join("openapi.json"), &document)?;
    let document = File { name: "openapi.json".to_owned(), length: document.len() };

    let text = format!(
        "/// The viewer's files.\n\
         pub static VIEWER: Viewer = Viewer {{ description: {}, page: {}, files: &[{}, {}] }};\n\
         #[cfg(feature = \"bytes\")]\n\
         static CONTENTS: [(&str, &[u8]); 4] = [{}, {}, {}, {}];\n",
        document.in_rust("JSON"),
        page.in_rust("PAGE"),
        script.in_rust("SCRIPT"),
        style.in_rust("STYLE"),
        document.content(),
        page.content(),
        script.content(),
        style.content(),
    );
    fs::write(out.join("files.rs"), text)?;
    Ok(())
}

/// A written file: its name and its length in bytes.
struct File {
    name: String,
    length: usize,
}

impl File {
    /// The `ViewerFile` as Rust source.
    fn in_rust(&self, media_type: &str) -> String {
        let Self { name, length } = self;
        format!("ViewerFile {{ name: {name:?}, media_type: {media_type}, length_bytes: {length} }}")
    }

    /// Its name and content as Rust source.
    fn content(&self) -> String {
        let Self { name, .. } = self;
        format!("({name:?}, include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}\")))")
    }
}

/// The text of a file in the archive, whose only directory is named after the version.
fn of_archive(archive: &mut ZipArchive<Cursor<&[u8]>>, path: &str) -> Result<String, Box<dyn Error>> {
    let is_it = |name: &str| name.split_once('/').is_some_and(|(_, rest)| rest == path);
    let found = archive.file_names().filter_map(Result::ok).find(|name| is_it(name)).map(Cow::into_owned);
    let name = found.ok_or_else(|| format!("the archive has no {path}"))?;
    let mut text = String::new();
    archive.by_name(&name)?.read_to_string(&mut text)?;
    Ok(text.trim_end().to_owned())
}

/// The text without the line that names its source map, which is not served.
fn without_map(text: &str) -> &str {
    let end = text.rfind('\n').map_or(0, |end| end + 1);
    if text[end..].contains("sourceMappingURL=") { text[..end].trim_end() } else { text }
}

/// The text in gzip without a timestamp, so the build is reproducible. The result is part of every program,
/// so a slow compression that saves a twentieth of the size is worth its seconds.
fn compressed(text: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut bytes = Vec::new();
    let options = Options { iteration_count: ITERATIONS, ..Options::default() };
    zopfli::compress(options, Format::Gzip, text.as_bytes(), &mut bytes)?;
    Ok(bytes)
}

/// Writes a file whose name contains the hash of its content.
fn write(directory: &Path, stem: &str, extension: &str, bytes: &[u8]) -> Result<File, Box<dyn Error>> {
    let digest = Sha256::digest(bytes);
    let digest: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let name = format!("{stem}.{digest}.{extension}");
    fs::write(directory.join(&name), bytes)?;
    Ok(File { name, length: bytes.len() })
}
