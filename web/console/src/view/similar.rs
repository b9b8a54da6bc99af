//! Clients that may be one person, each pair with both records next to each other.

use matterbook_core::store::{SimilarDecision, SimilarFilter, SimilarPage, SimilarPair};
use maud::{Markup, html};

use super::{
    layout::Frame,
    review::{comparison, shown_name, tabs},
};
use crate::text::time;

/// What the page shows.
#[derive(Debug)]
pub struct SimilarView {
    /// The pairs.
    pub page: SimilarPage,
    /// Which ones they are.
    pub filter: SimilarFilter,
}

/// The page.
#[must_use]
pub fn similar(frame: &Frame<'_>, view: &SimilarView) -> Markup {
    let SimilarView { page, filter } = view;
    let show = if filter.decided {
        "decided"
    } else if filter.letters {
        "letters"
    } else {
        ""
    };
    let content = html! {
        (tabs(true))
        p { "These clients do not match, and may be one person all the same. Nothing is joined here: join the records in your "
            "case system. What you decide counts for letters alone." }
        p { "Show: "
            @for (value, name) in [("", "to decide"), ("letters", "only one of the two gets letters"), ("decided", "decided")] {
                @if value == show { b { (name) } } @else { a href={ "/app/review/similar?show=" (value) } { (name) } }
                " "
            }
        }
        @if page.pairs.is_empty() {
            div.empty { p { b { "No possible duplicates." } } }
        }
        @for pair in &page.pairs { (one(frame, pair)) }
        @if let Some(next) = page.next {
            p { a href={ "/app/review/similar?show=" (show) "&after=" (next.to_string().replace(' ', "+")) } { "More" } }
        }
        p.quiet {
            @match page.compared_at {
                Some(at) => { "All clients were compared last on " (time(at)) ". That happens by itself after changes." }
                None => { "The clients were not compared yet. That happens by itself within about an hour." }
            }
        }
    };
    frame.page("Possible duplicates", "review", &content)
}

fn one(frame: &Frame<'_>, pair: &SimilarPair) -> Markup {
    let title = pair.clients.each_ref().map(shown_name).join(" and ");
    let words: Vec<_> = pair.reasons.iter().map(|reason| reason.words()).collect();
    let ids = pair.clients.each_ref().map(|client| client.id.to_string()).join(" ");
    let button = |decision: &str, name: &str| {
        html! {
            form method="post" action="/app/review/similar" {
                input type="hidden" name="pair" value=(ids);
                input type="hidden" name="decision" value=(decision);
                button { (name) }
            }
        }
    };
    html! {
        section.review aria-label=(title) {
            h2 { (title) }
            p { "Why: " (words.join(", ")) "." }
            (comparison(&format!("{title}: both clients"), None, &pair.clients))
            @if let Some(decided) = &pair.decided {
                p { (said(decided.decision)) " " span.quiet { "Decided by " (decided.by) " on " (time(decided.at)) "." } }
            }
            @if frame.may_edit() {
                div.actions {
                    @if pair.decided.is_some() {
                        (button("open", "Take the decision back"))
                    } @else {
                        (button("same", "One person"))
                        (button("different", "Two people"))
                    }
                }
            } @else {
                p { "Your login only looks at things. The owner or a teammate can decide." }
            }
        }
    }
}

const fn said(decision: SimilarDecision) -> &'static str {
    match decision {
        SimilarDecision::Same => "They are one person.",
        SimilarDecision::Different => "They are two people.",
    }
}
