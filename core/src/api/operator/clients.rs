//! One client of an account: show it as it is now, let it be mailed again, erase it.

use serde::Serialize;

use super::{
    call::{Call, Named, Step},
    prospects::Erased,
    unexpected,
};
use crate::{
    api::{error::ApiError, reply::Reply},
    client::push_client,
    store::{OperatorAnswer, OperatorCommand},
};

#[derive(Serialize)]
struct ClientErasedBody {
    client: Erased,
}

pub(super) fn show(call: &Call<'_>) -> Step {
    let Named { account, id: client, .. } = call.named;
    call.ask(OperatorCommand::ShowClient { account, client }, "client.show", client.to_string(), client_reply)
}

pub(super) fn mail_on(call: &Call<'_>) -> Step {
    let Named { account, id: client, .. } = call.named;
    let client_delay_seconds = call.settings.client_delay_seconds;
    let command = OperatorCommand::MailOn { account, client, client_delay_seconds };
    call.ask(command, "client.mail_on", client.to_string(), client_reply)
}

pub(super) fn erase(call: &Call<'_>) -> Step {
    let Named { account, id, .. } = call.named;
    let command = OperatorCommand::EraseClient { account, client: id };
    call.ask(command, "client.erase", id.to_string(), move |answer| match answer {
        OperatorAnswer::Erased => Reply::ok(&ClientErasedBody { client: Erased { id, erased: true } }),
        _ => unexpected(),
    })
}

fn client_reply(answer: OperatorAnswer) -> Result<Reply, ApiError> {
    match answer {
        OperatorAnswer::Client(client) => {
            let mut body = "{\"client\":".to_owned();
            push_client(&mut body, &client.borrowed());
            body.push('}');
            Ok(Reply::ok_json(body))
        }
        _ => unexpected(),
    }
}
