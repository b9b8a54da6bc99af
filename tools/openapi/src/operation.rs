//! One method of one path.

use crate::{
    examples::Examples,
    headers::{OF_LIVE_KEYS, fields},
    node::{Node, object},
    responses::{json, media, references},
};

/// The description of one method of one path.
pub struct Operation {
    /// The name that generated clients use.
    pub id: &'static str,
    pub method: &'static str,
    pub path: &'static str,
    pub tag: &'static str,
    pub summary: &'static str,
    pub description: &'static str,
    /// The components of its parameters.
    pub parameters: &'static [&'static str],
    /// The schema of its body.
    pub body: Option<&'static str>,
    /// Its body may be empty.
    pub body_is_optional: bool,
    /// The schema and the description of its 200.
    pub answer: (&'static str, &'static str),
    /// Headers that only its 200 has.
    pub headers: &'static [&'static str],
    /// The components of its errors.
    pub errors: &'static [&'static str],
    /// Responses that no other operation has: status, schema, description.
    pub own_errors: &'static [(u16, &'static str, &'static str)],
    /// The links from its response to later requests.
    pub links: fn() -> Node,
    /// The security scheme of its requests.
    pub security: Option<&'static str>,
}

impl Operation {
    /// The defaults of an operation.
    pub const EMPTY: Self = Self {
        id: "",
        method: "get",
        path: "",
        tag: "",
        summary: "",
        description: "",
        parameters: &[],
        body: None,
        body_is_optional: false,
        answer: ("", ""),
        headers: &[],
        errors: &[],
        own_errors: &[],
        links: || Node::Null,
        security: None,
    };

    /// The operation in the document's format.
    pub fn node(&self, examples: &Examples) -> Node {
        let mut operation = object! {
            "operationId": self.id,
            "tags": [self.tag],
            "summary": self.summary,
            "description": self.description,
        };
        let security = self.security.map(|scheme| object_of(scheme, Node::array(Vec::<Node>::new())));
        operation = operation.with("security", Node::array(security));
        if !self.parameters.is_empty() {
            let parameters = self.parameters.iter().map(|name| Node::reference("parameters", name));
            operation = operation.with("parameters", Node::array(parameters));
        }
        if let Some(schema) = self.body {
            let content = object! { "application/json": media(Node::schema(schema), examples.requests(self.id)) };
            operation =
                operation.with("requestBody", object! { "required": !self.body_is_optional, "content": content });
        }
        operation.with("responses", self.responses(examples))
    }

    fn responses(&self, examples: &Examples) -> Node {
        let rate: &[&str] = if self.security == Some("apiKey") { &OF_LIVE_KEYS } else { &[] };
        let of_answer = |status: u16, (schema, description): (&str, &str), more: &[&'static str]| {
            let headers = [rate, more].concat();
            json(description, fields(&headers), Node::schema(schema), examples.answers(self.id, status))
        };
        let answer = match (self.links)() {
            Node::Null => of_answer(200, self.answer, self.headers),
            links => of_answer(200, self.answer, self.headers).with("links", links),
        };
        let own = self.own_errors.iter().map(|(status, schema, description)| {
            (status.to_string(), of_answer(*status, (schema, description), self.headers))
        });
        let mut responses: Vec<_> = references(self.errors).chain(own).collect();
        responses.sort_by(|one, other| one.0.cmp(&other.0));
        Node::object([("200".to_owned(), answer)].into_iter().chain(responses))
    }
}

/// The paths of these operations.
pub fn paths(operations: impl IntoIterator<Item = Operation>, examples: &Examples) -> Node {
    let mut paths: Vec<(&str, Vec<(&str, Node)>)> = Vec::new();
    for operation in operations {
        let method = (operation.method, operation.node(examples));
        match paths.iter_mut().find(|(path, _)| *path == operation.path) {
            Some((_, methods)) => methods.push(method),
            None => paths.push((operation.path, vec![method])),
        }
    }
    Node::object(paths.into_iter().map(|(path, methods)| (path, Node::object(methods))))
}

/// An object with one member.
pub fn object_of(name: &str, value: Node) -> Node {
    Node::object([(name, value)])
}
