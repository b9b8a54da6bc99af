//! Sets of clients that are compared with a client, and no others.

/// A set of clients of one name, so that a client without a street or a ZIP finds those that conflict with it without
/// passing over others of the name.
#[derive(Clone, Copy)]
pub(super) struct Group {
    pub(super) name: u64,
    pub(super) has_external_id: bool,
    pub(super) place: Place,
}

#[derive(Clone, Copy)]
pub(super) enum Place {
    Any,
    /// This street with a set of units, or none.
    Street(u64, Units),
    /// This ZIP, or none.
    Zip(u32),
}

/// A set of clients of one street by their unit, so that those of a large house are not compared with each other.
#[derive(Clone, Copy)]
pub(super) enum Units {
    /// Without a unit in line 1.
    NotInLine1,
    /// This unit in line 1.
    Line1(u64),
    /// This unit in line 2, and none in line 1.
    Line2(u64),
}

impl Units {
    pub(super) const fn key(self) -> u64 {
        match self {
            Self::NotInLine1 => 0,
            Self::Line1(unit) => unit,
            Self::Line2(unit) => unit.rotate_left(32) ^ 1,
        }
    }
}

impl Group {
    /// A key of the index. Groups of one key are told apart by the clients.
    pub(super) fn key(self) -> u64 {
        let (kind, value) = match self.place {
            Place::Any => (0, 0),
            Place::Street(street, units) => (2, street ^ units.key()),
            Place::Zip(zip5) => (4, u64::from(zip5)),
        };
        let mix = |key: u64, part: u64| (key ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        [kind + u64::from(self.has_external_id), value].into_iter().fold(self.name, mix).max(1)
    }
}
