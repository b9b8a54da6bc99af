//! The parts that all types of one text have in common.

/// Defines a type of one text in the stored form of a rule.
macro_rules! text_value {
    ($(#[$doc:meta])* $Name:ident by $rule:path, for example $sent:literal as $stored:literal) => {
        $(#[$doc])*
        ///
        /// It is made by its rule, and compares and hashes as its text. Its `Debug` form shows the value, which is
        /// personal data: never log it.
        ///
        /// ```
        #[doc = concat!("use matterbook_rules::", stringify!($Name), ";")]
        #[doc = concat!("let value: ", stringify!($Name), " = ", stringify!($sent), ".parse().unwrap();")]
        #[doc = concat!("assert_eq!(value.as_str(), ", stringify!($stored), ");")]
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $Name(SmolStr);

        impl $Name {
            /// Reads any value by the rule; `None` for a blank one.
            ///
            /// # Errors
            /// What is wrong with the value.
            pub fn read<'a>(value: impl Into<FieldValue<'a>>) -> Result<Option<Self>, Problem> {
                Ok($rule(&value.into())?.map(Self))
            }

            /// The stored form.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        value_of_text!($Name);

        impl AsRef<str> for $Name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl Borrow<str> for $Name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl From<$Name> for SmolStr {
            fn from(value: $Name) -> Self {
                value.0
            }
        }

        impl From<$Name> for FieldValue<'_> {
            fn from(value: $Name) -> Self {
                value.0.into()
            }
        }
    };
}

/// The conversions of a type that has `read` and `as_str`.
macro_rules! value_of_text {
    ($Name:ident) => {
        /// A blank text is a problem: it is required.
        impl core::str::FromStr for $Name {
            type Err = Problem;

            fn from_str(text: &str) -> Result<Self, Problem> {
                Self::read(text)?.ok_or(Problem::REQUIRED)
            }
        }

        impl TryFrom<&str> for $Name {
            type Error = Problem;

            fn try_from(text: &str) -> Result<Self, Problem> {
                text.parse()
            }
        }

        impl TryFrom<String> for $Name {
            type Error = Problem;

            fn try_from(text: String) -> Result<Self, Problem> {
                text.parse()
            }
        }

        impl core::fmt::Display for $Name {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                formatter.pad(self.as_str())
            }
        }

        impl PartialEq<str> for $Name {
            fn eq(&self, text: &str) -> bool {
                self.as_str() == text
            }
        }

        impl PartialEq<&str> for $Name {
            fn eq(&self, text: &&str) -> bool {
                self.as_str() == *text
            }
        }

        impl From<$Name> for String {
            fn from(value: $Name) -> Self {
                value.as_str().into()
            }
        }

        impl<'a> From<&'a $Name> for FieldValue<'a> {
            fn from(value: &'a $Name) -> Self {
                value.as_str().into()
            }
        }

        impl<'a> From<&'a Option<$Name>> for FieldValue<'a> {
            fn from(value: &'a Option<$Name>) -> Self {
                value.as_ref().into()
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $Name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        /// By its rule: from a text, and in a format that describes itself from a number too.
        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $Name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = FieldValue::deserialize(deserializer)?;
                Self::read(value).and_then(|value| value.ok_or(Problem::REQUIRED)).map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(super) use {text_value, value_of_text};
