//! The rules behind a form in a web page: the page calls [`check`] when the user leaves a field.

use matterbook_rules::{
    client::stored_value,
    normalize::{Field, FieldValue},
};
use wasm_bindgen::prelude::wasm_bindgen;

/// What a rule says of a value.
#[wasm_bindgen(getter_with_clone)]
#[derive(Debug, Default, PartialEq)]
pub struct Checked {
    /// The value to store; none for a blank or refused one.
    pub kept: Option<String>,
    /// What to fix, in words for the user.
    pub problem: Option<String>,
}

/// Checks the text of a field, which is named as in the API. A field that is not known takes any text.
///
/// ```
/// let checked = form::check("phone", "(617) 555-0142");
/// assert_eq!(checked.kept.as_deref(), Some("+16175550142"));
/// ```
#[wasm_bindgen]
#[must_use]
pub fn check(field: &str, text: &str) -> Checked {
    let Some(field) = Field::from_name(field) else {
        return Checked { kept: Some(text.to_owned()), problem: None };
    };
    match stored_value(field, &FieldValue::from(text)) {
        Ok(kept) => Checked { kept: kept.map(|kept| kept.to_string()), problem: None },
        Err(problem) => Checked { kept: None, problem: Some(problem.to_string()) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_kept_blank_or_refused() {
        let kept = |text: &str| Checked { kept: Some(text.to_owned()), problem: None };
        assert_eq!(check("state", "new york"), kept("NY"));
        assert_eq!(check("city", " "), Checked::default());
        assert_eq!(check("zip", "123").kept, None);
        assert!(check("zip", "123").problem.unwrap().starts_with("must have 5 or 9 digits"));
        assert_eq!(check("shoe_size", "9"), kept("9"));
    }
}
