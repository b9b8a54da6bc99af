//! What holds for any bytes at all: of a body, a value, a cursor, a request.
//!
//! Each function takes bytes and panics where they show a defect. A fuzzer calls them with bytes that it
//! makes up (`tools/fuzz/run`); the tests call them with those of `corpus/`, so that what was found once stays
//! found.

mod body;
mod cursor;
mod normalizers;
mod router;
mod service;

pub use body::body;
pub use cursor::cursor;
pub use normalizers::normalizers;
pub use router::router;
