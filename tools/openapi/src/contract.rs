//! Checks a response against the documents: its status, headers and body.
//!
//! Callers ignore unknown members. This check refuses them, because an unknown member is missing in the
//! document.

use std::collections::HashMap;

use http::{HeaderMap, Method, Uri};
use jsonschema::{Draft, Validator};
use serde_json::{Map, Value, json};

use crate::documents;

/// What one document describes.
struct Promises {
    paths: Map<String, Value>,
    components: Value,
    answers: HashMap<String, Validator>,
    requests: HashMap<String, Validator>,
}

/// Both documents, compiled for checks.
pub struct Contract {
    documents: Vec<Promises>,
}

/// A request and its response.
#[derive(Clone, Copy, Debug)]
pub struct Sent<'a> {
    /// The method, as sent.
    pub method: &'a str,
    /// Path and query, as sent, optionally with scheme and host.
    pub target: &'a str,
    /// The request's body.
    pub body: &'a [u8],
    /// The response's status.
    pub status: u16,
    /// The response's headers.
    pub headers: &'a HeaderMap,
    /// The response's body.
    pub answer: &'a [u8],
}

/// Headers of HTTP itself, which an API document does not describe.
const OF_TRANSPORT: [&str; 5] = ["content-type", "content-length", "transfer-encoding", "connection", "date"];

impl Contract {
    /// Reads the current documents.
    ///
    /// # Errors
    /// When a document is invalid, or one of its schemas.
    pub fn read() -> Result<Self, String> {
        let documents = documents().map(|document| {
            let value = serde_json::from_str(&document.text).map_err(|error| error.to_string())?;
            Promises::of(&value).map_err(|problem| format!("{}: {problem}", document.path))
        });
        Ok(Self { documents: documents.into_iter().collect::<Result<_, String>>()? })
    }

    /// Checks a response against the documents, and also the request if the response is 200.
    ///
    /// # Errors
    /// What the documents do not describe.
    ///
    /// ```
    /// use http::HeaderMap;
    /// use matterbook_openapi::{Contract, Sent};
    /// let contract = Contract::read()?;
    /// let headers = HeaderMap::new();
    /// let (body, answer) = (b"".as_slice(), b"".as_slice());
    /// let teapot = Sent { method: "GET", target: "/api/v1/me", body, status: 418, headers: &headers, answer };
    /// assert_eq!(contract.check(teapot), Err("GET /api/v1/me has no answer 418".to_owned()));
    /// # Ok::<(), String>(())
    /// ```
    pub fn check(&self, sent: Sent<'_>) -> Result<(), String> {
        let uri = sent.target.parse::<Uri>().unwrap_or_default();
        let path = uri.path();
        let found = self.documents.iter().find_map(|promises| Some((promises, promises.path(path)?)));
        let Some((promises, (template, methods))) = found else {
            return self.check_nowhere(sent, path);
        };
        let method = if sent.method == Method::HEAD { "get".to_owned() } else { sent.method.to_lowercase() };
        match methods.get(&method) {
            Some(operation) => promises.check_operation(sent, template, &method, operation),
            None => promises.check_other_method(sent, template, methods),
        }
    }

    /// A path outside the documents must get one of the shared errors, or a page of the viewer.
    fn check_nowhere(&self, sent: Sent<'_>, path: &str) -> Result<(), String> {
        // The pages for people are not part of the API.
        let is_for_people = |path: &str| path == "/" || path == "/docs" || path.starts_with("/docs/");
        if sent.status == 200 && is_for_people(path) {
            return Ok(());
        }
        if sent.status < 400 {
            return Err(format!("no document has {}, and it is answered {}", sent.target, sent.status));
        }
        let is_described = self.documents.iter().any(|promises| promises.check_shared(sent).is_ok());
        if is_described { Ok(()) } else { Err(format!("no document has such an answer {}", sent.status)) }
    }
}

impl Promises {
    fn of(document: &Value) -> Result<Self, String> {
        let paths = document["paths"].as_object().cloned().ok_or("it has no paths")?;
        let components = document["components"].clone();
        let mut closed = components.clone();
        close(&mut closed);
        let names = components["schemas"].as_object().ok_or("it has no schemas")?.keys();
        let mut promises =
            Self { paths, components: components.clone(), answers: HashMap::new(), requests: HashMap::new() };
        for name in names {
            promises.answers.insert(name.clone(), validator(&closed, name, true)?);
            // Blank texts have no format and count as not given.
            promises.requests.insert(name.clone(), validator(&components, name, false)?);
        }
        Ok(promises)
    }

    /// The path template that a path matches, and its methods.
    fn path(&self, path: &str) -> Option<(&str, &Map<String, Value>)> {
        let parts: Vec<_> = path.split('/').collect();
        let is_like = |template: &str| {
            let shape: Vec<_> = template.split('/').collect();
            shape.len() == parts.len()
                && shape.iter().zip(&parts).all(|(shape, part)| shape.starts_with('{') || shape == part)
        };
        let (template, methods) = self.paths.iter().find(|(template, _)| is_like(template))?;
        Some((template, methods.as_object()?))
    }

    fn check_operation(&self, sent: Sent<'_>, path: &str, method: &str, operation: &Value) -> Result<(), String> {
        let at = format!("{} {path}", method.to_uppercase());
        let Some(response) = operation["responses"].get(sent.status.to_string()) else {
            return Err(format!("{at} has no answer {}", sent.status));
        };
        if let (200, Some(schema)) = (sent.status, operation.pointer("/requestBody/content/application~1json/schema")) {
            let body = sent.body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(sent.body);
            if let (Ok(body), Some(validator)) = (serde_json::from_slice(body), self.requests.get(name_of(schema))) {
                valid(validator, &without_refused(body, sent.answer))
                    .map_err(|problem| format!("{at} takes a body that it is not said to: {problem}"))?;
            }
        }
        self.check_response(sent, self.resolve(response)).map_err(|problem| format!("{at} {}: {problem}", sent.status))
    }

    /// A method that the path does not have is 405, unless an earlier check fails.
    fn check_other_method(&self, sent: Sent<'_>, path: &str, methods: &Map<String, Value>) -> Result<(), String> {
        let at = format!("{} {path}", sent.method);
        self.check_shared(sent).map_err(|problem| format!("{at} {}: {problem}", sent.status))?;
        let mut promised: Vec<_> = methods.keys().map(|method| method.to_uppercase()).collect();
        promised.extend(methods.contains_key("get").then(|| "HEAD".to_owned()));
        let allow = sent.headers.get("allow").and_then(|value| value.to_str().ok()).unwrap_or_default();
        let mut allowed: Vec<_> = allow.split(", ").map(str::to_owned).collect();
        promised.sort();
        allowed.sort();
        if sent.status == 405 && allowed != promised {
            return Err(format!("{at} is said to allow {promised:?} and allows {allowed:?}"));
        }
        Ok(())
    }

    /// Checks a response that is an error of any operation.
    fn check_shared(&self, sent: Sent<'_>) -> Result<(), String> {
        let shared = self.components["responses"].as_object().into_iter().flat_map(Map::values);
        let methods = self.paths.values().filter_map(Value::as_object).flat_map(Map::values);
        let responses =
            shared.chain(methods.filter_map(|operation| operation["responses"].as_object()).flat_map(Map::values));
        let of_status = responses.filter(|response| {
            let code = response.pointer("/content/application~1json/examples").and_then(Value::as_object);
            let statuses = code.into_iter().flat_map(Map::values).map(|example| &example["value"]["error"]["code"]);
            let came = serde_json::from_slice(sent.answer).unwrap_or(Value::Null);
            sent.method == Method::HEAD || statuses.into_iter().any(|code| *code == came["error"]["code"])
        });
        let mut problem = format!("no answer with the status {} is like this one", sent.status);
        for response in of_status {
            match self.check_response(sent, response) {
                Ok(()) => return Ok(()),
                Err(difference) => problem = difference,
            }
        }
        Err(problem)
    }

    fn check_response(&self, sent: Sent<'_>, response: &Value) -> Result<(), String> {
        let headers = response["headers"].as_object().cloned().unwrap_or_default();
        for (name, header) in &headers {
            let header = self.resolve(header);
            match sent.headers.get(name).and_then(|value| value.to_str().ok()) {
                Some(text) => self.check_header(name, text, &header["schema"])?,
                None if header["required"] == true => return Err(format!("it has no {name}")),
                None => {}
            }
        }
        for name in sent.headers.keys().map(http::HeaderName::as_str) {
            if !OF_TRANSPORT.contains(&name) && !headers.keys().any(|known| known.eq_ignore_ascii_case(name)) {
                return Err(format!("{name} is not described"));
            }
        }
        if sent.method == Method::HEAD {
            return Ok(());
        }
        let schema = response.pointer("/content/application~1json/schema").ok_or("it has no body")?;
        let validator = self.answers.get(name_of(schema)).ok_or("its schema is unknown")?;
        valid(validator, &serde_json::from_slice(sent.answer).map_err(|error| error.to_string())?)
    }

    fn check_header(&self, name: &str, text: &str, schema: &Value) -> Result<(), String> {
        let value = match schema["type"].as_str() {
            Some("integer") => text.parse::<u64>().map_or(Value::Null, Value::from),
            _ => Value::from(text),
        };
        let validator = jsonschema::draft202012::new(schema).map_err(|error| error.to_string())?;
        valid(&validator, &value).map_err(|problem| format!("{name}: {problem}"))
    }

    fn resolve<'v>(&'v self, value: &'v Value) -> &'v Value {
        let reference = value["$ref"].as_str().and_then(|reference| reference.strip_prefix("#/components"));
        reference.and_then(|pointer| self.components.pointer(pointer)).unwrap_or(value)
    }
}

/// The body of a batch without the elements that the response refuses, for which the documents promise
/// nothing.
fn without_refused(mut body: Value, answer: &[u8]) -> Value {
    let answer: Value = serde_json::from_slice(answer).unwrap_or(Value::Null);
    let statuses = answer["results"].as_array().into_iter().flatten().map(|result| &result["status"]);
    let refused: Vec<bool> = statuses.map(|status| status == "error").collect();
    for elements in body.as_object_mut().into_iter().flat_map(Map::values_mut).filter_map(Value::as_array_mut) {
        if elements.len() == refused.len() {
            let mut refused = refused.iter();
            elements.retain(|_| refused.next() == Some(&false));
        }
        elements.iter_mut().for_each(trim);
    }
    body
}

/// Trims a client's texts: lengths are counted without outer white space, which no schema can express.
fn trim(element: &mut Value) {
    for value in element.as_object_mut().into_iter().flat_map(Map::values_mut) {
        if let Value::String(text) = value {
            *text = text.trim().to_owned();
        }
    }
}

/// The name of the referenced schema.
fn name_of(schema: &Value) -> &str {
    schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()).unwrap_or_default()
}

fn valid(validator: &Validator, value: &Value) -> Result<(), String> {
    validator.validate(value).map_err(|error| format!("{error}, at {:?}", error.instance_path().to_string()))
}

fn validator(components: &Value, name: &str, with_formats: bool) -> Result<Validator, String> {
    let schema = json!({"$ref": format!("#/components/schemas/{name}"), "components": components});
    let options = jsonschema::options().with_draft(Draft::Draft202012).should_validate_formats(with_formats);
    options.build(&schema).map_err(|error| format!("{name}: {error}"))
}

/// Forbids members that the schema does not name.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if members.contains_key("properties") {
                members.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
            members.values_mut().for_each(close);
        }
        Value::Array(values) => values.iter_mut().for_each(close),
        _ => {}
    }
}
