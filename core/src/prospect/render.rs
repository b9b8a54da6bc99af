//! A prospect in an answer (rules P7 to P9 and P22).

use std::borrow::Cow;

use chrono::NaiveDate;
use serde::Serialize;
use uuid::Uuid;

use super::{Prospect, ProspectFields};
use crate::{platform::Platform, time::Timestamp};

/// The JSON of one prospect.
#[derive(Serialize)]
pub(crate) struct ProspectBody<'a> {
    id: Uuid,
    lead_type: &'static str,
    source: &'a str,
    first_name: Option<&'a str>,
    last_name: Option<&'a str>,
    address_line1: Option<&'a str>,
    address_line2: Option<&'a str>,
    city: Option<&'a str>,
    state: Option<&'a str>,
    zip: Option<&'a str>,
    person_type: Option<&'a str>,
    injury_severity: Option<&'a str>,
    transported: Option<bool>,
    crash_date: NaiveDate,
    crash_time: Option<&'a str>,
    crash_city: Option<&'a str>,
    crash_state: Option<&'a str>,
    crash_county: Option<Cow<'a, str>>,
    crash_county_fips: &'a str,
    crash_report_number: Option<&'a str>,
    manner_of_collision: Option<&'a str>,
    vehicle: VehicleMember<'a>,
    vehicle_towed: Option<bool>,
    hit_and_run: Option<bool>,
    #[serde(flatten)]
    contact: Option<ContactMembers<'a>>,
    added_at: Timestamp,
}

#[derive(Serialize)]
struct VehicleMember<'a> {
    year: Option<i32>,
    make: Option<&'a str>,
    model: Option<&'a str>,
}

#[derive(Serialize)]
struct ContactMembers<'a> {
    email: Option<&'a str>,
    phone: Option<&'a str>,
}

impl<'a> ProspectBody<'a> {
    pub(crate) fn new(
        prospect: &'a Prospect,
        platform: &impl Platform,
        service_name: &'a str,
        with_contact: bool,
    ) -> Self {
        let fields: &ProspectFields = &prospect.fields;
        let imported = fields.crash_county.as_deref().map(Cow::Borrowed);
        Self {
            id: prospect.id,
            lead_type: "cold",
            source: service_name,
            first_name: fields.first_name.as_deref(),
            last_name: fields.last_name.as_deref(),
            address_line1: fields.address_line1.as_deref(),
            address_line2: fields.address_line2.as_deref(),
            city: fields.city.as_deref(),
            state: fields.state.as_deref(),
            zip: fields.zip.as_deref(),
            person_type: fields.person_type.as_deref(),
            injury_severity: fields.injury_severity.as_deref(),
            transported: fields.transported,
            crash_date: fields.crash_date,
            crash_time: fields.crash_time.as_deref(),
            crash_city: fields.crash_city.as_deref(),
            crash_state: fields.crash_state.as_deref(),
            crash_county: imported.or_else(|| platform.county_name(&fields.crash_county_fips)),
            crash_county_fips: &fields.crash_county_fips,
            crash_report_number: fields.crash_report_number.as_deref(),
            manner_of_collision: fields.manner_of_collision.as_deref(),
            vehicle: VehicleMember {
                year: fields.vehicle_year,
                make: fields.vehicle_make.as_deref(),
                model: fields.vehicle_model.as_deref(),
            },
            vehicle_towed: fields.vehicle_towed,
            hit_and_run: fields.hit_and_run,
            contact: with_contact
                .then_some(ContactMembers { email: fields.email.as_deref(), phone: fields.phone.as_deref() }),
            added_at: prospect.added_at,
        }
    }
}
