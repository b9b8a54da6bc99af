//! Sorting with one sort for all types.
//!
//! Each type that `slice::sort` sorts is another copy of it in the program, some kilobytes of the
//! Worker's module. Here the places of the items are sorted, which are numbers whatever the items are.

use std::cmp::Ordering;

/// The items in the order of `compare`; equal ones keep theirs.
///
/// ```
/// use matterbook_core::order::sorted_by;
/// assert_eq!(sorted_by(vec!["bb", "a", "ab"], |one, other| one.len().cmp(&other.len())), ["a", "bb", "ab"]);
/// ```
#[must_use]
pub fn sorted_by<T>(items: Vec<T>, compare: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    if items.is_sorted_by(|one, other| compare(one, other).is_le()) {
        return items;
    }
    let places = sorted_places(items.len(), &|one, other| match (items.get(one), items.get(other)) {
        (Some(one), Some(other)) => compare(one, other),
        _ => Ordering::Equal,
    });
    let mut items: Vec<_> = items.into_iter().map(Some).collect();
    places.into_iter().filter_map(|place| items.get_mut(place)?.take()).collect()
}

/// The items in ascending order, each once.
///
/// ```
/// use matterbook_core::order::distinct;
/// assert_eq!(distinct(["b", "a", "b"]), ["a", "b"]);
/// ```
#[must_use]
pub fn distinct<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items = sorted_by(items.into_iter().collect(), T::cmp);
    items.dedup();
    items
}

fn sorted_places(length: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..length).collect();
    places.sort_unstable_by(|one, other| compare(*one, *other).then(one.cmp(other)));
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_in_order_and_equal_ones_keep_theirs() {
        let items: Vec<(u32, u32)> = (0..500).map(|index| (index * 7_919 % 13, index)).collect();
        let mut expected = items.clone();
        expected.sort();
        assert_eq!(sorted_by(items, |one, other| one.0.cmp(&other.0)), expected);
        assert!(distinct(Vec::<u32>::new()).is_empty());
        assert_eq!(distinct([3, 1, 3, 2, 1]), [1, 2, 3]);
    }
}
