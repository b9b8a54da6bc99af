//! Import: a spreadsheet of clients is read in the browser, compared and sent; and the imports of before.
//!
//! The page is whole without its script, which fills the steps: what it needs is said, and the past imports are shown.

use matterbook_core::store::ImportRecord;
use matterbook_import_files::SCRIPT;
use maud::{Markup, html};

use super::layout::{Frame, table};
use crate::text::{count, time};

/// The page. A login that only looks at things has the past imports alone.
#[must_use]
pub fn imports(frame: &Frame<'_>, past: &[ImportRecord], next: Option<&str>, is_further: bool) -> Markup {
    let content = html! {
        @if frame.may_edit() { (reader()) }
        @if !frame.may_edit() {
            p { "Your login only looks at things. The owner of your firm’s account can let it import, under People." }
        }
        section id="past" {
            h2 { "Past imports" }
            (past_imports(past, is_further, frame.may_edit()))
            div.pager {
                @if is_further { a href="/app/imports" { "Newest imports" } }
                @if let Some(next) = next { a href={ "/app/imports?before=" (next) } { "Earlier imports" } }
            }
        }
    };
    frame.page("Import", "import", &content)
}

fn reader() -> Markup {
    html! {
        noscript {
            div.note.warn { p {
                "Reading a file needs scripts, and they are switched off in this browser. Switch them on for this page. Or let \
                 your case system send its clients with a key, or have the person who looks after your computers run "
                code { "matterbook push" } "."
            } }
        }
        div id="import" hidden {
            (choose())
            div.status {
                p id="status" role="status" {}
                progress id="bar" max="1" value="0" aria-label="Progress" hidden {}
            }
            div.note.warn id="wait" role="alert" hidden {
                p id="wait-text" {}
                button type="button" id="wait-go" hidden { "Go on" }
            }
            (step("problem", "This does not work", &html! { div.note.warn role="alert" { p id="problem-text" {} } }))
            (begun())
            (columns())
            (check())
            (preview())
            (sending())
            (changed())
            (step("stopped", "Stopped", &html! {
                p { "What was sent before is saved. Nothing else is saved. Choose the file again to go on, or to begin again with a new \
                     comparison." }
            }))
            (done())
        }
        script type="module" src={ "/app/files/" (SCRIPT.name) } {}
    }
}

/// A step, which the script shows when it is reached.
fn step(id: &str, title: &str, content: &Markup) -> Markup {
    html! { section id=(id) aria-labelledby={ (id) "-title" } hidden { h2 id={ (id) "-title" } tabindex="-1" { (title) } (content) } }
}

fn choose() -> Markup {
    html! {
        p { "Choose a list of clients that your case system or a spreadsheet has saved: CSV or Excel (.xlsx). It is read on this \
             computer. Nothing is sent before you press a button that says so." }
        div.drop id="drop" {
            label for="file" { "Choose a file, or drop it here" }
            input type="file" id="file" accept=".csv,.tsv,.txt,.xlsx,.xlsm";
            p.hint id="file-name" {}
        }
    }
}

fn begun() -> Markup {
    step(
        "begun",
        "This file was begun",
        &html! {
            p id="begun-text" {}
            div.pager {
                button.main type="button" id="begun-go" { "Go on" }
                button type="button" id="begun-drop" { "Begin again" }
            }
        },
    )
}

fn columns() -> Markup {
    let head = html! { th { "Column in the file" } th.wide { "Examples" } th { "What it is" } th.wide { "Note" } };
    step(
        "columns",
        "1. What each column is",
        &html! {
            div id="sheets" hidden { label for="sheet" { "Sheet" } select id="sheet" {} }
            p.quiet id="file-about" {}
            div.note.warn id="column-warnings" hidden {}
            div.scroll role="region" aria-label="Columns" tabindex="0" {
                table { thead { tr { (head) } } tbody id="column-rows" {} }
            }
            p.quiet id="more-columns" {}
            p.quiet { "What you choose is remembered for the next file of your firm." }
        },
    )
}

fn check() -> Markup {
    step(
        "check",
        "2. What is in the file",
        &html! {
            ul id="report-lines" {}
            div id="report-notes" {}
            div.note.warn id="several-numbers" hidden {
                p id="several-numbers-text" {}
                button type="button" id="several-numbers-drop" { "Do not use the column" }
            }
            div id="problems" {}
            label.check { input type="checkbox" id="unreadable"; "Take rows without a phone number, an e-mail address or a date that cannot be read" }
            div.note id="fixes" hidden {
                p id="fixes-text" {}
                button type="button" id="fixes-undo" { "Undo the last correction" }
            }
            div.note id="several-dates" hidden {
                ul id="several-dates-lines" {}
                label.check { input type="checkbox" id="separate"; "Each of these dates is a settlement of its own" }
            }
            details.ask id="repairs" hidden {
                summary { "Values that are written in another form…" }
                div.scroll role="region" aria-label="Values in another form" tabindex="0" {
                    table {
                        thead { tr { th { "Field" } th { "Change" } th.number { "First row" } } }
                        tbody id="repair-rows" {}
                    }
                }
            }
            p.next { button.main type="button" id="compare" { "Compare with your clients" } }
            p.hint { "Sends the rows to be compared. Nothing is saved." }
        },
    )
}

fn preview() -> Markup {
    step(
        "preview",
        "3. What would change",
        &html! {
            ul.tiles id="preview-counts" {}
            div id="settled" hidden {
                p { "Settlements that would begin, by the year of their date. A letter is sent for each. Look whether the years are \
                     right." }
                div.scroll.narrow role="region" aria-label="Settlements by year" tabindex="0" {
                    table {
                        thead { tr { th { "Year" } th.number { "Begin" } th.number { "Get another date" } } }
                        tbody id="settled-years" {}
                    }
                }
            }
            p.next { button.main type="button" id="send" { "Send" } }
            p.hint { "Refused rows are not saved. You get them as a spreadsheet at the end." }
        },
    )
}

fn sending() -> Markup {
    step(
        "sending",
        "Sending",
        &html! {
            p { "Keep this page open. If it closes, or the computer sleeps, choose the same file again in this browser: the import goes on \
                 where it was." }
            button type="button" id="pause" { "Pause" }
            button.main type="button" id="go" hidden { "Go on" }
        },
    )
}

fn changed() -> Markup {
    step(
        "changed",
        "Something has changed",
        &html! {
            p id="changed-text" {}
            div.scroll role="region" aria-label="Rows that would become something else" tabindex="0" {
                table {
                    thead { tr { th { "Row" } th { "When compared" } th { "Now" } } }
                    tbody id="changed-rows" {}
                }
            }
            p.quiet id="changed-more" {}
            div.pager {
                button.main type="button" id="changed-go" { "Send these rows anyway" }
                button type="button" id="changed-stop" { "Stop" }
            }
        },
    )
}

fn done() -> Markup {
    step(
        "done",
        "Done",
        &html! {
            ul.tiles id="done-counts" {}
            div id="refused" hidden {
                p id="refused-text" {}
                p.next { button.main type="button" id="refused-file" { "Download the refused rows (XLSX)" } }
            }
            p { a href="/app/clients" { "To the clients" } " · " a href="/app/imports" { "Import another file" } }
        },
    )
}

fn past_imports(past: &[ImportRecord], is_further: bool, may_edit: bool) -> Markup {
    if past.is_empty() {
        return html! { div.empty { p {
            @if is_further { "There are no earlier imports." } @else { "Nothing was imported yet. Imports of your firm show here." }
        } } };
    }
    let head = html! {
        th { "File" } th { "When" } th.wide { "Who" } th.number { "Rows" } th.number.wide { "New" } th.number.wide { "Changed" }
        th.number.wide { "As they were" } th.number { "Refused" } @if may_edit { th { "Undo" } }
    };
    let rows = html! {
        @for import in past {
            tr {
                th scope="row" {
                    (import.file_name)
                    @if import.ended_at.is_none() { " " span.tag.warn { "not finished" } }
                }
                td.nowrap { (time(import.started_at)) }
                td.wide { (import.email.as_deref().unwrap_or("(removed)")) }
                td.number {
                    @if import.sent_rows < import.rows { (count(import.sent_rows.into())) " of " }
                    (count(import.rows.into()))
                }
                td.number.wide { (count(import.counts.created.into())) }
                td.number.wide { (count(import.counts.updated.into())) }
                td.number.wide { (count(import.counts.unchanged.into())) }
                td.number { (count(import.counts.refused.into())) }
                @if may_edit { td.nowrap {
                    @if import.counts.created > 0 || import.counts.updated > 0 {
                        a href={ "/app/changes/" (import.id) } aria-label={ "Undo the import of " (import.file_name) } { "Undo…" }
                    }
                } }
            }
        }
    };
    table("Past imports", &head, &rows)
}

#[cfg(test)]
mod tests {
    use matterbook_core::{account::Role, store::ImportCounts, time::Timestamp, uuid::Uuid};

    use super::*;
    use crate::view::layout::tests::frame;

    fn import(ended_at: Option<Timestamp>) -> ImportRecord {
        ImportRecord {
            id: Uuid::nil(),
            email: None,
            file_name: "<clients>.csv".to_owned(),
            digest: "0".repeat(64),
            rows: 2_000,
            mapping: "{}".to_owned(),
            sent_rows: 1_500,
            counts: ImportCounts { created: 1_400, updated: 0, unchanged: 0, refused: 100 },
            started_at: Timestamp::from_micros(1_767_225_600_000_000),
            ended_at,
        }
    }

    #[test]
    fn only_who_may_change_clients_has_the_reader_of_files() {
        for role in Role::ALL {
            let page = imports(&frame(role), &[import(None)], None, false).into_string();
            assert_eq!(page.contains("type=\"file\""), role != Role::ViewOnly, "{role:?}");
            assert_eq!(page.contains(SCRIPT.name), role != Role::ViewOnly, "{role:?}");
            assert!(page.contains("&lt;clients&gt;.csv") && page.contains("1,500 of 2,000"), "{page}");
        }
    }

    #[test]
    fn an_import_that_goes_on_is_marked() {
        let at = Some(Timestamp::from_micros(1_767_225_600_000_000));
        for (ended_at, is_marked) in [(None, true), (at, false)] {
            let page = imports(&frame(Role::Owner), &[import(ended_at)], None, false).into_string();
            assert_eq!(page.contains("not finished"), is_marked);
        }
    }

    #[test]
    fn each_element_that_the_script_uses_is_on_the_page() {
        let script = include_str!("../../../import-files/page/imports.js");
        for other in [
            include_str!("../../../import-files/page/import-columns.js"),
            include_str!("../../../import-files/page/import-problems.js"),
        ] {
            assert!(!other.contains("part("), "only the script itself looks for elements");
        }
        let page = imports(&frame(Role::Owner), &[], None, false).into_string();
        let names: Vec<&str> = script.split("part(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(names.len() > 50, "{names:?}");
        for name in names {
            assert!(page.contains(&format!("id=\"{name}\"")), "{name}");
        }
    }
}
