//! Counts as people read them.

use indicatif::HumanCount;

/// `1 row`, `1,204 rows`.
pub(super) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", HumanCount(number), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_told_from_many() {
        assert_eq!(count(1, "row", "rows"), "1 row");
        assert_eq!(count(1_204, "row", "rows"), "1,204 rows");
    }
}
