//! Requests of the page that reads a file. They are answered in JSON, by the core (rules G29 to G33).

use http::{Method, request::Parts};
use matterbook_core::{
    api::{Api, Handled, ImportCall, ImportRefusal, RequestBody},
    platform::Platform,
    rate_limiter::RateLimiter,
    sign_in::SessionDigest,
    store::{ConsoleStore, Store},
    uuid::Uuid,
};

use crate::{cookie, origin, response, route::ImportEndpoint};

/// Answers such a request. `route` is the template of its path, `argument` the id in it.
pub(super) async fn answer<S, L, P, B>(
    api: &Api<S, L, P>,
    head: &Parts,
    body: B,
    (route, endpoint, argument): (&'static str, ImportEndpoint, &str),
) -> Handled
where
    S: Store + ConsoleStore,
    L: RateLimiter,
    P: Platform,
    B: RequestBody,
{
    let call = match origin::own(head, api.settings().public_url.as_deref()) {
        None => Err(ImportRefusal::PlainHttp),
        Some(own) if head.method == Method::POST && !origin::is_own_form(&head.headers, &own) => {
            Err(ImportRefusal::ForeignPage)
        }
        Some(_) => call(endpoint, argument),
    };
    let session = cookie::token(&head.headers).map(SessionDigest::of);
    let mut handled = api.import(call, route, session, head, body).await;
    response::add_headers(handled.response.headers_mut());
    handled
}

fn call(endpoint: ImportEndpoint, argument: &str) -> Result<ImportCall, ImportRefusal> {
    let import = || Uuid::try_parse(argument).ok().filter(|_| argument.len() == 36).ok_or(ImportRefusal::NoImport);
    Ok(match endpoint {
        ImportEndpoint::Begin => ImportCall::Begin,
        ImportEndpoint::Mappings => ImportCall::Mappings,
        ImportEndpoint::Preview => ImportCall::Preview,
        ImportEndpoint::Show => ImportCall::Show(import()?),
        ImportEndpoint::Batch => ImportCall::Batch(import()?),
        ImportEndpoint::End => ImportCall::End(import()?),
    })
}
