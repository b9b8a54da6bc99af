//! Clients of an account as they are now: find them, show one, allow its letters again, erase it.

use serde::Serialize;

use super::{
    listing,
    prospects::Erased,
    request::{OperatorRequest, PathParameters},
    unexpected,
};
use crate::{
    api::{
        endpoints::{client_filter, client_history, list_clients},
        error::ApiError,
        query::Query,
        response::Response,
    },
    client::push_client,
    cursor::{Cursor, Listing},
    platform::Platform,
    store::{OperatorAnswer, OperatorCommand, OperatorStore},
};

#[derive(Serialize)]
struct ClientErasedBody {
    client: Erased,
}

/// Lists the clients with the given values (rule O24).
pub(super) async fn find<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let account = request.path.account;
    let known = ["limit", "cursor", "external_id", "email", "phone", "name"];
    let query = Query::parse(request.context.head.uri.query(), &known)?;
    let (after, limit) = listing::place(request.context, Listing::FoundClients, account)?;
    let mut filter = client_filter::read(&query)?;
    if let Some(cursor) = &after {
        client_filter::check(&filter, &cursor.filter)?;
        filter = cursor.filter.clone();
    }
    let after = after.map(|cursor| cursor.position);
    let command = OperatorCommand::FindClients { account, filter: filter.clone(), after, limit };
    match request.run(command, "client.find", account.to_string()).await? {
        OperatorAnswer::Clients(clients, next) => {
            let mut body = list_clients::Body::with_room_for(limit);
            clients.iter().for_each(|client| body.push(&client.borrowed()));
            let next = next.map(|position| Cursor { filter, ..Cursor::new(Listing::FoundClients, account, position) });
            Ok(Response::ok_json(body.end(next.map(|cursor| cursor.to_text()).as_deref())))
        }
        _ => unexpected(),
    }
}

pub(super) async fn show<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let PathParameters { account, id: client, .. } = request.path;
    let command = OperatorCommand::ShowClient { account, client };
    client_response(request.run(command, "client.show", client.to_string()).await?)
}

/// What changed of a client, as of now (rule O26).
pub(super) async fn history<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let PathParameters { account, id: client, .. } = request.path;
    let (before, limit) = client_history::place(request.context, account, client)?;
    let command = OperatorCommand::ListHistory { account, client, before, limit };
    match request.run(command, "client.history", client.to_string()).await? {
        OperatorAnswer::History(history) => Ok(Response::ok_json(client_history::body(&history, account, client))),
        _ => unexpected(),
    }
}

pub(super) async fn mail_on<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let PathParameters { account, id: client, .. } = request.path;
    let client_delay_seconds = request.settings.client_delay_seconds;
    let command = OperatorCommand::MailOn { account, client, client_delay_seconds };
    client_response(request.run(command, "client.mail_on", client.to_string()).await?)
}

pub(super) async fn erase<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let PathParameters { account, id, .. } = request.path;
    let command = OperatorCommand::EraseClient { account, client: id };
    match request.run(command, "client.erase", id.to_string()).await? {
        OperatorAnswer::Erased => Response::ok(&ClientErasedBody { client: Erased { id, erased: true } }),
        _ => unexpected(),
    }
}

fn client_response(answer: OperatorAnswer) -> Result<Response, ApiError> {
    match answer {
        OperatorAnswer::Client(client) => {
            let mut body = "{\"client\":".to_owned();
            push_client(&mut body, &client.borrowed());
            body.push('}');
            Ok(Response::ok_json(body))
        }
        _ => unexpected(),
    }
}
