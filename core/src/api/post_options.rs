//! `dry_run` and `explain`, the parameters of both POSTs (rules X1 to X9).

use super::{
    error::ApiError,
    query::{OF_POSTS, Query},
};

/// The two parameters of a POST.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PostOptions {
    /// `dry_run`: the same answer, but nothing is saved.
    pub(crate) dry_run: bool,
    /// `explain`: each result has an explanation.
    pub(crate) explain: bool,
}

impl PostOptions {
    /// Reads the query string of a POST.
    pub(crate) fn read(query: Option<&str>) -> Result<Self, ApiError> {
        let query = Query::parse(query, &OF_POSTS)?;
        Ok(Self { dry_run: query.flag("dry_run")?, explain: query.flag("explain")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_true_false_or_absent() {
        let both = |dry_run, explain| Ok(PostOptions { dry_run, explain });
        let refused = |message: &str| Err(message.to_owned());
        for (query, expected) in [
            ("", both(false, false)),
            ("dry_run=true", both(true, false)),
            ("explain=true", both(false, true)),
            ("explain=true&dry_run=true", both(true, true)),
            ("dry_run=false&explain=&x=1", both(false, false)),
            ("%64ry_run=%74rue", both(true, false)),
            ("dry_run=1", refused("dry_run must be true or false.")),
            ("explain=TRUE", refused("explain must be true or false.")),
            ("dry_run=true&dry_run=true", refused("dry_run is given twice; give it once.")),
            ("explain=&explain=true", refused("explain is given twice; give it once.")),
        ] {
            let found = PostOptions::read(Some(query)).map_err(|error| error.message.into_owned());
            assert_eq!(found, expected, "{query}");
        }
    }
}
