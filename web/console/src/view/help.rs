//! Help: what each page is for, on one page that needs no connection to elsewhere.

use maud::{Markup, html};

use super::layout::outside;

/// Anchor, title and paragraphs of each part.
const PARTS: [(&str, &str, &[&str]); 13] = [
    (
        "signing-in",
        "Signing in",
        &[
            "There is no password. You sign in with a link that works once, for 24 hours. The owner of your firm’s account makes \
         it under People; an owner gets it from the people who run the service.",
            "Opening the link shows a button. Only the button signs you in, so a program that checks your mail does not use it up.",
            "Then add a passkey under Signing in. From then on the lock of your computer or phone signs you in: a \
         fingerprint, a face or a PIN.",
            "You are signed out after 12 hours without use, and after 30 days at the latest. “Sign out everywhere” ends all of it \
         at once, for example when a laptop is lost.",
        ],
    ),
    ("overview", "Overview", &["What came in during the last 30 days, by day and by where it came from."]),
    (
        "clients",
        "Clients",
        &[
            "Every client of your firm, the one that changed last first. Search by a part of a name, of your system’s number, of an \
         e-mail address, of a phone number or of a ZIP code, and narrow the list with the filters.",
            "The download has what the search finds, as text (CSV) or as a workbook for Excel (XLSX).",
        ],
    ),
    (
        "a-client",
        "A client",
        &[
            "Records are changed in your case system, not here.",
            "Letters: a program can turn letters off for a client, and only a person turns them on again. Write down why; your \
         name, the time and the reason stay on the record.",
        ],
    ),
    (
        "undo",
        "Undo",
        &[
            "A change of your clients can be taken back: open a client and choose “Undo” beside the change, or a past import          under Import. The page shows what goes back and what stays, before anything is done.",
            "What was changed again later stays. Letters that were turned off stay off. Settlements stay, because a letter may have          gone out.",
        ],
    ),
    (
        "import",
        "Import",
        &[
            "Choose a list of clients: CSV or Excel. It is read on your computer. Say what each column is; your choice is \
         remembered for the next file.",
            "The page shows what cannot be read. Correct single values or a whole column on the page; the file itself stays as it \
         is. Then compare the rows with your clients. Only “Send” saves anything.",
            "Refused rows are not saved. Download them at the end, correct them in the spreadsheet, and import that file.",
            "If the page closes while it sends, choose the same file again in the same browser. The import goes on where it was.",
        ],
    ),
    (
        "review",
        "Review",
        &[
            "People who were sent and not saved: because it is not sure who they are, or because a value cannot be read. What was \
         sent stands next to the clients that it may be.",
            "“The same person” gives the client what was sent. If the client has another number in your system, it is found by both \
         numbers from then on. “Another person” adds a client. “Leave it” does nothing; it comes back when something else is sent.",
            "They go by themselves once your case system sends the right value, and after 90 days at the latest.",
        ],
    ),
    (
        "prospects",
        "Prospects",
        &[
            "People in traffic crashes in the counties of your account. They are cold leads: none of them has asked to be \
         contacted. Check the rules of your state first.",
            "Each download is noted under Activity.",
        ],
    ),
    (
        "activity",
        "Activity",
        &[
            "Who made or ended a key, added or removed a person, turned letters on, took a change back, or downloaded prospects, and what the people \
         who run the service did for your firm.",
        ],
    ),
    (
        "keys",
        "Keys",
        &[
            "A key lets one program send clients to your list and fetch them. It is shown once, when it is made. Give each program \
         its own, so that you can end one without the others.",
            "A key that was ended stops working at once and cannot be used again.",
        ],
    ),
    (
        "people",
        "People",
        &[
            "An owner may do everything. A teammate works with clients and prospects. A view-only login looks and changes nothing.",
            "Removing a person signs the person out and ends the keys that the person made.",
        ],
    ),
    (
        "account",
        "Account",
        &["What is switched on for your firm, and its counties. The people who run the service change it for you."],
    ),
    (
        "help",
        "If something does not work",
        &[
            "A page that fails says whether something was saved, and shows a number. Give this number to the people who run the \
         service: by it they find what happened.",
        ],
    ),
];

/// The page.
#[must_use]
pub fn help(service_name: &str) -> Markup {
    let content = html! {
        p { a href="/app" { "Back to the overview" } }
        ul { @for (anchor, title, _) in PARTS { li { a href={ "#" (anchor) } { (title) } } } }
        @for (anchor, title, paragraphs) in PARTS {
            h2 id=(anchor) { (title) }
            @for paragraph in paragraphs { p { (paragraph) } }
        }
    };
    outside(service_name, "Help", &content)
}
