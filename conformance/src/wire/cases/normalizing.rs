//! Every field's rule over the wire: a sample of what is kept, repaired, counted as blank and
//! refused. The project's own tests hold every rule in full.

use serde_json::{Value, json};

use crate::wire::{CaseResult, Failure, Firm, Service};

cases! { "normalizing":
    "N14, N15, N16" => state,
    "N17, N18, N19, N20" => zip,
    "N21, N22, N23, N24, N25, N26, N37" => phone,
    "N27, N28, N29" => dates,
    "N31, N32" => email,
    "N36" => do_not_mail,
    "N33, N34" => external_id_keeps_every_digit,
    "N2, N3, N5, N12, N13" => texts_are_kept_as_written,
    "N4, N5" => texts_have_no_control_characters_and_a_length_limit,
    "N6" => half_a_surrogate_pair_is_that_clients_error,
    "E9, H27" => every_json_type_in_every_field_gives_a_result,
}

/// What becomes of a value.
enum Becomes {
    Kept(Value),
    Blank,
    Refused,
}
use Becomes::{Blank, Kept, Refused};

/// Posts each JSON token as `field` of a client of its own, in one batch, and reads them back.
fn check(service: &dyn Service, field: &str, rows: &[(&str, Becomes)]) -> CaseResult {
    let firm = Firm::open(service)?;
    let clients: Vec<String> = rows
        .iter()
        .enumerate()
        .map(|(index, (token, _))| match field {
            "external_id" => format!("{{\"last_name\":\"Row {index}\",\"external_id\":{token}}}"),
            "last_name" => format!("{{\"external_id\":\"row {index}\",\"first_name\":\"F\",\"last_name\":{token}}}"),
            _ => format!("{{\"external_id\":\"row {index}\",\"last_name\":\"Ray\",\"{field}\":{token}}}"),
        })
        .collect();
    let request = firm.request("POST", "/clients").json_text(&format!("{{\"clients\":[{}]}}", clients.join(",")));
    let answer = firm.send(&request)?.ok()?;
    for (index, (token, becomes)) in rows.iter().enumerate() {
        let result = format!("/results/{index}");
        let expected = match becomes {
            Refused => {
                let refused = answer.at(&format!("{result}/status")) == &json!("error")
                    && answer.text(&format!("{result}/message")).is_ok_and(|message| message.contains(field));
                if !refused {
                    let came = answer.at(&result).to_string();
                    return Err(Failure::new(format!("{field}: {token}"), "an error that names the field", came));
                }
                continue;
            }
            Kept(value) => value.clone(),
            Blank if field == "do_not_mail" => json!(false),
            Blank => Value::Null,
        };
        let came = match answer.text(&format!("{result}/id")) {
            Ok(id) => firm.show(&id)?[field].clone(),
            Err(_) => answer.at(&result).clone(),
        };
        if came != expected {
            return Err(Failure::new(format!("{field}: {token}"), expected.to_string(), came.to_string()));
        }
    }
    Ok(())
}

fn kept(text: &str) -> Becomes {
    Kept(json!(text))
}

fn state(service: &dyn Service) -> CaseResult {
    check(
        service,
        "state",
        &[
            (r#""NY""#, kept("NY")),
            (r#""ny""#, kept("NY")),
            (r#"" new   york ""#, kept("NY")),
            (r#""N.Y.""#, kept("NY")),
            (r#""Massachusetts""#, kept("MA")),
            (r#""District of Columbia""#, kept("DC")),
            (r#""PR""#, kept("PR")),
            (r#""AP""#, kept("AP")),
            (r#""""#, Blank),
            ("null", Blank),
            (r#""ﬂ""#, Refused),
            (r#""XX""#, Refused),
            (r#""New York NY""#, Refused),
            (r#""Ontario""#, Refused),
            ("36", Refused),
        ],
    )
}

fn zip(service: &dyn Service) -> CaseResult {
    check(
        service,
        "zip",
        &[
            (r#""62704""#, kept("62704")),
            ("62704", kept("62704")),
            (r#""62704-1234""#, kept("62704-1234")),
            (r#""627041234""#, kept("62704-1234")),
            (r#""62704 – 1234""#, kept("62704-1234")),
            (r#""2139""#, kept("02139")),
            ("2139", kept("02139")),
            (r#""2139.0""#, kept("02139")),
            (r#"" ""#, Blank),
            (r#""213""#, Refused),
            (r#""627041""#, Refused),
            (r#""21391234""#, Refused),
            (r#""6270A""#, Refused),
            (r#""٦٢٧٠٤""#, Refused),
            ("true", Refused),
            ("-62704", Refused),
        ],
    )
}

fn phone(service: &dyn Service) -> CaseResult {
    check(
        service,
        "phone",
        &[
            (r#""(217) 555-0123""#, kept("+12175550123")),
            ("2175550123", kept("+12175550123")),
            (r#""1-217-555-0123""#, kept("+12175550123")),
            (r#""+47 12 34 56 78""#, kept("+4712345678")),
            (r#""011 44 20 7946 0958""#, kept("+442079460958")),
            (r#""217-555-0123 ext. 45""#, kept("+12175550123")),
            (r#""2175550123.0""#, kept("+12175550123")),
            (r#""Cell: 217.555.0123""#, kept("+12175550123")),
            (r#""\t""#, Blank),
            (r#""555-0123""#, Refused),
            (r#""1234567890123456""#, Refused),
            (r#""217-555-0123/0124""#, Refused),
            (r#""217-555-0123 or 0124""#, Refused),
            (r#""0000000000""#, Refused),
            (r#""217/555/0123""#, kept("+12175550123")),
            (r#""217 CALL NOW 0123456""#, Refused),
            ("[]", Refused),
        ],
    )
}

fn dates(service: &dyn Service) -> CaseResult {
    for field in ["opened_on", "settled_on"] {
        check(
            service,
            field,
            &[
                (r#""2024-01-15""#, kept("2024-01-15")),
                (r#""01/15/2024""#, kept("2024-01-15")),
                (r#""1/5/2024""#, kept("2024-01-05")),
                (r#""Jan 15, 2024""#, kept("2024-01-15")),
                (r#""january 5 2024""#, kept("2024-01-05")),
                (r#""SEP. 5, 2024""#, kept("2024-09-05")),
                (r#""2024-02-29""#, kept("2024-02-29")),
                (r#""2024-01-15T23:30:00-08:00""#, kept("2024-01-15")),
                (r#""""#, Blank),
                (r#""2023-02-29""#, Refused),
                (r#""01/15/24""#, Refused),
                (r#""2024-13-01""#, Refused),
                (r#""1899-12-31""#, Refused),
                (r#""2101-01-01""#, Refused),
                (r#""soon""#, Refused),
                ("20240115", Refused),
            ],
        )?;
    }
    Ok(())
}

fn email(service: &dyn Service) -> CaseResult {
    check(
        service,
        "email",
        &[
            (r#"" Ada.Reyes@Example.COM ""#, kept("Ada.Reyes@example.com")),
            (r#""a+b@mail.example.org""#, kept("a+b@mail.example.org")),
            (r#""""#, Blank),
            (r#""nobody""#, Refused),
            (r#""a@b""#, Refused),
            (r#""a b@example.com""#, Refused),
            (r#""a@example..com""#, Refused),
            (r#""a@b@example.com""#, Refused),
            ("1", Refused),
        ],
    )?;
    let local = |length: usize| format!("\"{}@example.com\"", "a".repeat(length));
    check(service, "email", &[(&local(65), Refused), (&local(330), Refused)])
}

fn do_not_mail(service: &dyn Service) -> CaseResult {
    let rows = |tokens: &[&'static str], becomes: fn() -> Becomes| -> Vec<(&'static str, Becomes)> {
        tokens.iter().map(|token| (*token, becomes())).collect()
    };
    let mut all =
        rows(&["true", r#""yes""#, r#""Y""#, r#""TRUE""#, r#""t""#, r#""1""#, r#"" On ""#], || Kept(json!(true)));
    all.extend(rows(&["false", r#""no""#, r#""N""#, r#""f""#, r#""0""#, r#""OFF""#], || Kept(json!(false))));
    all.extend(rows(&["null", r#""""#, r#""  ""#], || Blank));
    all.extend(rows(&["1", "0", r#""maybe""#, r#""x""#, "[]", "{}"], || Refused));
    check(service, "do_not_mail", &all)
}

fn external_id_keeps_every_digit(service: &dyn Service) -> CaseResult {
    check(
        service,
        "external_id",
        &[
            (r#""A-17""#, kept("A-17")),
            (r#""a-17""#, kept("a-17")),
            (r#""  B 18 ""#, kept("B 18")),
            (r#""007""#, kept("007")),
            ("42", kept("42")),
            ("0", kept("0")),
            ("-5", kept("-5")),
            ("9007199254740993", kept("9007199254740993")),
            ("18446744073709551616", kept("18446744073709551616")),
            ("123456789012345678901234567890123456789", kept("123456789012345678901234567890123456789")),
            (r#""  ""#, Blank),
            ("1.5", Refused),
            ("1.0", Refused),
            ("1e3", Refused),
            ("true", Refused),
            ("[1]", Refused),
        ],
    )
}

fn texts_are_kept_as_written(service: &dyn Service) -> CaseResult {
    for field in ["first_name", "last_name", "address_line1", "address_line2", "city", "case_type"] {
        check(
            service,
            field,
            &[
                (r#""  O'Brien-Smith,  JR.  ""#, kept("O'Brien-Smith,  JR.")),
                (r#""\u200b\ufeffMuñoz\u00a0""#, kept("Muñoz")),
                (r#""Zoe\u0308""#, kept("Zoë")),
                (r#""राम""#, kept("राम")),
                (r#""😀""#, kept("😀")),
                (r#""\u2066""#, Blank),
                ("7", Refused),
                ("false", Refused),
                ("{}", Refused),
            ],
        )?;
    }
    check(service, "address_line1", &[(r#""12 Elm St\n\tRear""#, kept("12 Elm St\n\tRear"))])
}

fn texts_have_no_control_characters_and_a_length_limit(service: &dyn Service) -> CaseResult {
    for (field, limit) in [
        ("first_name", 200),
        ("last_name", 200),
        ("address_line1", 300),
        ("address_line2", 300),
        ("city", 200),
        ("case_type", 200),
        ("external_id", 200),
    ] {
        let longest = "é".repeat(limit);
        let too_long = json!("x".repeat(limit + 1)).to_string();
        check(
            service,
            field,
            &[
                (&json!(longest).to_string(), kept(&longest)),
                (&too_long, Refused),
                (r#""a\u0000b""#, Refused),
                (r#""a\u001bb""#, Refused),
            ],
        )?;
        // Length is counted after trimming.
        check(service, field, &[(&json!(format!("  {longest}\t")).to_string(), kept(&longest))])?;
        let firm = Firm::open(service)?;
        let mut client = json!({"last_name": "Ray"});
        client[field] = json!("x".repeat(limit + 7));
        firm.post_client(&client, "error")?
            .expect_words("/results/0/message", &[field, &limit.to_string(), &(limit + 7).to_string()])?;
    }
    Ok(())
}

fn half_a_surrogate_pair_is_that_clients_error(service: &dyn Service) -> CaseResult {
    for field in ["first_name", "address_line1", "city", "case_type", "external_id", "state", "zip", "email", "phone"] {
        check(service, field, &[(r#""a\ud800b""#, Refused), (r#""\udc00""#, Refused)])?;
    }
    Ok(())
}

fn every_json_type_in_every_field_gives_a_result(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let fields = [
        "first_name",
        "last_name",
        "address_line1",
        "address_line2",
        "city",
        "state",
        "zip",
        "email",
        "phone",
        "case_type",
        "opened_on",
        "settled_on",
        "external_id",
        "do_not_mail",
        "new_settlement",
    ];
    let tokens = [
        "null",
        "true",
        "false",
        "0",
        "-0",
        "1e400",
        "-1.5E-7",
        "123456789012345678901234567890",
        "\"\"",
        "\"\\u0000\"",
        "\"\\ud83d\"",
        "[]",
        "[[[[]]]]",
        "{}",
        "{\"a\":{\"b\":[1]}}",
        "\"NaN\"",
    ];
    for field in fields {
        let clients: Vec<String> =
            tokens.iter().map(|token| format!("{{\"first_name\":\"Ray\",\"{field}\":{token}}}")).collect();
        let text = format!("{{\"clients\":[{}]}}", clients.join(","));
        let answer = firm.send(&firm.request("POST", "/clients").json_text(&text))?.ok()?;
        if answer.array("/results")?.len() != tokens.len() {
            return Err(answer.failure("one result for each client"));
        }
    }
    Ok(())
}
