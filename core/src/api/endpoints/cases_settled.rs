//! `POST /cases/settled`: marks a case settled, and creates the client if it is new (rules T7 to T10).

use http::StatusCode;

use super::results::ResultsWriter;
use crate::{
    api::{
        Api, RequestBody,
        caller::Caller,
        change::{Submission, response_of},
        error::{ApiError, ErrorCode, ErrorMember},
        idempotency::{self, Idempotency},
        json_body,
        post_options::PostOptions,
        query::{self, OF_POSTS},
        request_context::RequestContext,
        response::{Response, to_json},
    },
    client::{ClientInput, DO_NOT_MAIL_NOT_SAVED, Reading, parse_client},
    plan::{Batch, UpsertResult},
    platform::Platform,
    rate_limiter::RateLimiter,
    store::{Store, StoredResponse},
};

impl<S: Store, L: RateLimiter, P: Platform> Api<S, L, P> {
    pub(in crate::api) async fn cases_settled<B: RequestBody>(
        &self,
        context: &RequestContext<'_>,
        caller: &mut Caller,
        body: B,
    ) -> Result<Response, ApiError> {
        let options = PostOptions::read(context.head.uri.query())?;
        let idempotency_key = idempotency::read(&context.head.headers)?.filter(|_| !options.dry_run);
        let text = json_body::read_text(body, self.settings.body_limit_bytes).await?;
        let members = json_body::members(&text, &OF_POSTS)?;
        query::refuse_in_body(|name| members.get(name).is_some())?;
        let client = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let input = parse_client(client).map_err(|error| ApiError::invalid(error.to_string()))?;
        check_identification(&input)?;
        let readings = options.explain.then(|| vec![Reading::of(client)]);
        let batch = Batch::new(caller.account, vec![Ok(input)], context.mint, true);
        let batch = if options.explain { batch.explained() } else { batch };
        let idempotency = idempotency_key.map(|key| Idempotency::new(key, context.head, options, &text));
        let submission = Submission { batch, idempotency, dry_run: options.dry_run, readings, answering: response };
        self.submit(context, caller, submission).await
    }
}

/// The required fields of a settled case: its date, and an external id or a name.
fn check_identification(input: &ClientInput) -> Result<(), ApiError> {
    let fields = &input.fields;
    let mut missing = Vec::new();
    if fields.settled_on.is_none() {
        missing.push("settled_on");
    }
    if fields.external_id.is_none() {
        let has_name = fields.first_name.is_some() || fields.last_name.is_some();
        let has_place = fields.address_line1.is_some() && fields.zip.is_some();
        if !has_name && fields.address_line1.is_none() && fields.zip.is_none() {
            missing.push("external_id (or a name, address_line1 and zip)");
        } else if !has_name || !has_place {
            if !has_name {
                missing.push("first_name or last_name");
            }
            if fields.address_line1.is_none() {
                missing.push("address_line1");
            }
            if fields.zip.is_none() {
                missing.push("zip");
            }
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let hint = if fields.external_id.is_none() {
        " A settled case needs settled_on, and either external_id or a name, address_line1 and zip."
    } else {
        ""
    };
    let lost = if fields.do_not_mail { DO_NOT_MAIL_NOT_SAVED } else { "" };
    Err(ApiError::invalid(format!("Missing: {}.{hint}{lost}", missing.join(", "))))
}

fn response(results: &ResultsWriter<'_>) -> Result<StoredResponse, ApiError> {
    let outcome =
        results.upsert_results().first().ok_or_else(|| ApiError::internal("a plan of one client has no outcome"))?;
    let (status, error) = match outcome {
        UpsertResult::Created(_) | UpsertResult::Updated(_) => (StatusCode::OK, None),
        UpsertResult::Conflict(conflict) => (ErrorCode::Conflict.status(), Some(conflict.to_string())),
        UpsertResult::Invalid(error) => return Ok(response_of(ApiError::invalid(error.to_string()))),
        UpsertResult::Nameless { do_not_mail, .. } => {
            let message = "No client has this external_id yet and no name was sent. Send first_name or last_name, and \
                           an address, to add one.";
            let lost = if *do_not_mail { DO_NOT_MAIL_NOT_SAVED } else { "" };
            return Ok(response_of(ApiError::not_found(format!("{message}{lost}"))));
        }
    };
    let mut body = "{".to_owned();
    if let Some(message) = &error {
        let error = ErrorMember { code: ErrorCode::Conflict.name(), message };
        body.push_str("\"error\":");
        body.push_str(&String::from_utf8(to_json(&error)?).unwrap_or_default());
        body.push(',');
    }
    body.push_str("\"result\":");
    results.push(&mut body, 0, outcome);
    body.push('}');
    Ok(StoredResponse { status: status.as_u16(), body, replayed: false })
}
