//! A value for each client of a file, by the number of its first row or that of a saved client.

use foldhash::HashMap;

/// Values of clients with numbers below this are in a list, those of others in a map. It is twice the most rows that a
/// spreadsheet has. Blank lines count in the numbers of rows, so a file can have any number.
const LISTED_MAX: u32 = 1 << 21;

/// A value for each client, by its number ([`RowClient::first_row`](super::RowClient::first_row)). Nearly every row of a
/// file has its own client, so a list takes less memory than a map. A client without a value has the default.
///
/// ```
/// use matterbook_import::check::ByClient;
///
/// let mut colors = ByClient::default();
/// colors.set(2, Some("red"));
/// assert_eq!((colors.get(2), colors.get(3)), (Some("red"), None));
/// ```
#[derive(Debug, Default)]
pub struct ByClient<T> {
    listed: Vec<T>,
    others: HashMap<u32, T>,
}

impl<T: Copy + Default> ByClient<T> {
    /// The value of a client.
    #[must_use]
    pub fn get(&self, client: u32) -> T {
        let place = usize::try_from(client).unwrap_or(usize::MAX);
        self.listed.get(place).or_else(|| self.others.get(&client)).copied().unwrap_or_default()
    }

    /// Sets the value of a client.
    pub fn set(&mut self, client: u32, value: T) {
        let place = usize::try_from(client).ok().filter(|_| client < LISTED_MAX);
        let Some(place) = place else {
            self.others.insert(client, value);
            return;
        };
        if place >= self.listed.len() {
            self.listed.resize(place + 1, T::default());
        }
        if let Some(kept) = self.listed.get_mut(place) {
            *kept = value;
        }
    }

    /// The values, also those of some numbers without a client, which are the default.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.listed.iter().chain(self.others.values())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_has_its_own_value_however_great_it_is() {
        let mut values = ByClient::default();
        let numbers = [(3, 'a'), (LISTED_MAX - 1, 'b'), (LISTED_MAX, 'c'), (u32::MAX, 'd')];
        for (client, value) in numbers {
            values.set(client, value);
        }
        for (client, value) in numbers {
            assert_eq!(values.get(client), value);
        }
        assert_eq!([0, 4, LISTED_MAX + 1].map(|client| values.get(client)), ['\0'; 3]);
        assert_eq!(values.values().filter(|value| **value != '\0').count(), 4);
        assert!(values.listed.len() <= 1 << 21, "a great number takes no list of its length");
    }
}
