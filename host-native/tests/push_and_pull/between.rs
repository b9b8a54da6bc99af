//! A proxy between a command and a service. It forwards and records requests, and gives its own answer
//! where a test asks for it.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

/// A request that came by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    pub method: String,
    pub path: String,
    pub authorization: String,
    pub idempotency_key: String,
    pub user_agent: String,
    pub body: String,
}

impl Asked {
    pub fn is_batch(&self) -> bool {
        self.method == "POST"
    }

    /// How many clients a batch has.
    pub fn clients(&self) -> usize {
        let body: serde_json::Value = serde_json::from_str(&self.body).expect("JSON");
        body["clients"].as_array().expect("clients").len()
    }
}

/// What is answered.
#[derive(Clone, Debug)]
pub enum Reply {
    Answer {
        status: u16,
        fields: Vec<(&'static str, String)>,
        body: String,
    },
    /// The connection is closed without a word.
    Nothing,
    /// The connection stays open, and nothing comes.
    Silence,
}

impl Reply {
    pub fn new(status: u16, kind: &str, body: &str) -> Self {
        Self::Answer { status, fields: vec![("content-type", kind.to_owned())], body: body.to_owned() }
    }

    pub fn json(status: u16, body: &str) -> Self {
        Self::new(status, "application/json", body)
    }

    /// What `GET /me` answers.
    pub fn account() -> Self {
        Self::json(200, r#"{"account":{"id":"a-1","email":"owner@example.com"}}"#)
    }

    /// Every client of a batch is created.
    pub fn created(asked: &Asked) -> Self {
        let results: Vec<String> = (0..asked.clients())
            .map(|index| format!(r#"{{"index":{index},"status":"created","id":"{index}"}}"#))
            .collect();
        Self::json(200, &format!(r#"{{"results":[{}]}}"#, results.join(",")))
    }
}

/// A listener with an address of its own, until the test ends.
pub struct Between {
    /// `http://127.0.0.1:PORT`
    pub origin: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Between {
    /// Answers each request by `answer`, one after the other.
    pub fn start(mut answer: impl FnMut(&Asked) -> Reply + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let origin = format!("http://{}", listener.local_addr().expect("an address"));
        let asked = Arc::<Mutex<Vec<Asked>>>::default();
        let notes = Arc::clone(&asked);
        thread::spawn(move || {
            let mut silent = Vec::new();
            for stream in listener.incoming().flatten() {
                // A command that was killed leaves half a request.
                let Some(asked) = read(&stream) else { continue };
                notes.lock().expect("no panic").push(asked.clone());
                match answer(&asked) {
                    Reply::Silence => silent.push(stream),
                    reply => {
                        let _ = write(&stream, &reply);
                    }
                }
            }
        });
        Self { origin, asked }
    }

    /// Everything that came by so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("no panic").clone()
    }

    /// The batches that came by so far.
    pub fn batches(&self) -> Vec<Asked> {
        self.asked().into_iter().filter(Asked::is_batch).collect()
    }
}

fn read(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split(' ');
    let mut asked = Asked { method: words.next()?.to_owned(), path: words.next()?.to_owned(), ..Asked::default() };
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "authorization" => asked.authorization = value.to_owned(),
            "idempotency-key" => asked.idempotency_key = value.to_owned(),
            "user-agent" => asked.user_agent = value.to_owned(),
            "content-length" => length = value.parse().ok()?,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    asked.body = String::from_utf8(body).ok()?;
    Some(asked)
}

fn write(mut stream: &TcpStream, reply: &Reply) -> std::io::Result<()> {
    let Reply::Answer { status, fields, body } = reply else { return Ok(()) };
    let mut head = format!("HTTP/1.1 {status} Whatever\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in fields {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    stream.write_all(format!("{head}\r\n{body}").as_bytes())
}

/// Passes a request on to a service, and brings its answer back.
pub fn pass_on(origin: &str, asked: &Asked) -> Reply {
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let mut request = http::Request::builder()
        .method(asked.method.as_str())
        .uri(format!("{origin}{}", asked.path))
        .header("authorization", &asked.authorization);
    if !asked.idempotency_key.is_empty() {
        request = request.header("idempotency-key", &asked.idempotency_key).header("content-type", "application/json");
    }
    let answer = match asked.is_batch() {
        true => agent.run(request.body(asked.body.clone()).expect("a request")),
        false => agent.run(request.body(()).expect("a request")),
    };
    let Ok(mut answer) = answer else { return Reply::Nothing };
    let fields = ["content-type", "retry-after", "x-request-id", "idempotent-replayed"];
    let fields = fields
        .into_iter()
        .filter_map(|name| Some((name, answer.headers().get(name)?.to_str().ok()?.to_owned())))
        .collect();
    let status = answer.status().as_u16();
    Reply::Answer { status, fields, body: answer.body_mut().read_to_string().expect("a body") }
}
