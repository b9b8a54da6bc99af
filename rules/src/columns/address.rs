//! The names that exports use for the parts of an address, and for the kinds of addresses.

use crate::client::Field;

/// Which of a person's addresses a column belongs to, in the order of preference for letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AddressKind {
    /// To which letters go.
    Mailing,
    /// The only one, or the current one.
    Plain,
    /// At home.
    Home,
    /// Where the person is found.
    Physical,
    /// To which bills go.
    Billing,
    /// At work.
    Business,
}

pub(super) const fn is_of_address(field: Field) -> bool {
    matches!(field, Field::AddressLine1 | Field::AddressLine2 | Field::City | Field::State | Field::Zip)
}

/// Prefixes of an address part's name.
pub(super) const PREFIXES: [(&str, AddressKind); 11] = [
    ("mailing", AddressKind::Mailing),
    ("mail", AddressKind::Mailing),
    ("primary", AddressKind::Plain),
    ("current", AddressKind::Plain),
    ("address", AddressKind::Plain),
    ("home", AddressKind::Home),
    ("residential", AddressKind::Home),
    ("residence", AddressKind::Home),
    ("physical", AddressKind::Physical),
    ("billing", AddressKind::Billing),
    ("business", AddressKind::Business),
];

pub(super) const NAMES: [(Field, &[&str]); 5] = [
    (
        Field::AddressLine1,
        &[
            "addressline1",
            "address1",
            "addr1",
            "addrline1",
            "streetaddress1",
            "streetaddress",
            "streetaddressline1",
            "street1",
            "streetline1",
            "street",
            "address",
            "addr",
            "line1",
            "address1street",
            "address1line1",
        ],
    ),
    (
        Field::AddressLine2,
        &[
            "addressline2",
            "address2",
            "addr2",
            "addrline2",
            "streetaddress2",
            "streetaddressline2",
            "street2",
            "streetline2",
            "line2",
            "apt",
            "aptnumber",
            "aptno",
            "apartment",
            "apartmentnumber",
            "unit",
            "unitnumber",
            "unitno",
            "suite",
            "suitenumber",
            "ste",
            "aptunit",
            "unitapt",
            "aptsuite",
            "aptste",
            "aptsuiteunit",
            "aptunitsuite",
            "aptorunit",
            "address1extendedaddress",
            "address1line2",
        ],
    ),
    (
        Field::City,
        &[
            "city",
            "town",
            "cityname",
            "citytown",
            "cityortown",
            "townorcity",
            "locality",
            "municipality",
            "address1city",
        ],
    ),
    (
        Field::State,
        &[
            "state",
            "st",
            "stateprovince",
            "stateorprovince",
            "provincestate",
            "provincest",
            "stateprov",
            "province",
            "statecode",
            "stateabbr",
            "stateabbreviation",
            "stateregion",
            "usstate",
            "address1region",
            "address1state",
        ],
    ),
    (
        Field::Zip,
        &[
            "zip",
            "zipcode",
            "zippostalcode",
            "zipcodepostalcode",
            "zippostal",
            "postalcode",
            "postcode",
            "postalzip",
            "postalcodezip",
            "uszip",
            "zip5",
            "postal",
            "address1postalcode",
            "address1zip",
            "address1zipcode",
        ],
    ),
];
