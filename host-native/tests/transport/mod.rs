//! The server over real sockets, with rules that only show what reached them: whatever a caller sends, an
//! answer arrives, and the next caller is served.

mod bodies;
mod connections;
mod requests;
mod service;
