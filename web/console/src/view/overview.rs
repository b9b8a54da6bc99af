//! Overview: what came in, and what needs attention.

use matterbook_core::{
    account::{AccountFlags, Role},
    store::{DayCounts, DaySource, Overview, SourceKind},
};
use maud::{Markup, html};

use super::{
    keys::UNUSED_DAYS,
    layout::{Frame, table},
};
use crate::text::{count, date};

/// A source as people read it.
fn source_name(source: &DaySource) -> String {
    let name = |kind: &str, gone: &str| source.name.as_ref().map_or(gone.to_owned(), |name| format!("{kind} {name}"));
    match source.kind {
        SourceKind::Key => name("Key", "A key"),
        SourceKind::Import => name("File", "A file"),
        SourceKind::Person => source.name.clone().unwrap_or_else(|| "Somebody who is gone".to_owned()),
        SourceKind::Operator => "The people who run the service".to_owned(),
    }
}

/// The page.
#[must_use]
pub fn overview(frame: &Frame<'_>, flags: AccountFlags, view: &Overview) -> Markup {
    let came_in: u64 = view.days.iter().map(total).sum();
    let letters = view.settlements_with_letters;
    let content = html! {
        ul.tiles {
            li { b { (count(came_in)) } "Clients that came in or changed in " (view.days.len()) " days" }
            li { b { (count((letters + view.settlements_without_letters).into())) }
                "Settlements that came in this month, with a letter: " (count(letters.into())) }
            li { b { (count(view.waiting.into())) } a href="/app/review" { "People that wait for review" } }
            @if view.similar > 0 {
                li { b { (count(view.similar.into())) } a href="/app/review/similar" { "Possible duplicates to decide" } }
            }
            @if flags.digital_bundle {
                li { b { (count(view.new_prospects.into())) } a href="/app/prospects" { "New prospects in 7 days" } }
            }
            @if frame.role == Role::Owner {
                li { b { (count(view.unused_keys.len() as u64)) }
                    a href="/app/settings/keys" { "Keys unused for " (UNUSED_DAYS) " days" } }
            }
        }
        h2 { "What came in, by day" }
        @if came_in == 0 {
            div.empty {
                p { b { "Nothing came in during the last " (view.days.len()) " days." } }
                @if frame.may_edit() {
                    p { a href="/app/imports" { "Import a spreadsheet" } " of your clients to begin." }
                }
                p { "Your case system or a program such as Zapier can send clients too. It needs a key, which the owner of "
                    "the account makes under Keys. Then open Clients to see what arrived." }
            }
        } @else {
            (chart(&view.days))
            (days(&view.days))
        }
    };
    frame.page("Overview", "overview", &content)
}

/// All that came in on a day.
fn total(day: &DayCounts) -> u64 {
    day.sources.iter().map(|source| u64::from(source.counts.created) + u64::from(source.counts.changed)).sum()
}

/// The bars of the chart, one a day, the oldest first.
fn chart(days: &[DayCounts]) -> Markup {
    let most = days.iter().map(total).max().unwrap_or_default().max(1);
    let ends = days.first().zip(days.last());
    html! {
        svg.chart viewBox={ "0 0 " (days.len() * 20) " 100" } preserveAspectRatio="none" aria-hidden="true" {
            @for (place, total) in days.iter().map(total).enumerate() {
                // A day on which something came in has a bar, however small.
                @let height = (total * 100 / most).max(u64::from(total > 0));
                rect x=(place * 20 + 2) y=(100 - height) width="16" height=(height) {}
            }
        }
        @if let Some((first, last)) = ends {
            div.chart-ends { span { (date(first.day)) } span { "most on one day: " (count(most)) } span { (date(last.day)) } }
        }
    }
}

/// The days on which something came in, the newest first.
fn days(days: &[DayCounts]) -> Markup {
    let head = html! { th { "Day" } th { "From" } th.number { "New" } th.number { "Changed" } };
    let rows = html! {
        @for day in days.iter().rev() {
            @for source in &day.sources {
                tr {
                    th.nowrap scope="row" { (date(day.day)) }
                    td { (source_name(source)) }
                    td.number { (count(source.counts.created.into())) }
                    td.number { (count(source.counts.changed.into())) }
                }
            }
        }
    };
    html! { (table("What came in, by day", &head, &rows)) p.quiet { "Days begin at midnight UTC." } }
}
