//! One request of the console: its checks, and the endpoint that answers it.

mod changes;
mod clients;
mod context;
mod imports;
mod keys;
mod own;
pub(crate) mod passkeys;
mod people;
mod prospects;
mod reads;
mod review;
mod sign_in;
mod similar;

use http::{HeaderValue, Method, StatusCode, header, request::Parts};
use matterbook_core::{
    api::{Api, Handled, RequestBody},
    platform::Platform,
    rate_limiter::RateLimiter,
    store::{ConsoleCommand, ConsoleStore, Store},
};
use matterbook_passkeys::PasskeyVerifier;

use crate::{
    files, origin,
    response::Answer,
    route::{self, Audience, Endpoint},
    view::{help, message::Message, sign_in::plain_http},
};
use context::Context;

/// The largest form. The longest field has 500 characters.
pub const FORM_BYTES_MAX: usize = 16 * 1024;

/// Answers a request below `/app`.
pub(crate) async fn answer<S, L, P, B>(
    api: &Api<S, L, P>,
    verifier: &dyn PasskeyVerifier,
    head: &Parts,
    body: B,
) -> Handled
where
    S: Store + ConsoleStore,
    L: RateLimiter,
    P: Platform,
    B: RequestBody,
{
    let found = route::find(head.uri.path());
    if let Some((route, argument)) = found
        && let Some((Endpoint::Import(endpoint), _)) = route.endpoint(&head.method)
    {
        return imports::answer(api, head, body, (route.template, endpoint, argument)).await;
    }
    let context = Context::begin(api, verifier, head);
    let answer = match found {
        Some((route, argument)) => match route.endpoint(&head.method) {
            Some((endpoint, audience)) => context.admit(endpoint, audience, argument, body).await,
            None => {
                let allow = HeaderValue::try_from(route.allow()).ok();
                context.outside(StatusCode::METHOD_NOT_ALLOWED, Message::WrongMethod).with(header::ALLOW, allow)
            }
        },
        None => context.nothing_here().await,
    };
    context.finish(found.map_or("/app/…", |(route, _)| route.template), answer)
}

impl<S, L, P> Context<'_, S, L, P>
where
    S: Store + ConsoleStore,
    L: RateLimiter,
    P: Platform,
{
    /// Checks what can be checked without storage, then answers.
    async fn admit<B: RequestBody>(&self, endpoint: Endpoint, audience: Audience, argument: &str, body: B) -> Answer {
        match endpoint {
            Endpoint::File => {
                let file = files::at(self.head.uri.path()).map(Answer::file);
                let of_import = || matterbook_import_files::file(argument).map(Answer::import_file);
                let nothing = || self.outside(StatusCode::NOT_FOUND, Message::NotFound);
                return file.or_else(of_import).unwrap_or_else(nothing);
            }
            Endpoint::Help => return Answer::ok(help::help(self.service_name())),
            _ => {}
        }
        let public_url = self.api.settings().public_url.as_deref();
        let Some(own) = origin::own(self.head, public_url) else {
            let address = public_url.filter(|url| url.starts_with("https://")).map(|url| format!("{url}/app"));
            return Answer::page(StatusCode::FORBIDDEN, plain_http(self.service_name(), address.as_deref()));
        };
        let mut text = Vec::new();
        if self.head.method == Method::POST {
            if !origin::is_own_form(&self.head.headers, &own) {
                return self.outside(StatusCode::FORBIDDEN, Message::ForeignForm);
            }
            match body.read(FORM_BYTES_MAX).await {
                Ok(bytes) => text = bytes,
                Err(_) => return self.outside(StatusCode::BAD_REQUEST, Message::BrokenForm),
            }
        }
        if audience != Audience::Everybody && self.session.is_none() {
            return Answer::see("/app/sign-in");
        }
        let form = crate::form::Form::parse(if text.is_empty() {
            self.head.uri.query().unwrap_or_default().as_bytes()
        } else {
            &text
        });
        let answered = match endpoint {
            Endpoint::SignInPage => Ok(self.sign_in_page(&form, &own)),
            Endpoint::SignInWithPasskey => self.sign_in_with_passkey(&form, &own).await,
            Endpoint::LinkPage => self.link_page(argument).await,
            Endpoint::UseLink => self.use_link(argument).await,
            Endpoint::SignOut => self.sign_out().await,
            Endpoint::Overview => self.overview().await,
            Endpoint::Clients => self.clients(&form).await,
            Endpoint::ClientsFile(kind) => self.clients_file(kind, &form).await,
            Endpoint::Client => self.client(argument, &form).await,
            Endpoint::LettersOn => self.letters_on(argument, &form).await,
            Endpoint::Change => self.change(argument, &form).await,
            Endpoint::UndoChange => self.undo_change(argument, &form).await,
            Endpoint::Review => self.review(&form).await,
            Endpoint::DecideReview => self.decide_review(argument, &form).await,
            Endpoint::Similar => self.similar(&form).await,
            Endpoint::DecideSimilar => self.decide_similar(&form).await,
            Endpoint::Prospects => self.prospects(&form).await,
            Endpoint::ProspectsFile(kind) => self.prospects_file(kind, &form).await,
            Endpoint::Imports => self.imports(&form).await,
            Endpoint::Activity => self.activity(&form).await,
            Endpoint::Keys => self.keys(&form).await,
            Endpoint::CreateKey => self.create_key(&form, &own).await,
            Endpoint::RevokeKey => self.revoke_key(argument).await,
            Endpoint::People => self.people(&form).await,
            Endpoint::AddPerson => self.add_person(&form).await,
            Endpoint::SetRole => self.set_role(argument, &form).await,
            Endpoint::MakeLink => self.make_link(argument, &own).await,
            Endpoint::RemovePerson => self.remove_person(argument).await,
            Endpoint::SignOutPerson => self.sign_out_person(argument).await,
            Endpoint::PersonPasskeys => self.person_passkeys(argument, &form).await,
            Endpoint::RemovePersonPasskey => self.remove_person_passkey(argument, &form).await,
            Endpoint::Account => self.account(&own).await,
            Endpoint::Passkeys => self.passkeys(&form, &own).await,
            Endpoint::AddPasskey => self.add_passkey(&form, &own).await,
            Endpoint::RenamePasskey => self.rename_passkey(argument, &form).await,
            Endpoint::RemovePasskey => self.remove_passkey(argument).await,
            Endpoint::SignOutEverywhere => self.sign_out_everywhere().await,
            Endpoint::Help | Endpoint::File | Endpoint::Import(_) => {
                Err(self.outside(StatusCode::NOT_FOUND, Message::NotFound))
            }
        };
        answered.unwrap_or_else(|stopped| stopped)
    }

    /// The page for an unknown path, with the navigation for somebody who is signed in.
    async fn nothing_here(&self) -> Answer {
        let is_safe = origin::own(self.head, self.api.settings().public_url.as_deref()).is_some();
        if is_safe && self.session.is_some() {
            return match self.ask(ConsoleCommand::Session).await {
                Ok((owner, _)) => self.not_found(&owner),
                Err(stopped) => stopped,
            };
        }
        self.outside(StatusCode::NOT_FOUND, Message::NotFound)
    }
}
