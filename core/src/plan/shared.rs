//! A borrowed value that is copied when it changes.

use std::ops::Deref;

/// A borrowed value that is copied when it changes. It is small, while a `Cow` is as large as the value.
/// Hundreds are moved, and few ever change.
pub(super) struct Shared<'k, T> {
    borrowed: &'k T,
    own: Option<Box<T>>,
}

impl<'k, T: Clone> Shared<'k, T> {
    pub(super) const fn new(borrowed: &'k T) -> Self {
        Self { borrowed, own: None }
    }

    /// The value to change. The first call copies it.
    pub(super) fn to_mut(&mut self) -> &mut T {
        self.own.get_or_insert_with(|| Box::new(self.borrowed.clone()))
    }

    /// The copy, if there is one.
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
