//! `GET /openapi.json`: the OpenAPI document of this API. No key needed (rule H3).

use crate::api::response::Response;

const DOCUMENT: &str = include_str!("../../../openapi.json");

pub(in crate::api) fn open_api() -> Response {
    Response::ok_json(DOCUMENT.to_owned())
}
