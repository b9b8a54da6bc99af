//! Links within the documentation lead somewhere.

use std::{
    fs,
    path::{Path, PathBuf},
};

#[test]
fn every_link_between_pages_leads_to_a_file_and_a_heading() {
    let root = root();
    let mut complaints = String::new();
    for page in pages(&root) {
        let text = fs::read_to_string(&page).expect("a page");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            if link.contains("://") || link.contains(' ') {
                continue;
            }
            let target = if file.is_empty() { page.clone() } else { page.with_file_name(file) };
            let is_there =
                target.exists() && (anchor.is_empty() || anchors(&target).iter().any(|known| known == anchor));
            if !is_there {
                complaints += &format!("{}: {link}\n", page.display());
            }
        }
    }
    assert!(complaints.is_empty(), "links to nothing:\n{complaints}");
}

#[test]
fn every_decision_is_in_the_index() {
    let index = root().join("docs/decisions/README.md");
    let text = fs::read_to_string(&index).expect("the index");
    for page in pages(&root()).iter().filter(|page| page.parent() == index.parent() && **page != index) {
        let file = page.file_name().and_then(|name| name.to_str()).expect("a name");
        let title = fs::read_to_string(page).expect("a page").lines().next().unwrap_or_default().replace("# ", "");
        let row = format!("({file}) | {title} |");
        assert!(text.contains(&row), "{file} is not in the index: {row}");
    }
}

#[test]
fn every_page_for_readers_is_in_the_sites_contents() {
    let docs = root().join("docs");
    let contents = fs::read_to_string(docs.join("SUMMARY.md")).expect("the contents");
    let listed: Vec<PathBuf> = contents
        .split("](")
        .skip(1)
        .filter_map(|rest| fs::canonicalize(docs.join(rest.split_once(')')?.0)).ok())
        .collect();
    for page in pages(&root()).iter().filter(|page| !page.ends_with("SUMMARY.md")) {
        let page = fs::canonicalize(page).expect("a page");
        let times = listed.iter().filter(|listed| **listed == page).count();
        assert_eq!(times, 1, "{} in docs/SUMMARY.md", page.display());
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every page of the project, outside what is built, installed or hidden.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let of_project = entries.filter(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        !name.starts_with('.') && !["target", "node_modules"].contains(&name)
    });
    of_project
        .flat_map(|path| match path.extension() {
            _ if path.is_dir() => pages(&path),
            Some(extension) if extension == "md" => vec![path],
            _ => Vec::new(),
        })
        .collect()
}

/// The anchors of a page's headings, as GitHub makes them.
fn anchors(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).expect("a page");
    let headings =
        text.lines().filter_map(|line| line.strip_prefix('#')).map(|line| line.trim_start_matches('#').trim());
    headings
        .map(|heading| {
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.collect::<String>().to_lowercase().replace(' ', "-")
        })
        .collect()
}
