//! The 62 US states of the postal service.

use alloc::string::String;

use super::text_value::value_of_text;
use crate::normalize::{self, FieldValue, Problem, STATE_CODES};

/// One of the 62 "states" of USPS Publication 28: the 50 states, the District of Columbia, territories, freely
/// associated states, and the three of military mail (rules N14 to N16, N38).
///
/// It is one byte in size and sorts by its code. It displays as its code.
///
/// ```
/// use matterbook_rules::UsState;
/// let state: UsState = "so. dakota".parse().unwrap();
/// assert_eq!((state.code(), state.name()), ("SD", "South Dakota"));
/// assert_eq!(UsState::ALL.len(), 62);
/// assert_eq!("Ontario".parse::<UsState>().unwrap_err().kind().name(), "unknown_state");
/// ```
#[doc(alias = "state code")]
#[doc(alias = "state abbreviation")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UsState(u8);

impl UsState {
    /// Every state, by code.
    pub const ALL: [Self; STATE_CODES.len()] = {
        let mut all = [Self(0); STATE_CODES.len()];
        let mut index = 0;
        while index < all.len() {
            #[expect(clippy::indexing_slicing, reason = "evaluated while compiling; `get_mut` is not const")]
            {
                all[index] = Self(index as u8);
            }
            index += 1;
        }
        all
    };

    /// Reads any value by the rule; `None` for a blank one.
    ///
    /// # Errors
    /// What is wrong with the value.
    pub fn read<'a>(value: impl Into<FieldValue<'a>>) -> Result<Option<Self>, Problem> {
        let code = normalize::state(&value.into())?;
        Ok(code.and_then(|code| Self::of_code(&code)))
    }

    /// The state of a code, in capitals.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        let index = STATE_CODES.binary_search(&code).ok()?;
        Self::ALL.get(index).copied()
    }

    /// The two-letter code.
    #[must_use]
    pub fn code(self) -> &'static str {
        STATE_CODES.get(usize::from(self.0)).copied().unwrap_or_default()
    }

    /// The two-letter code.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        self.code()
    }

    /// The name as the postal service lists it, such as `Federated States of Micronesia`.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES.get(usize::from(self.0)).copied().unwrap_or_default()
    }
}

value_of_text!(UsState);

impl AsRef<str> for UsState {
    fn as_ref(&self) -> &str {
        self.code()
    }
}

impl core::fmt::Debug for UsState {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str(self.code())
    }
}

impl From<UsState> for smol_str::SmolStr {
    fn from(state: UsState) -> Self {
        Self::new_static(state.code())
    }
}

impl From<UsState> for FieldValue<'_> {
    fn from(state: UsState) -> Self {
        state.code().into()
    }
}

/// The names, in the order of the codes.
#[rustfmt::skip]
static NAMES: [&str; STATE_CODES.len()] = [
    "Armed Forces Americas", "Armed Forces Europe", "Alaska", "Alabama", "Armed Forces Pacific", "Arkansas",
    "American Samoa", "Arizona", "California", "Colorado", "Connecticut", "District of Columbia", "Delaware",
    "Florida", "Federated States of Micronesia", "Georgia", "Guam", "Hawaii", "Iowa", "Idaho", "Illinois", "Indiana",
    "Kansas", "Kentucky", "Louisiana", "Massachusetts", "Maryland", "Maine", "Marshall Islands", "Michigan",
    "Minnesota", "Missouri", "Northern Mariana Islands", "Mississippi", "Montana", "North Carolina", "North Dakota",
    "Nebraska", "New Hampshire", "New Jersey", "New Mexico", "Nevada", "New York", "Ohio", "Oklahoma", "Oregon",
    "Pennsylvania", "Puerto Rico", "Palau", "Rhode Island", "South Carolina", "South Dakota", "Tennessee", "Texas",
    "Utah", "Virginia", "Virgin Islands", "Vermont", "Washington", "Wisconsin", "West Virginia", "Wyoming",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_has_the_name_that_is_published() {
        let published: serde_json::Value =
            serde_json::from_str(include_str!("../../tests/data/usps/us_states.json")).unwrap();
        let published = published["states"].as_array().unwrap();
        assert_eq!(published.len(), UsState::ALL.len());
        for entry in published {
            let state: UsState = entry["code"].as_str().unwrap().parse().unwrap();
            assert_eq!(
                (state.code(), state.name()),
                (entry["code"].as_str().unwrap(), entry["name"].as_str().unwrap())
            );
            assert_eq!(state.name().parse(), Ok(state));
        }
        assert!(UsState::ALL.is_sorted_by_key(|state| state.code()));
    }
}
