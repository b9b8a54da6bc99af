//! What is looked at where it is, until something of it changes.

use std::ops::Deref;

/// A value of another's, and once it is changed one of its own. Small, where a `Cow` is as large as
/// the value: hundreds of them are moved around, and few ever change.
pub(super) struct Shared<'k, T> {
    borrowed: &'k T,
    own: Option<Box<T>>,
}

impl<'k, T: Clone> Shared<'k, T> {
    pub(super) const fn new(borrowed: &'k T) -> Self {
        Self { borrowed, own: None }
    }

    /// The value, to be changed: from now on its own.
    pub(super) fn to_mut(&mut self) -> &mut T {
        self.own.get_or_insert_with(|| Box::new(self.borrowed.clone()))
    }

    /// The value, if it was changed.
    pub(super) fn changed(&self) -> Option<&T> {
        self.own.as_deref()
    }

    pub(super) fn into_owned(self) -> T {
        self.own.map_or_else(|| self.borrowed.clone(), |own| *own)
    }
}

impl<T> Deref for Shared<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.own.as_deref().unwrap_or(self.borrowed)
    }
}
