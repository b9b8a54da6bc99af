//! Email addresses (rules N31 and N32).

use alloc::format;

use smol_str::{SmolStr, StrExt as _};

use super::{Field, FieldValue, Problem, ProblemKind};

const FORM: Problem = Problem::fixed(ProblemKind::EmailFormat, "must be one email address such as name@example.com");

/// The most characters before the `@` (RFC 5321).
const LOCAL_MAX_LENGTH: usize = 64;

/// An email address, its domain in lower case: the grammar of the HTML living standard, with a dot
/// in the domain, at most 64 characters before the `@` and 320 in all. The part before the `@`
/// stays as written.
///
/// # Errors
/// When the value is not a string, or not such an address.
///
/// ```
/// use matterbook_rules::normalize::{FieldValue, email};
/// let stored = email(&FieldValue::from("Jane.Doe@EXAMPLE.COM"));
/// assert_eq!(stored, Ok(Some("Jane.Doe@example.com".into())));
/// assert!(email(&FieldValue::from("Jane Doe <jane@example.com>")).is_err());
/// ```
#[doc(alias = "email address")]
#[doc(alias = "validate email")]
pub fn email(value: &FieldValue<'_>) -> Result<Option<SmolStr>, Problem> {
    let Some(text) = value.trimmed_text(Problem::NOT_A_STRING)? else { return Ok(None) };
    if text.len() > Field::EMAIL_MAX_LENGTH {
        let length = text.chars().count();
        if length > Field::EMAIL_MAX_LENGTH {
            return Err(Problem::too_long(Field::EMAIL_MAX_LENGTH, length));
        }
    }
    let local_length = text.bytes().take_while(|byte| is_local(*byte)).count();
    let Some((local, rest)) = text.split_at_checked(local_length) else { return Err(FORM) };
    let Some(domain) = rest.strip_prefix('@').filter(|domain| is_domain(domain)) else { return Err(FORM) };
    if local.is_empty() {
        return Err(FORM);
    }
    if local.len() > LOCAL_MAX_LENGTH {
        return Err(Problem::counted(
            ProblemKind::TooLong,
            format!("must have at most {LOCAL_MAX_LENGTH} characters before the @, but has {}", local.len()),
        ));
    }
    if !domain.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return Ok(Some(text.into()));
    }
    Ok(Some(SmolStr::from_iter([local, "@", &domain.to_ascii_lowercase_smolstr()])))
}

const fn is_local(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'.' | b'!' | b'#'..=b'\'' | b'*' | b'+' | b'/' | b'=' | b'?' | b'^'..=b'`' | b'{'..=b'~' | b'-')
}

/// At least two labels of 1 to 63 letters, digits and inner hyphens.
fn is_domain(domain: &str) -> bool {
    let mut labels = 0;
    domain.as_bytes().split(|byte| *byte == b'.').inspect(|_| labels += 1).all(is_label) && labels > 1
}

fn is_label(label: &[u8]) -> bool {
    (1..=63).contains(&label.len())
        && label.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
        && label.first() != Some(&b'-')
        && label.last() != Some(&b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: impl Into<FieldValue<'static>>, expected: Result<Option<&str>, &str>) {
        let value = value.into();
        let found = email(&value);
        let found = found.as_ref().map(Option::as_deref).map_err(|problem| problem.sentence());
        assert_eq!(found, expected, "{value:?}");
    }

    #[test]
    fn every_character_of_the_grammar_is_allowed_before_the_at() {
        check("azAZ09.!#$%&'*+/=?^_`{|}~-@Example.Com", Ok(Some("azAZ09.!#$%&'*+/=?^_`{|}~-@example.com")));
        for refused in ['"', '(', ')', ',', ':', ';', '<', '>', '@', '[', '\\', ']', ' ', '\0', 'é'] {
            let text = format!("a{refused}b@example.com");
            let problem = email(&FieldValue::from(text.as_str())).map_err(|problem| problem.to_string());
            assert_eq!(problem, Err("must be one email address such as name@example.com".to_owned()), "{text:?}");
        }
    }

    #[test]
    fn a_domain_has_a_dot_and_well_formed_labels() {
        for text in [
            "jane@localhost",
            "jane@a..b",
            "jane@.a.b",
            "jane@a.b.",
            "jane@-a.b",
            "jane@a-.b",
            "jane@a_b.c",
            "jane@bücher.de",
        ] {
            check(text, Err("must be one email address such as name@example.com"));
        }
        check("jane@xn--bcher-kva.de", Ok(Some("jane@xn--bcher-kva.de")));
        let label = "d".repeat(63);
        assert!(email(&FieldValue::from(format!("a@{label}.com").as_str())).is_ok());
        assert!(email(&FieldValue::from(format!("a@{label}d.com").as_str())).is_err());
    }

    #[test]
    fn lengths_are_limited_before_the_at_and_in_all() {
        let local = "l".repeat(64);
        assert!(email(&FieldValue::from(format!("{local}@example.com").as_str())).is_ok());
        let text = format!("{local}l@example.com");
        let problem = email(&FieldValue::from(text.as_str())).map_err(|problem| problem.to_string());
        assert_eq!(problem, Err("must have at most 64 characters before the @, but has 65".to_owned()));
        let domain = vec!["d".repeat(63); 4].join(".");
        assert_eq!(format!("{local}@{domain}").len(), 320);
        assert!(email(&FieldValue::from(format!("{local}@{domain}").as_str())).is_ok());
        let problem =
            email(&FieldValue::from(format!("{local}@{domain}.c").as_str())).map_err(|problem| problem.to_string());
        assert_eq!(problem, Err("must have at most 320 characters, but has 322".to_owned()));
    }

    #[test]
    fn only_strings_are_addresses() {
        check(123_i64, Err("must be a string"));
        check(" ", Ok(None));
    }
}
