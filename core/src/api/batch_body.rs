//! The body of a batch: an object with one array. Its elements are read one by one, each with its own
//! errors, in one pass over the body.

use super::{
    error::ApiError,
    json_body::{self, malformed},
    limits::BATCH_LIMIT,
    query,
};
use crate::json::{Malformed, Scanner};

/// The member of a body that must be an array.
enum Found<T> {
    Nothing,
    SomethingElse,
    /// The first elements, and the number of all.
    Array(Vec<T>, usize),
}

/// Reads the elements of the array `name` of a body; `read` reads each. `is_of_post` says that the request
/// has the parameters of the public POSTs. As members they are refused (rule H19), because ignoring
/// `dry_run` would save data.
pub(crate) fn read<'a, T>(
    text: &'a str,
    name: &'static str,
    is_of_post: bool,
    mut read: impl FnMut(&mut Scanner<'a>) -> Result<T, Malformed>,
) -> Result<Vec<T>, ApiError> {
    let mut scanner = json_body::object(text)?;
    let mut found = Found::Nothing;
    let mut misplaced: Vec<&str> = Vec::new();
    let read_member = |scanner: &mut Scanner<'a>, member: &str| {
        if member == name {
            found = read_array(scanner, &mut read)?;
            return Ok(());
        }
        if is_of_post {
            misplaced.extend(query::OF_POSTS.iter().filter(|known| **known == member));
        }
        scanner.skip()
    };
    json_body::go_through(&mut scanner, read_member).map_err(|Malformed| malformed())?;
    query::refuse_in_body(|name| misplaced.contains(&name))?;
    match found {
        Found::Nothing => Err(ApiError::invalid(format!("{name} is missing; send {{\"{name}\": […]}}."))),
        Found::SomethingElse => Err(ApiError::invalid(format!("{name} must be an array."))),
        Found::Array(_, count) if count > BATCH_LIMIT => {
            Err(ApiError::invalid(format!("{name} has {count} elements; send at most {BATCH_LIMIT} at once.")))
        }
        Found::Array(elements, _) => Ok(elements),
    }
}

fn read_array<'a, T>(
    scanner: &mut Scanner<'a>,
    read: &mut impl FnMut(&mut Scanner<'a>) -> Result<T, Malformed>,
) -> Result<Found<T>, Malformed> {
    match scanner.peek() {
        Some(b'[') => {}
        Some(b'n') => return scanner.skip().map(|()| Found::Nothing),
        _ => return scanner.skip().map(|()| Found::SomethingElse),
    }
    let mut elements = Vec::with_capacity(BATCH_LIMIT);
    let mut count = 0;
    scanner.array(|scanner| {
        count += 1;
        if elements.len() < BATCH_LIMIT {
            elements.push(read(scanner)?);
            Ok(())
        } else {
            scanner.skip()
        }
    })?;
    Ok(Found::Array(elements, count))
}
