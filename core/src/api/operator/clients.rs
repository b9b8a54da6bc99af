//! One client of an account: show it as it is now, allow letters again, erase it.

use serde::Serialize;

use super::{
    prospects::Erased,
    request::{OperatorRequest, PathParameters},
    unexpected,
};
use crate::{
    api::{error::ApiError, response::Response},
    client::push_client,
    store::{OperatorAnswer, OperatorCommand, Store},
};

#[derive(Serialize)]
struct ClientErasedBody {
    client: Erased,
}

pub(super) async fn show<S: Store>(request: &OperatorRequest<'_, S>) -> Result<Response, ApiError> {
    let PathParameters { account, id: client, .. } = request.path;
    let command = OperatorCommand::ShowClient { account, client };
    client_response(request.run(command, "client.show", client.to_string()).await?)
}

pub(super) async fn mail_on<S: Store>(request: &OperatorRequest<'_, S>) -> Result<Response, ApiError> {
    let PathParameters { account, id: client, .. } = request.path;
    let client_delay_seconds = request.settings.client_delay_seconds;
    let command = OperatorCommand::MailOn { account, client, client_delay_seconds };
    client_response(request.run(command, "client.mail_on", client.to_string()).await?)
}

pub(super) async fn erase<S: Store>(request: &OperatorRequest<'_, S>) -> Result<Response, ApiError> {
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
