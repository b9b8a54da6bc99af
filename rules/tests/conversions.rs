//! What a newcomer has in hand becomes a value of the rules in one line.

use std::{borrow::Cow, collections::BTreeMap, error::Error, rc::Rc, sync::Arc};

use matterbook_rules::{
    Email, ExternalId, Phone, SmolStr, UsState, Zip,
    chrono::NaiveDate,
    client::{ClientFields, ClientInput, Field, stored_value},
    normalize::{self, FieldValue, Problem},
};

/// The ZIP of any value, as a library's user asks for it.
fn zip<'a>(value: impl Into<FieldValue<'a>>) -> Option<Zip> {
    Zip::read(value).unwrap()
}

#[test]
fn texts_of_every_kind_are_values() {
    let text = String::from("2134");
    let expected = zip("02134");
    assert_eq!(zip("2134"), expected);
    assert_eq!(zip(&text), expected);
    assert_eq!(zip(text.clone()), expected);
    assert!(["2134"].iter().all(|text| zip(text) == expected));
    assert_eq!(zip(Cow::Borrowed("2134")), expected);
    assert!([Cow::Borrowed("2134")].iter().all(|text| zip(text) == expected));
    assert_eq!(zip(text.clone().into_boxed_str()), expected);
    assert_eq!(zip(Arc::<str>::from("2134")), expected);
    assert_eq!(zip(Rc::<str>::from("2134")), expected);
    assert_eq!(zip(SmolStr::new("2134")), expected);
    assert!([SmolStr::new("2134")].iter().all(|text| zip(text) == expected));
    assert_eq!(zip(&expected), expected);
    assert_eq!(normalize::boolean(&'y'.into()), Ok(Some(true)));
}

#[test]
fn numbers_of_every_kind_are_values() {
    let expected = zip("02134");
    assert_eq!(zip(2134), expected);
    assert_eq!(zip(2134_i16), expected);
    assert_eq!(zip(2134_u16), expected);
    assert_eq!(zip(2134_u32), expected);
    assert_eq!(zip(2134_i64), expected);
    assert_eq!(zip(2134_u64), expected);
    assert_eq!(zip(2134_usize), expected);
    assert!([2134].iter().all(|number| zip(number) == expected));
    assert_eq!(zip(2134.0), expected);
    assert_eq!(zip(2134.0_f32), expected);
    assert_eq!(ExternalId::read(u128::MAX).unwrap().unwrap().as_str(), u128::MAX.to_string());
    assert_eq!(ExternalId::read(i8::MIN).unwrap().unwrap(), "-128");
}

#[test]
fn a_float_that_may_have_lost_digits_is_refused() {
    for float in [0.5, -0.25, 9_007_199_254_740_992.0, 1e300, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(ExternalId::read(float).is_err(), "{float}");
    }
    assert!(ExternalId::read(16_777_216.0_f32).is_err());
    assert_eq!(ExternalId::read(9_007_199_254_740_991.0).unwrap().unwrap(), "9007199254740991");
    assert_eq!(ExternalId::read(f32::NAN), Ok(None));
}

#[test]
fn what_may_be_missing_is_a_value() {
    let row = BTreeMap::from([("zip", "2134".to_owned())]);
    assert_eq!(zip(row.get("zip")), zip("02134"));
    assert_eq!(zip(row.get("plz")), None);
    assert!([Some("2134".to_owned())].iter().all(|text| zip(text) == zip("02134")));
    assert_eq!(zip(None::<String>), None);
    assert_eq!(zip(()), None);
    assert_eq!(normalize::boolean(&Some(true).into()), Ok(Some(true)));
}

#[test]
fn dates_and_json_are_values() {
    let date = NaiveDate::from_ymd_opt(2026, 1, 5);
    assert_eq!(normalize::date(&date.into()), Ok(date));
    let json = serde_json::json!({"zip": 2134, "state": "Maine", "city": null, "phone": [1], "id": 0.5});
    assert_eq!(zip(&json["zip"]), zip("02134"));
    assert_eq!(normalize::state(&json["state"].clone().into()), Ok(Some("ME".into())));
    assert_eq!(normalize::text(&(&json["city"]).into(), 9), Ok(None));
    assert!(Phone::read(&json["phone"]).is_err() && ExternalId::read(&json["id"]).is_err());
}

#[test]
fn types_are_made_by_parse_by_try_from_and_by_serde() -> Result<(), Box<dyn Error>> {
    let email: Email = "Ana@Example.COM".parse()?;
    assert_eq!(email, "Ana@example.com");
    assert_eq!(Phone::try_from("(617) 555-0142")?.to_string(), "+16175550142");
    assert_eq!(UsState::try_from(String::from("Texas"))?.code(), "TX");
    assert_eq!("address_line1".parse::<Field>()?.to_string(), "address_line1");
    let typed: (Zip, UsState, ExternalId) = serde_json::from_str(r#"[2134, "new york", 7]"#)?;
    assert_eq!(serde_json::to_string(&typed)?, r#"["02134","NY","7"]"#);
    assert_eq!("".parse::<Zip>(), Err(Problem::REQUIRED));
    Ok(())
}

#[test]
fn a_client_is_made_without_json() -> Result<(), Box<dyn Error>> {
    let fields = ClientFields::builder().first_name("Ana").zip(2134).do_not_mail("yes").build()?;
    let input = ClientInput::from(fields.clone());
    assert_eq!(input.fields, fields);
    assert_eq!(fields.get(Field::Zip).as_deref(), Some("02134"));
    let stored = stored_value(Field::Zip, &2134.into())?.map(FieldValue::from);
    assert_eq!(stored, Some("02134".into()));
    Ok(())
}
