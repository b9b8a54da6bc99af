//! A prospect as a row: read and bound.

use chrono::Datelike as _;
use matterbook_core::{
    prospect::{Prospect, ProspectFields},
    store::StoreError,
};

use crate::{
    bind,
    driver::Value,
    read::{Row, unexpected},
};

/// `hex(id)`, the fields, `added_at`.
pub(crate) fn read(row: &mut Row) -> Result<Prospect, StoreError> {
    Ok(Prospect {
        id: row.id()?,
        fields: ProspectFields {
            source_id: row.text()?,
            first_name: row.optional_text()?,
            last_name: row.optional_text()?,
            address_line1: row.optional_text()?,
            address_line2: row.optional_text()?,
            city: row.optional_text()?,
            state: row.optional_text()?,
            zip: row.optional_text()?,
            email: row.optional_text()?,
            phone: row.optional_text()?,
            person_type: row.optional_text()?,
            injury_severity: row.optional_text()?,
            transported: row.optional_flag()?,
            crash_date: row.date()?,
            crash_time: row.optional_text()?,
            crash_city: row.optional_text()?,
            crash_state: row.optional_text()?,
            crash_county: row.optional_text()?,
            crash_county_fips: row.text()?,
            crash_report_number: row.optional_text()?,
            manner_of_collision: row.optional_text()?,
            vehicle_year: row
                .optional_integer()?
                .map(|year| i32::try_from(year).map_err(|_| unexpected("a year")))
                .transpose()?,
            vehicle_make: row.optional_text()?,
            vehicle_model: row.optional_text()?,
            vehicle_towed: row.optional_flag()?,
            hit_and_run: row.optional_flag()?,
        },
        added_at: row.time()?,
    })
}

/// The year whose stream of the index a prospect is in.
pub(crate) fn crash_year(fields: &ProspectFields) -> Value {
    Value::Integer(i64::from(fields.crash_date.year()))
}

/// The values of [`PROSPECT_FIELDS`](crate::columns::PROSPECT_FIELDS).
pub(crate) fn values(fields: ProspectFields) -> [Value; 26] {
    let ProspectFields {
        source_id,
        first_name,
        last_name,
        address_line1,
        address_line2,
        city,
        state,
        zip,
        email,
        phone,
        person_type,
        injury_severity,
        transported,
        crash_date,
        crash_time,
        crash_city,
        crash_state,
        crash_county,
        crash_county_fips,
        crash_report_number,
        manner_of_collision,
        vehicle_year,
        vehicle_make,
        vehicle_model,
        vehicle_towed,
        hit_and_run,
    } = fields;
    [
        source_id.into(),
        first_name.into(),
        last_name.into(),
        address_line1.into(),
        address_line2.into(),
        city.into(),
        state.into(),
        zip.into(),
        email.into(),
        phone.into(),
        person_type.into(),
        injury_severity.into(),
        transported.into(),
        bind::date(crash_date),
        crash_time.into(),
        crash_city.into(),
        crash_state.into(),
        crash_county.into(),
        crash_county_fips.into(),
        crash_report_number.into(),
        manner_of_collision.into(),
        vehicle_year.map(i64::from).into(),
        vehicle_make.into(),
        vehicle_model.into(),
        vehicle_towed.into(),
        hit_and_run.into(),
    ]
}
