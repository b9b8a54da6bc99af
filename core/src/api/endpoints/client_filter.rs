//! The filters of `GET /clients` as query parameters (rules V8 and V12).

use smol_str::SmolStr;

use crate::{
    api::{error::ApiError, query::Query},
    client::Field,
    matching::fold_name,
    normalize::{self, Problem},
    store::ClientFilter,
};

/// First and last name of the greatest length, and a space.
const NAME_LENGTH_MAX: usize = 401;

/// The filters of a request. Each value is read as the field of a client is, so that any way to write a phone
/// number finds it.
pub(in crate::api) fn read(query: &Query) -> Result<ClientFilter, ApiError> {
    let invalid = |name: &str, problem: Problem| ApiError::invalid(format!("{name} {problem}."));
    let field = |field: Field, read: Read| {
        let text = query.text(field.name());
        // An unescaped `+` was decoded to a space.
        let phone = text.filter(|_| field == Field::Phone).and_then(|text| text.strip_prefix(' '));
        let value = phone.map(|digits| format!("+{digits}")).or_else(|| text.map(str::to_owned));
        read(&value.as_deref().into()).map_err(|problem| invalid(field.name(), problem))
    };
    let name =
        normalize::text(&query.text("name").into(), NAME_LENGTH_MAX).map_err(|problem| invalid("name", problem))?;
    let name = name.map(|name| fold_name(&name));
    if name.as_ref().is_some_and(SmolStr::is_empty) {
        return Err(ApiError::invalid("name must have a letter or a digit."));
    }
    Ok(ClientFilter {
        id: None,
        external_id: field(Field::ExternalId, normalize::external_id)?,
        email: field(Field::Email, normalize::email)?,
        phone: field(Field::Phone, normalize::phone)?,
        name,
    })
}

type Read = fn(&normalize::FieldValue<'_>) -> Result<Option<SmolStr>, Problem>;

/// Refuses a filter that is given and differs from the cursor's (rule C4).
pub(in crate::api) fn check(given: &ClientFilter, of_cursor: &ClientFilter) -> Result<(), ApiError> {
    let agrees = |given: &Option<SmolStr>, of_cursor: &Option<SmolStr>| given.is_none() || given == of_cursor;
    check_each([
        ("external_id", agrees(&given.external_id, &of_cursor.external_id)),
        ("email", agrees(&given.email, &of_cursor.email)),
        ("phone", agrees(&given.phone, &of_cursor.phone)),
        ("name", agrees(&given.name, &of_cursor.name)),
    ])
}

/// Each parameter's name, and whether it is absent or equal to the cursor's.
pub(super) fn check_each(parameters: impl IntoIterator<Item = (&'static str, bool)>) -> Result<(), ApiError> {
    let differing = parameters.into_iter().find(|(_, agrees)| !agrees);
    differing.map_or(Ok(()), |(name, _)| {
        Err(ApiError::invalid(format!(
            "{name} differs from the cursor's; leave it out or start again without a cursor."
        )))
    })
}
