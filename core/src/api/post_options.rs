//! `dry_run`, `explain` and `plan`, the parameters of both POSTs (rules X1 to X18).

use super::{
    error::ApiError,
    query::{OF_POSTS, Query},
};

/// The parameters of a POST.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PostOptions {
    /// `dry_run`: the same answer, but nothing is saved.
    pub(crate) dry_run: bool,
    /// `explain`: each result has an explanation.
    pub(crate) explain: bool,
    /// `plan`: it is saved only with the results of the dry run that gave this text.
    pub(crate) plan: Option<String>,
}

impl PostOptions {
    /// Reads the query string of a POST.
    pub(crate) fn read(query: Option<&str>) -> Result<Self, ApiError> {
        let query = Query::parse(query, &OF_POSTS)?;
        let (dry_run, explain) = (query.flag("dry_run")?, query.flag("explain")?);
        let plan = query.text("plan").map(str::to_owned);
        if dry_run && plan.is_some() {
            return Err(ApiError::invalid("dry_run makes a plan and plan keeps to one; send one of them."));
        }
        Ok(Self { dry_run, explain, plan })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flags_are_true_false_or_absent_and_a_plan_excludes_a_dry_run() {
        let both = |dry_run, explain| Ok(PostOptions { dry_run, explain, plan: None });
        let planned = |plan: &str| Ok(PostOptions { plan: Some(plan.to_owned()), ..PostOptions::default() });
        let refused = |message: &str| Err(message.to_owned());
        for (query, expected) in [
            ("", both(false, false)),
            ("dry_run=true", both(true, false)),
            ("explain=true", both(false, true)),
            ("explain=true&dry_run=true", both(true, true)),
            ("dry_run=false&explain=&x=1", both(false, false)),
            ("%64ry_run=%74rue", both(true, false)),
            ("plan=abc&dry_run=false", planned("abc")),
            ("plan=", both(false, false)),
            ("plan=abc&dry_run=true", refused("dry_run makes a plan and plan keeps to one; send one of them.")),
            ("plan=a&plan=a", refused("plan is given twice; give it once.")),
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
