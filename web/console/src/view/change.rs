//! A change, what its undo would do, and what it leaves.

use matterbook_core::{
    client::{Client, ClientFields},
    store::{FieldChange, ImportRecord},
    undo::{Left, LeftReason, Undo, UndoReport},
    uuid::Uuid,
};
use maud::{Markup, html};

use super::{
    client::{author_name, field_name, field_values},
    layout::{Frame, table},
};
use crate::text::{count, name, time};

/// The most clients, and the most of what is left, that a page shows one by one.
const SHOWN: usize = 200;

/// What a page shows of a change.
#[derive(Clone, Debug)]
pub struct ChangePage {
    /// The request or the import that is undone.
    pub change: Uuid,
    /// The import, where that is what is undone.
    pub import: Option<Box<ImportRecord>>,
    /// Its batches that were looked at, one of a request. There is at least one.
    pub reports: Vec<UndoReport>,
    /// The batch after which they come, of an import whose undo goes on.
    pub after: Option<Uuid>,
    /// The request of the undo that was just done.
    pub undone_by: Option<Uuid>,
}

impl ChangePage {
    fn undos(&self) -> impl Iterator<Item = &Undo> {
        self.reports.iter().map(|report| &report.undo)
    }

    fn count(&self, of: impl Fn(&Undo) -> usize) -> u64 {
        u64::try_from(self.undos().map(of).sum::<usize>()).unwrap_or(u64::MAX)
    }

    /// Whether an import has more batches than were looked at.
    fn is_cut(&self) -> bool {
        self.reports.last().is_some_and(|report| report.next.is_some())
    }
}

/// The page.
#[must_use]
pub fn change(frame: &Frame<'_>, page: &ChangePage) -> Markup {
    let is_something = page.undos().any(|undo| !undo.is_empty()) || page.is_cut();
    let content = html! {
        (facts(page))
        @if let Some(undone_by) = page.undone_by {
            p { a href={ "/app/changes/" (undone_by) } { "Take this undo back" } }
        }
        h2 { "What the undo does" }
        @if is_something {
            (totals(page))
            (clients(page))
        } @else {
            div.empty { p { "There is nothing to take back any more." } }
        }
        (left(page))
        @if is_something {
            form.stack method="post" action={ "/app/changes/" (page.change) "/undo" } {
                @if let Some(after) = page.after { input type="hidden" name="cursor" value=(after); }
                p { "You can take the undo back later. If a program sends these clients regularly, stop it first: it would send its "
                    "values again." }
                button.main { @if page.import.is_some() { "Undo this import" } @else { "Undo this change" } }
            }
        }
    };
    frame.page(if page.import.is_some() { "Undo an import" } else { "Undo a change" }, "undo", &content)
}

fn facts(page: &ChangePage) -> Markup {
    html! {
        dl.facts {
            @match (&page.import, page.reports.first()) {
                (Some(import), _) => {
                    dt { "File" } dd { (import.file_name) }
                    dt { "When" } dd { (time(import.started_at)) }
                    dt { "By" } dd { (import.email.as_deref().unwrap_or("someone who left")) }
                    dt { "What it did" } dd { (what(import.counts.created.into(), import.counts.updated.into())) }
                }
                (None, Some(report)) => {
                    dt { "When" } dd { (time(report.change.at)) }
                    dt { "By" } dd { (author_name(Some(&report.change.by))) }
                    dt { "What it did" } dd { (what_request(report)) }
                }
                (None, None) => {}
            }
        }
    }
}

fn what_request(report: &UndoReport) -> String {
    match report.undo.item {
        Some(item) if report.change.created == 0 && report.change.changed == 0 => {
            if item.waits { "decided what waited for review" } else { "took a decision about review back" }.to_owned()
        }
        _ => what(report.change.created.into(), report.change.changed.into()),
    }
}

fn clients_of(number: u64) -> String {
    format!("{} {}", count(number), if number == 1 { "client" } else { "clients" })
}

fn what(created: u64, changed: u64) -> String {
    let clients = clients_of;
    match (created, changed) {
        (0, 0) => "nothing that is still on record".to_owned(),
        (created, 0) => format!("{} came in", clients(created)),
        (0, changed) => format!("{} changed", clients(changed)),
        (created, changed) => format!("{} came in, {} changed", clients(created), clients(changed)),
    }
}

fn totals(page: &ChangePage) -> Markup {
    let rows = [
        (page.count(|undo| undo.updated.len()), "gets its earlier values back.", "get their earlier values back."),
        (
            page.count(|undo| undo.removed.len()),
            "is removed, because the change brought it in.",
            "are removed, because the change brought them in.",
        ),
        (
            page.count(|undo| undo.restored.len()),
            "comes back, because the change removed it.",
            "come back, because the change removed them.",
        ),
    ];
    html! {
        ul { @for (number, one, several) in rows.iter().filter(|(number, ..)| *number > 0) {
            li { b { (clients_of(*number)) } " " (if *number == 1 { one } else { several }) }
        } }
        @for item in page.undos().filter_map(|undo| undo.item) {
            p { @if item.waits { "What was decided waits on the Review page again." }
                @else { "What waited again no longer waits on the Review page." } }
        }
        @if page.is_cut() {
            p { "This is a part of the import. It is taken back in several steps; after each step this page says how to go on." }
        }
    }
}

/// The clients of the undo, each with its values before and after.
fn clients(page: &ChangePage) -> Markup {
    let nothing = ClientFields::default();
    let rows = page.undos().flat_map(|undo| {
        let updated =
            undo.updated.iter().map(|one| (&one.before, FieldChange::between(&one.before.fields, &one.after)));
        let removed = undo.removed.iter().map(|client| (client, Vec::new()));
        let restored = undo.restored.iter().map(|client| (client, FieldChange::between(&nothing, &client.fields)));
        let updated = updated.map(|(client, fields)| (client, "", fields));
        let removed = removed.map(|(client, fields)| (client, "Is removed.", fields));
        updated.chain(removed).chain(restored.map(|(client, fields)| (client, "Comes back.", fields)))
    });
    let number = page.count(|undo| undo.updated.len() + undo.removed.len() + undo.restored.len());
    if number == 0 {
        return html! {};
    }
    let head = html! { th { "Client" } th { "What happens" } };
    let rows = html! {
        @for (client, sentence, fields) in rows.take(SHOWN) {
            tr {
                th scope="row" { (client_name(client)) }
                td {
                    @if !sentence.is_empty() { p { (sentence) } }
                    @if !fields.is_empty() { (field_values(&fields)) }
                }
            }
        }
    };
    html! { (table("What the undo does", &head, &rows)) (further(number)) }
}

fn further(number: u64) -> Markup {
    let rest = number.saturating_sub(u64::try_from(SHOWN).unwrap_or(u64::MAX));
    html! { @if rest > 0 { p.quiet { "And " (count(rest)) " more." } } }
}

fn left(page: &ChangePage) -> Markup {
    let number = page.count(|undo| undo.left.len());
    if number == 0 {
        return html! {};
    }
    let all = page.undos().flat_map(|undo| undo.left.iter().map(move |left| (undo, left)));
    let head = html! { th { "Client" } th { "What stays" } th { "Why" } };
    let rows = html! {
        @for (undo, Left { client, field, reason }) in all.take(SHOWN) {
            tr {
                th scope="row" { a href={ "/app/clients/" (client) } { (left_name(undo, *client)) } }
                td { (field.map_or("The client", field_name)) }
                td { (why(*reason)) }
            }
        }
    };
    html! { h2 { "What stays as it is" } (table("What stays as it is", &head, &rows)) (further(number)) }
}

fn left_name(undo: &Undo, client: Uuid) -> String {
    let updated = undo.updated.iter().map(|one| &one.before);
    let known = undo.left_clients.iter().chain(updated).find(|known| known.id == client);
    known.map_or("(no name)".to_owned(), client_name)
}

fn client_name(client: &Client) -> String {
    let fields = &client.fields;
    name(fields.first_name.as_deref(), fields.last_name.as_deref()).unwrap_or("(no name)".to_owned())
}

const fn why(reason: LeftReason) -> &'static str {
    match reason {
        LeftReason::ChangedSince => "It was changed again later, and the later change stays.",
        LeftReason::DoNotMail => "Letters stay off. You can turn them on at the client.",
        LeftReason::Settlement => "A letter may have gone out for the settlement.",
        LeftReason::ExternalIdTaken => "Another client has this number now.",
        LeftReason::SentAgain => "This person was sent again and is another client now.",
        LeftReason::NotKept => "The values before are no longer on record.",
    }
}

#[cfg(test)]
mod tests {
    use matterbook_core::{
        account::Role,
        store::{AuthorKind, ChangeAuthor},
        time::Timestamp,
        undo::Change,
    };

    use super::*;
    use crate::view::layout::tests::frame;

    fn page(undo: Undo, next: Option<Uuid>) -> ChangePage {
        let by = ChangeAuthor { kind: AuthorKind::Key, label: Some("<Case> system".to_owned()) };
        let at = Timestamp::from_micros(1_767_225_600_000_000);
        let change = Change { request_id: Uuid::nil(), import_id: None, at, by, created: 1, changed: 0 };
        let reports = vec![UndoReport { change, undo, next }];
        ChangePage { change: Uuid::nil(), import: None, reports, after: None, undone_by: None }
    }

    #[test]
    fn only_a_change_that_can_be_taken_back_has_the_button() {
        let fields = ClientFields { last_name: Some("<b>Li".into()), ..ClientFields::default() };
        let at = Timestamp::default();
        let client = Client { id: Uuid::nil(), fields, created_at: at, updated_at: at };
        let undo = Undo { removed: vec![client.clone()], ..Undo::default() };
        let shown = change(&frame(Role::Owner), &page(undo, None)).into_string();
        assert!(shown.contains("Undo this change") && shown.contains("&lt;b&gt;Li") && shown.contains("Is removed."));
        assert!(shown.contains("the key &lt;Case&gt; system") && shown.contains("1 client came in"), "{shown}");
        let reason = LeftReason::Settlement;
        let left = vec![Left { client: Uuid::nil(), field: None, reason }];
        let undo = Undo { left, left_clients: vec![client], ..Undo::default() };
        let shown = change(&frame(Role::Owner), &page(undo, None)).into_string();
        assert!(!shown.contains("Undo this change") && shown.contains("nothing to take back"), "{shown}");
        assert!(shown.contains("&lt;b&gt;Li") && shown.contains(why(reason)), "{shown}");
        // The rest of an import may have something.
        let shown = change(&frame(Role::Owner), &page(Undo::default(), Some(Uuid::nil()))).into_string();
        assert!(shown.contains("Undo this change"), "{shown}");
    }
}
