//! Sorting with one sort for all types.
//!
//! Each type that `slice::sort` sorts is another copy of it in the program, some kilobytes of the
//! Worker's module. Here the places of the items are sorted, which are numbers whatever the items are.

use std::{cmp::Ordering, mem::swap};

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

/// Runs that are in order are merged in pairs, at first of one place each. The standard library's sort is
/// quicker where comparing is, and ten times the code.
fn sorted_places(length: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..length).collect();
    let mut merged = Vec::with_capacity(length);
    let mut run = 1;
    while run < length {
        for pair in places.chunks(2 * run) {
            let (mut left, mut right) = pair.split_at(run.min(pair.len()));
            while let (Some((first, after_first)), Some((second, after_second))) =
                (left.split_first(), right.split_first())
            {
                if compare(*first, *second).is_le() {
                    merged.push(*first);
                    left = after_first;
                } else {
                    merged.push(*second);
                    right = after_second;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        swap(&mut places, &mut merged);
        merged.clear();
        run *= 2;
    }
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
