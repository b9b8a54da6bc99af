//! Sorts short lists with one sort, and finds elements of sorted ones.
//!
//! The library's sort is compiled once for each type and comparison, 4 kB of wasm each (decision 0037). These functions
//! sort the places of elements, so all lists share one compiled sort. A list in order is left alone.

use std::cmp::Ordering;

/// Sorts a list by a key of its elements. Elements of equal keys stay in their order.
///
/// ```
/// use std::cmp::Reverse;
///
/// let mut words = vec!["bb", "a", "aa"];
/// matterbook_core::order::sort_by_key(&mut words, |word| word.len());
/// assert_eq!(words, ["a", "bb", "aa"]);
/// matterbook_core::order::sort_by_key(&mut words, |word| Reverse(*word));
/// assert_eq!(words, ["bb", "aa", "a"]);
/// ```
pub fn sort_by_key<T, K: Ord>(list: &mut Vec<T>, key: impl Fn(&T) -> K) {
    sort_by(list, |one, other| key(one).cmp(&key(other)));
}

/// Sorts a list by a comparison. Equal elements stay in their order.
///
/// ```
/// let mut names = vec!["b".to_owned(), "a".to_owned()];
/// matterbook_core::order::sort_by(&mut names, |one, other| one.cmp(other));
/// assert_eq!(names, ["a", "b"]);
/// ```
pub fn sort_by<T>(list: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    if list.is_sorted_by(|one, other| compare(one, other).is_le()) {
        return;
    }
    let places = sorted_places(list.len(), &|one, other| match (list.get(one), list.get(other)) {
        (Some(one), Some(other)) => compare(one, other),
        _ => Ordering::Equal,
    });
    let mut elements: Vec<_> = list.drain(..).map(Some).collect();
    list.extend(places.into_iter().filter_map(|place| elements.get_mut(place).and_then(Option::take)));
}

/// The distinct elements of a list, in ascending order.
///
/// ```
/// assert_eq!(matterbook_core::order::distinct(["b", "a", "b"]), ["a", "b"]);
/// ```
pub fn distinct<T: Ord>(list: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut list: Vec<_> = list.into_iter().collect();
    sort_by(&mut list, Ord::cmp);
    list.dedup();
    list
}

/// The elements with a key, of a list that is sorted by it.
///
/// ```
/// let words = ["a", "of", "to", "the"];
/// assert_eq!(matterbook_core::order::of_key(&words, &2, |word| word.len()), ["of", "to"]);
/// assert!(matterbook_core::order::of_key(&words, &4, |word| word.len()).is_empty());
/// ```
pub fn of_key<'l, T, K: Ord>(sorted: &'l [T], wanted: &K, key: impl Fn(&T) -> K) -> &'l [T] {
    let start = sorted.partition_point(|element| key(element) < *wanted);
    let rest = sorted.get(start..).unwrap_or_default();
    rest.get(..rest.partition_point(|element| key(element) <= *wanted)).unwrap_or_default()
}

/// The places of so many elements in the order of the elements, those of equal elements in ascending order.
///
/// ```
/// let words = ["b", "c", "a"];
/// let places = matterbook_core::order::sorted_places(3, &|one, other| words[one].cmp(words[other]));
/// assert_eq!(places, [2, 0, 1]);
/// ```
#[must_use]
pub fn sorted_places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<_> = (0..count).collect();
    places.sort_unstable_by(|one, other| compare(*one, *other).then(one.cmp(other)));
    places
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_list_is_sorted_as_by_the_library(list in prop::collection::vec((0..9_u8, any::<u16>()), 0..60)) {
            let (mut own, mut expected) = (list.clone(), list);
            sort_by_key(&mut own, |element| element.0);
            expected.sort_by_key(|element| element.0);
            prop_assert_eq!(own, expected);
        }
    }
}
