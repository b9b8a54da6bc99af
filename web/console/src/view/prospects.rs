//! Prospects: people in crashes of the firm's counties.

use matterbook_core::{
    account::{AccountFlags, Grant},
    prospect::{INJURY_SEVERITIES, Prospect},
    time::iso_date,
};
use maud::{Markup, html};

use super::layout::{Frame, table};
use crate::{
    form::Field,
    text::{count, date, name, phone, time, words},
};

/// The sentence on every page and in every file of prospects.
pub const COLD_LEADS: &str =
    "Cold leads: these people have not asked to be contacted. Check the rules of your state before you write or call.";

/// What the person filters by.
#[derive(Clone, Debug, Default)]
pub struct ProspectsForm {
    /// FIPS code of a county of the account; empty for all.
    pub county: String,
    /// One of [`INJURY_SEVERITIES`]; empty for all.
    pub injury: String,
    /// Crash on this day or later.
    pub crash_from: Field,
    /// Crash on this day or earlier.
    pub crash_to: Field,
    /// Added on this day or later.
    pub added_from: Field,
    /// The ones that were added first come first.
    pub is_oldest_first: bool,
}

impl ProspectsForm {
    /// Whether all prospects are asked for.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.pairs().is_empty()
    }

    /// Whether each field can be read.
    #[must_use]
    pub const fn is_valid(&self) -> bool {
        self.crash_from.fault.is_none() && self.crash_to.fault.is_none() && self.added_from.fault.is_none()
    }

    /// The names and values that a request sends.
    #[must_use]
    pub fn pairs(&self) -> Vec<(&'static str, &str)> {
        let order = if self.is_oldest_first { "oldest" } else { "" };
        let pairs = [
            ("county", self.county.as_str()),
            ("injury", &self.injury),
            ("crash_from", &self.crash_from.value),
            ("crash_to", &self.crash_to.value),
            ("added_from", &self.added_from.value),
            ("order", order),
        ];
        pairs.into_iter().filter(|(_, value)| !value.is_empty()).collect()
    }

    /// The filters as a query string, with the position of another page.
    #[must_use]
    pub fn query(&self, place: Option<&str>) -> String {
        let place = place.map(|place| ("place", place));
        form_urlencoded::Serializer::new(String::new()).extend_pairs(self.pairs().into_iter().chain(place)).finish()
    }
}

/// A county of the account.
#[derive(Clone, Debug)]
pub struct County {
    /// The code and the first crash date.
    pub grant: Grant,
    /// Its name and state, such as `Cook County, IL`.
    pub name: String,
}

/// A page of prospects.
#[derive(Clone, Debug, Default)]
pub struct ProspectsPage {
    /// The prospects.
    pub prospects: Vec<Prospect>,
    /// Where the next page begins.
    pub next: Option<String>,
    /// This is not the first page.
    pub is_further: bool,
    /// The search stopped before it had looked at all prospects; `next` goes on.
    pub is_cut: bool,
}

/// The page of a firm whose account has no prospects.
#[must_use]
pub fn without_bundle(frame: &Frame<'_>) -> Markup {
    let content = html! {
        p { "Prospects are people in traffic crashes in the counties of your firm. Your account does not have them." }
        p { "Ask the people who run " (frame.service_name) " for you if you want them." }
    };
    frame.page("Prospects", "prospects", &content)
}

/// The page. `result` is `None` where the filters cannot be read.
#[must_use]
pub fn prospects(
    frame: &Frame<'_>,
    flags: AccountFlags,
    counties: &[County],
    form: &ProspectsForm,
    result: Option<&ProspectsPage>,
) -> Markup {
    let content = html! {
        div class="note warn" { p { (COLD_LEADS) } }
        @if counties.is_empty() {
            div.empty {
                p { b { "Your account has no counties yet." } }
                p { "Ask the people who run " (frame.service_name) " for you to add the counties of your firm." }
            }
        } @else {
            p.quiet { "Your counties: " @for (number, county) in counties.iter().enumerate() {
                @if number > 0 { "; " } (county.name) ", crashes from " (date(county.grant.from_date))
            } }
            (filters(counties, form))
            @if let Some(result) = result { (found(flags, counties, form, result)) }
        }
    };
    frame.page("Prospects", "prospects", &content)
}

fn filters(counties: &[County], form: &ProspectsForm) -> Markup {
    html! {
        form.filters action="/app/prospects" role="search" aria-label="Prospects" {
            div {
                label for="county" { "County" }
                select id="county" name="county" {
                    option value="" { "All" }
                    @for county in counties {
                        option value=(county.grant.fips) selected[county.grant.fips == form.county] { (county.name) }
                    }
                }
            }
            div {
                label for="injury" { "Injury" }
                select id="injury" name="injury" {
                    option value="" { "All" }
                    @for injury in INJURY_SEVERITIES {
                        option value=(injury) selected[injury == form.injury] { (words(injury)) }
                    }
                }
            }
            (form.crash_from.date_input("crash_from", "Crash from"))
            (form.crash_to.date_input("crash_to", "Crash to"))
            (form.added_from.date_input("added_from", "Added since"))
            div {
                label for="order" { "Order" }
                select id="order" name="order" {
                    option value="" { "Newest first" }
                    option value="oldest" selected[form.is_oldest_first] { "Oldest first" }
                }
            }
            div.buttons {
                button.main { "Show" }
                @if !form.is_open() { " " a.button href="/app/prospects" { "Show all" } }
            }
        }
    }
}

fn found(flags: AccountFlags, counties: &[County], form: &ProspectsForm, result: &ProspectsPage) -> Markup {
    html! {
        @if result.prospects.is_empty() {
            div.empty {
                @if result.is_cut {
                    p { "None so far. There are more prospects to look through." }
                } @else if form.is_open() && !result.is_further {
                    p { "There are no prospects in your counties yet. New ones show here about an hour after they come in." }
                } @else if result.is_further {
                    p { "There are no further prospects." }
                } @else {
                    p { "No prospect matches. Try fewer filters." }
                }
            }
        } @else {
            (rows(flags, counties, &result.prospects))
        }
        div.pager {
            @if result.is_further { a href={ "/app/prospects?" (form.query(None)) } { "First page" } }
            @if let Some(next) = &result.next {
                a href={ "/app/prospects?" (form.query(Some(next))) } {
                    @if result.is_cut { "Go on searching" } @else { "Next page" }
                }
            }
            @if !result.prospects.is_empty() {
                span.quiet { (count(result.prospects.len() as u64)) " on this page" }
                form method="post" action="/app/prospects.csv" {
                    @for (name, value) in form.pairs() { input type="hidden" name=(name) value=(value); }
                    button.link { "Download all that match as CSV" }
                    button.link formaction="/app/prospects.xlsx" { "Download for Excel (XLSX)" }
                }
            }
        }
    }
}

fn rows(flags: AccountFlags, counties: &[County], prospects: &[Prospect]) -> Markup {
    let head = html! {
        th { "Name" } th.wide { "Address" }
        @if flags.contact_enrichment { th { "Phone" } th.wide { "E-mail" } }
        th { "Crash" } th { "County" } th.wide { "Person" } th { "Injury" } th.wide { "Vehicle" } th.wide { "Added" }
    };
    let rows = html! {
        @for prospect in prospects {
            @let fields = &prospect.fields;
            tr {
                th scope="row" {
                    (name(fields.first_name.as_deref(), fields.last_name.as_deref()).as_deref().unwrap_or("(no name)"))
                }
                td.wide { (address(prospect)) }
                @if flags.contact_enrichment {
                    td.nowrap { (fields.phone.as_deref().map(phone).unwrap_or_default()) }
                    td.wide { (fields.email.as_deref().unwrap_or_default()) }
                }
                td.nowrap { (date(fields.crash_date)) }
                td { (county_of(prospect, counties)) }
                td.wide { (fields.person_type.as_deref().map(words).unwrap_or_default()) }
                td { (fields.injury_severity.as_deref().map(words).unwrap_or_default()) }
                td.wide { (vehicle(prospect)) }
                td.wide.nowrap { (time(prospect.added_at)) }
            }
        }
    };
    table("Prospects", &head, &rows)
}

/// The county of a crash, as it was imported or by its code.
fn county_of<'p>(prospect: &'p Prospect, counties: &'p [County]) -> &'p str {
    let fields = &prospect.fields;
    let by_code = || counties.iter().find(|county| county.grant.fips == fields.crash_county_fips.as_str());
    let name = fields.crash_county.as_deref().or_else(|| by_code().map(|county| county.name.as_str()));
    name.unwrap_or(&fields.crash_county_fips)
}

fn address(prospect: &Prospect) -> String {
    let fields = &prospect.fields;
    let state_zip =
        [fields.state.as_deref(), fields.zip.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let parts =
        [fields.address_line1.as_deref(), fields.address_line2.as_deref(), fields.city.as_deref(), Some(&*state_zip)];
    parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

fn vehicle(prospect: &Prospect) -> String {
    let fields = &prospect.fields;
    let year = fields.vehicle_year.map(|year| year.to_string());
    let parts = [year.as_deref(), fields.vehicle_make.as_deref(), fields.vehicle_model.as_deref()];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The first row of a downloaded list, without the columns for contacts.
pub const COLUMNS: [&str; 16] = [
    "Notice",
    "First name",
    "Last name",
    "Address",
    "Address, line 2",
    "City",
    "State",
    "ZIP",
    "Person",
    "Injury",
    "Crash date",
    "Crash time",
    "Crash city",
    "County",
    "Vehicle",
    "Added (UTC)",
];

/// The further columns of an account with contact enrichment.
pub const CONTACT_COLUMNS: [&str; 2] = ["Phone", "E-mail"];

/// A prospect's row of a downloaded list, in the order of [`COLUMNS`] and [`CONTACT_COLUMNS`].
#[must_use]
pub fn row(prospect: &Prospect, flags: AccountFlags, counties: &[County]) -> Vec<String> {
    let fields = &prospect.fields;
    let text = |value: Option<&str>| value.unwrap_or_default().to_owned();
    let mut row = vec![
        "Cold lead".to_owned(),
        text(fields.first_name.as_deref()),
        text(fields.last_name.as_deref()),
        text(fields.address_line1.as_deref()),
        text(fields.address_line2.as_deref()),
        text(fields.city.as_deref()),
        text(fields.state.as_deref()),
        text(fields.zip.as_deref()),
        fields.person_type.as_deref().map(words).unwrap_or_default(),
        fields.injury_severity.as_deref().map(words).unwrap_or_default(),
        iso_date(fields.crash_date).to_string(),
        text(fields.crash_time.as_deref()),
        text(fields.crash_city.as_deref()),
        county_of(prospect, counties).to_owned(),
        vehicle(prospect),
        prospect.added_at.to_string(),
    ];
    if flags.contact_enrichment {
        row.extend([text(fields.phone.as_deref()), text(fields.email.as_deref())]);
    }
    row
}
