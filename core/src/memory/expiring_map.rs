//! Values that expire after 24 hours: answers by idempotency key (S11) and by request id (S14).

use std::collections::{BTreeMap, VecDeque};

use crate::{
    api::{answers_kept_since, answers_since},
    time::Timestamp,
};

/// Values that are found for as long as a saved answer is.
#[derive(Debug)]
pub(super) struct ExpiringMap<Key, Value> {
    values: BTreeMap<Key, (Timestamp, Value)>,
    /// Keys in the order in which they were kept, so that the oldest are dropped first.
    ages: VecDeque<(Timestamp, Key)>,
}

impl<Key, Value> Default for ExpiringMap<Key, Value> {
    fn default() -> Self {
        Self { values: BTreeMap::new(), ages: VecDeque::new() }
    }
}

impl<Key: Ord + Clone, Value> ExpiringMap<Key, Value> {
    /// The value of a key, unless it has expired.
    pub(super) fn get(&self, key: &Key, now: Timestamp) -> Option<&Value> {
        let (kept_at, value) = self.values.get(key)?;
        (*kept_at > answers_since(now)).then_some(value)
    }

    /// Keeps a value and drops expired ones, a little later than they expire. After a clock was set back an expired value
    /// may stay longer.
    pub(super) fn keep(&mut self, at: Timestamp, key: Key, value: Value) {
        while let Some((kept_at, old)) = self.ages.front()
            && *kept_at <= answers_kept_since(at)
        {
            // The key may have been kept again since.
            if self.values.get(old).is_some_and(|(latest, _)| latest == kept_at) {
                self.values.remove(old);
            }
            self.ages.pop_front();
        }
        self.ages.push_back((at, key.clone()));
        self.values.insert(key, (at, value));
    }

    /// Drops the values that `is_unwanted`.
    pub(super) fn forget(&mut self, is_unwanted: impl Fn(&Value) -> bool) {
        self.values.retain(|_, (_, value)| !is_unwanted(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY_SECONDS: i64 = 24 * 60 * 60;

    #[test]
    fn a_value_lasts_a_day_from_when_it_was_kept_last() {
        let at = |second| Timestamp::default().plus_seconds(second);
        let mut kept = ExpiringMap::default();
        kept.keep(at(0), "again", 1);
        kept.keep(at(1), "once", 2);
        kept.keep(at(2), "again", 3);
        assert_eq!((kept.get(&"again", at(3)), kept.get(&"once", at(3))), (Some(&3), Some(&2)));
        assert_eq!((kept.get(&"again", at(DAY_SECONDS + 1)), kept.get(&"once", at(DAY_SECONDS + 1))), (Some(&3), None));
        kept.keep(at(DAY_SECONDS + 30), "new", 4);
        assert_eq!(kept.get(&"once", at(DAY_SECONDS - 1)), Some(&2), "the clock was set back");
        kept.keep(at(DAY_SECONDS + 31), "new", 4);
        assert_eq!((kept.values.len(), kept.ages.len()), (2, 3), "what is too old is dropped");
    }
}
