//! Generates the headers of the C and C++ library from its Rust code: `matterbook-rules-headers SOURCE DIRECTORY`
//!
//! Diplomat writes those of C to `DIRECTORY/c` and those of C++ to `DIRECTORY/cpp`. It has no comments for C, so
//! this program adds them, and one header for each language that includes all others.

mod comments;

use std::{fs, path::Path};

use anyhow::Context as _;
use diplomat_core::hir::DocsUrlGenerator;
use diplomat_tool::config::Config;

use comments::Comments;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usage = "usage: matterbook-rules-headers SOURCE DIRECTORY";
    let [source, directory] = <[String; 2]>::try_from(arguments).ok().context(usage)?;
    let (source, directory) = (Path::new(&source), Path::new(&directory));
    for language in ["c", "cpp"] {
        let headers = directory.join(language);
        diplomat_tool::r#gen(source, language, &headers, &DocsUrlGenerator::default(), Config::default(), true)?;
    }
    let comments = Comments::of(&syn::parse_file(&fs::read_to_string(source)?)?);
    add_comments(&directory.join("c"), &comments)?;
    write_whole(&directory.join("c"), ".h", "")?;
    write_whole(&directory.join("cpp"), ".hpp", "matterbook/")
}

fn add_comments(headers: &Path, comments: &Comments) -> anyhow::Result<()> {
    for entry in fs::read_dir(headers)? {
        let path = entry?.path();
        let header = fs::read_to_string(&path)?;
        fs::write(&path, comments.added_to(&header))?;
    }
    Ok(())
}

/// Writes the header that includes all others of a directory.
fn write_whole(headers: &Path, ending: &str, namespace: &str) -> anyhow::Result<()> {
    let mut names = Vec::new();
    for entry in fs::read_dir(headers.join(namespace))? {
        let name = entry?.file_name().into_string().ok().context("a header has no valid name")?;
        if name.ends_with(ending) && !name.contains(".d.") && !name.starts_with("diplomat") {
            names.push(name);
        }
    }
    names.sort();
    let includes: String = names.iter().map(|name| format!("#include \"{namespace}{name}\"\n")).collect();
    let text = format!("/* All of the library. */\n#pragma once\n\n{includes}");
    fs::write(headers.join(format!("matterbook_rules{ending}")), text)?;
    Ok(())
}
