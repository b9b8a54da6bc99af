//! `POST /cases/settled`: marks a case settled, and creates the client if it is new (rules T7 to T10).

use super::results::ResultsWriter;
use crate::{
    api::{
        Api, RequestBody,
        caller::Caller,
        change::{Answering, Submission, response_of},
        error::{ApiError, ErrorCode, ErrorMember},
        idempotency::{self, Idempotency},
        json_body,
        post_options::PostOptions,
        query::{self, FLAGS_OF_POSTS},
        request_context::RequestContext,
        response::{Response, to_json},
        review::Unreadable,
    },
    client::{ClientInput, DO_NOT_MAIL_NOT_SAVED, Reading, parse_client},
    plan::{Batch, UpsertResult},
    platform::Platform,
    rate_limiter::RateLimiter,
    store::{Authority, Store, StoredResponse},
};

impl<S: Store, L: RateLimiter, P: Platform> Api<S, L, P> {
    pub(in crate::api) async fn cases_settled<B: RequestBody>(
        &self,
        context: &RequestContext<'_>,
        caller: &mut Caller,
        body: B,
    ) -> Result<Response, ApiError> {
        let options = PostOptions::read(context.head.uri.query())?;
        let plan = self.plan(&options, caller.account)?;
        let idempotency_key = idempotency::read(&context.head.headers)?.filter(|_| !options.dry_run);
        let text = json_body::read_text(body, self.settings.body_limit_bytes).await?;
        let members = json_body::members(&text, &FLAGS_OF_POSTS)?;
        query::refuse_in_body(|name| members.get(name).is_some())?;
        let client = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let input = parse_client(client).map_err(|error| ApiError::invalid(error.to_string()))?;
        check_identification(&input)?;
        let is_explained = options.explain || plan.is_some_and(|plan| plan.is_explained);
        let readings = is_explained.then(|| vec![Reading::of(client)]);
        let batch = Batch::new(caller.account, vec![Ok(input)], context.mint, true);
        let batch = if is_explained { batch.explained() } else { batch };
        let idempotency = idempotency_key.map(|key| Idempotency::new(key, context.head, options.explain, &text));
        let mode = self.mode(context, caller.account, &options, plan, context.head.uri.path(), &text)?;
        let submission = Submission {
            batch,
            idempotency,
            mode,
            explain: options.explain,
            readings,
            answering: ANSWERING,
            unreadable: Unreadable::default(),
            keeps_review: self.settings.retention.review_days > 0,
            #[cfg(feature = "console")]
            import: None,
        };
        let response = self.submit(context, Authority::Key(caller.key), caller.account, submission).await?;
        self.live(caller, response)
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

const ANSWERING: Answering = Answering { push_results, refusal };

fn push_results(results: &ResultsWriter<'_>, body: &mut String) {
    body.push_str("\"result\":");
    // There is one.
    results.upsert_results().iter().for_each(|outcome| results.push(body, 0, outcome));
}

fn refusal(results: &ResultsWriter<'_>) -> Result<Option<StoredResponse>, ApiError> {
    let outcome =
        results.upsert_results().first().ok_or_else(|| ApiError::internal("a plan of one client has no outcome"))?;
    let conflict = match outcome {
        UpsertResult::Created(_) | UpsertResult::Updated(_) => return Ok(None),
        UpsertResult::Conflict(conflict) => conflict.to_string(),
        UpsertResult::Invalid(error) => return Ok(Some(response_of(ApiError::invalid(error.to_string())))),
        UpsertResult::Nameless { do_not_mail, .. } => {
            let message = "No client has this external_id yet and no name was sent. Send first_name or last_name, and \
                           an address, to add one.";
            let lost = if *do_not_mail { DO_NOT_MAIL_NOT_SAVED } else { "" };
            return Ok(Some(response_of(ApiError::not_found(format!("{message}{lost}")))));
        }
    };
    let error = ErrorMember { code: ErrorCode::Conflict.name(), message: &conflict };
    let mut body = format!("{{\"error\":{},", String::from_utf8(to_json(&error)?).unwrap_or_default());
    push_results(results, &mut body);
    body.push('}');
    Ok(Some(StoredResponse { status: ErrorCode::Conflict.status().as_u16(), body, replayed: false }))
}
