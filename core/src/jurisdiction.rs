//! Where an account's clients have to stay (rule O41).

/// Where an account's clients are stored and worked on, and nowhere else (rule O41).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jurisdiction {
    /// The European Union.
    EuropeanUnion,
    /// The United States.
    UnitedStates,
}

impl Jurisdiction {
    /// Every jurisdiction, in the order of the documentation.
    pub const ALL: [Self; 2] = [Self::EuropeanUnion, Self::UnitedStates];

    /// The name in JSON and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EuropeanUnion => "eu",
            Self::UnitedStates => "us",
        }
    }

    /// The jurisdiction of that exact name.
    ///
    /// ```
    /// use matterbook_core::jurisdiction::Jurisdiction;
    /// assert_eq!(Jurisdiction::from_name("eu"), Some(Jurisdiction::EuropeanUnion));
    /// assert_eq!(Jurisdiction::from_name("EU"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|jurisdiction| jurisdiction.name() == name)
    }
}
