//! The fields of a prospect that a client does not have.

/// Defines the fields with their names in the API.
macro_rules! prospect_fields {
    ($($field:ident $name:literal $about:literal,)*) => {
        /// A field of a prospect that a client does not have.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ProspectField {
            $(#[doc = $about] $field,)*
        }

        impl ProspectField {
            /// All of them.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$field),*];

            /// The name in the API.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$field => $name,)*
                }
            }
        }
    };
}

prospect_fields! {
    SourceId "source_id" "The id of the person in the operator's source.",
    PersonType "person_type" "The part in the crash.",
    InjurySeverity "injury_severity" "The injury.",
    Transported "transported" "Taken to a hospital.",
    CrashDate "crash_date" "The day of the crash.",
    CrashTime "crash_time" "The time of the crash.",
    CrashCity "crash_city" "The city of the crash.",
    CrashState "crash_state" "The state of the crash.",
    CrashCounty "crash_county" "The name of the county.",
    CrashCountyFips "crash_county_fips" "The FIPS code of the county.",
    CrashReportNumber "crash_report_number" "The number of the police report.",
    MannerOfCollision "manner_of_collision" "The manner of the collision.",
    VehicleYear "vehicle_year" "The model year.",
    VehicleMake "vehicle_make" "The maker.",
    VehicleModel "vehicle_model" "The model.",
    VehicleTowed "vehicle_towed" "Whether the vehicle was towed.",
    HitAndRun "hit_and_run" "Whether a driver fled.",
}
