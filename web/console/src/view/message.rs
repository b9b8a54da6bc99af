//! Pages that say one thing: what happened, what happened to what was being done, and what to do next.

use maud::{Markup, html};

use super::layout::{Frame, outside};

/// A page that says one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// There is no page at the address, or none for this login.
    NotFound,
    /// The login only looks at things.
    ViewOnly,
    /// The form was not sent from a page of the console.
    ForeignForm,
    /// The form lacks something or is damaged.
    BrokenForm,
    /// The path does not have the method.
    WrongMethod,
    /// Too many attempts to sign in.
    TooManyAttempts,
    /// The service failed before anything was saved.
    Failed,
    /// The service failed, and perhaps something was saved.
    Unknown,
    /// The service has too much to do.
    Busy,
    /// The service only reads.
    Standby,
}

impl Message {
    /// The title.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::NotFound => "There is no page here",
            Self::ViewOnly => "Your login only looks at things",
            Self::ForeignForm | Self::BrokenForm => "Nothing was changed",
            Self::WrongMethod => "This address does not work like that",
            Self::TooManyAttempts => "Too many attempts",
            Self::Failed => "Something went wrong on our side",
            Self::Unknown => "It is not known whether this was saved",
            Self::Busy => "The service is busy",
            Self::Standby => "Only reading is possible at the moment",
        }
    }

    /// What happened, and what to do.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::NotFound => "Perhaps the address is misspelled, or what was here is gone. Nothing was changed.",
            Self::ViewOnly => {
                "Nothing was changed. The owner of your firm's account can let your login make changes, under People."
            }
            Self::ForeignForm => {
                "This form was not sent from a page of this application. Open the page again and send the form there."
            }
            Self::BrokenForm => {
                "The form did not arrive whole. Go back, open the page again and send the form once more."
            }
            Self::WrongMethod => "Go back and use the buttons and links of the page. Nothing was changed.",
            Self::TooManyAttempts => {
                "Wait a few minutes, then try again. Nothing is lost: a link that works still works."
            }
            Self::Failed => {
                "Nothing was saved. Try again in a moment. If it happens again, tell the people who run this service."
            }
            Self::Unknown => "Open the page again and look before you repeat what you did.",
            Self::Busy => "Nothing was saved. Try again in a few seconds.",
            Self::Standby => {
                "Nothing was saved: this is a copy of the service, for reading. You can go on looking at things here. \
                 To change something, use the main address, or try again in a minute."
            }
        }
    }

    /// The page for somebody who is signed in.
    #[must_use]
    pub fn inside(self, frame: &Frame<'_>, request_id: Option<&str>) -> Markup {
        let content = html! { (self.content(request_id)) p { a href="/app" { "To the overview" } } };
        frame.page(self.title(), "help", &content)
    }

    /// The page for everybody else.
    #[must_use]
    pub fn outside(self, service_name: &str, request_id: Option<&str>) -> Markup {
        let content = html! { (self.content(request_id)) p { a href="/app/sign-in" { "Sign in" } } };
        outside(service_name, self.title(), &content)
    }

    fn content(self, request_id: Option<&str>) -> Markup {
        html! {
            p { (self.sentence()) }
            @if let Some(id) = request_id { p.quiet { "For the people who run this service: " code { (id) } } }
        }
    }
}

/// The page of a firm whose access is suspended.
#[must_use]
pub fn suspended(service_name: &str) -> Markup {
    let content = html! {
        p { "Access of your firm is suspended. Your clients are kept, and nothing was deleted." }
        p { "While it is suspended, no program can send or fetch clients, and no page shows them." }
        p { "Ask the people who run " (service_name) " for you what has to be done." }
    };
    outside(service_name, "Access is suspended", &content)
}

/// The page of a firm for which the client list is not turned on.
#[must_use]
pub fn not_enabled(frame: &Frame<'_>) -> Markup {
    let content = html! {
        p { "The client list is not turned on for your firm yet. Ask the people who run " (frame.service_name)
            " for you to turn it on." }
        p { "Until then there are no clients, prospects and keys to show." }
    };
    frame.page("The client list is not turned on", "help", &content)
}
