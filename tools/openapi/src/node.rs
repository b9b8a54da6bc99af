//! JSON whose members keep their order, because people read the documents.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Number;

/// A JSON value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Node {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    Text(String),
    /// An array.
    Array(Vec<Node>),
    /// An object.
    Object(IndexMap<String, Node>),
}

impl Node {
    /// The object of these members.
    pub fn object<N: Into<String>>(members: impl IntoIterator<Item = (N, Self)>) -> Self {
        Self::Object(members.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }

    /// The array of these values.
    pub fn array<T: Into<Self>>(values: impl IntoIterator<Item = T>) -> Self {
        Self::Array(values.into_iter().map(Into::into).collect())
    }

    /// A reference to a component of the document.
    pub fn reference(kind: &str, name: &str) -> Self {
        Self::object([("$ref", format!("#/components/{kind}/{name}").into())])
    }

    /// A reference to one of the schemas.
    pub fn schema(name: &str) -> Self {
        Self::reference("schemas", name)
    }

    /// This object with one member added or replaced.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Self>) -> Self {
        if let Self::Object(members) = &mut self {
            members.insert(name.to_owned(), value.into());
        }
        self
    }

    /// Calls `change` with each of its strings.
    pub fn for_each_text(&mut self, change: &mut impl FnMut(&mut String)) {
        match self {
            Self::Text(text) => change(text),
            Self::Array(values) => values.iter_mut().for_each(|value| value.for_each_text(change)),
            Self::Object(members) => members.values_mut().for_each(|value| value.for_each_text(change)),
            Self::Null | Self::Bool(_) | Self::Number(_) => {}
        }
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Node {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Node {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

macro_rules! from_numbers {
    ($($number:ty)*) => {$(
        impl From<$number> for Node {
            fn from(number: $number) -> Self {
                Self::Number(number.into())
            }
        }
    )*};
}

from_numbers!(u32 u64 i64 usize);

impl<T: Into<Node>> From<Vec<T>> for Node {
    fn from(values: Vec<T>) -> Self {
        Self::array(values)
    }
}

impl<T: Into<Node>, const N: usize> From<[T; N]> for Node {
    fn from(values: [T; N]) -> Self {
        Self::array(values)
    }
}

/// An object with its members in the written order.
macro_rules! object {
    ($($name:literal : $value:expr),* $(,)?) => {
        $crate::node::Node::object::<&str>([$(($name, $crate::node::Node::from($value))),*])
    };
}
pub(crate) use object;
