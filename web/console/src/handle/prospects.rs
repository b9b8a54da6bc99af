//! Prospects: the list, and its download.

use http::StatusCode;
use matterbook_core::{
    account::Grant,
    county,
    platform::Platform,
    prospect::{INJURY_SEVERITIES, Prospect},
    rate_limiter::RateLimiter,
    store::{
        ConsoleAnswer, ConsoleCommand, ConsoleStore, Download, Position, ProspectSearch, SessionOwner, Store, View,
    },
};

use super::{
    clients::midnight,
    context::{Answered, Context},
};
use crate::{
    download::FileKind,
    form::{Form, position, position_text},
    response::Answer,
    view::{
        Section,
        prospects::{self, County, ProspectsForm, ProspectsPage},
    },
};

/// Prospects on one page, and pages of storage that it looks at.
const ON_A_PAGE: usize = 50;
const LOOKS: usize = 4;
/// The most rows of a downloaded list, and the most pages of storage that it looks at.
const IN_A_FILE: usize = 20_000;
const LOOKS_FOR_A_FILE: usize = 400;
/// The most prospects that storage gives at once.
const AT_ONCE: u32 = 100;

/// What several looks at storage found.
struct Found {
    owner: SessionOwner,
    counties: Vec<County>,
    prospects: Vec<Prospect>,
    next: Option<Position>,
}

impl<S, L, P> Context<'_, S, L, P>
where
    S: Store + ConsoleStore,
    L: RateLimiter,
    P: Platform,
{
    pub(super) async fn prospects(&self, form: &Form<'_>) -> Answered {
        let place = position(form.text("place"));
        let form = prospects_form(form);
        // Counties are shown though the dates cannot be read.
        let sound = if form.is_valid() { form.clone() } else { ProspectsForm::default() };
        let Found { owner, counties, prospects, next } = self.find_prospects(&sound, place, ON_A_PAGE, LOOKS).await?;
        let page = ProspectsPage {
            is_cut: next.is_some() && prospects.len() < ON_A_PAGE,
            prospects,
            next: next.map(position_text),
            is_further: place.is_some(),
        };
        let frame = self.frame(&owner, Some(Section::Prospects), None);
        let result = form.is_valid().then_some(&page);
        let status = if form.is_valid() { StatusCode::OK } else { StatusCode::BAD_REQUEST };
        Ok(Answer::page(status, prospects::prospects(&frame, owner.flags, &counties, &form, result)))
    }

    pub(super) async fn prospects_file(&self, kind: FileKind, form: &Form<'_>) -> Answered {
        let form = prospects_form(form);
        if !form.is_valid() {
            return Err(Answer::see("/app/prospects"));
        }
        let Found { owner, counties, prospects, .. } =
            self.find_prospects(&form, None, IN_A_FILE, LOOKS_FOR_A_FILE).await?;
        let rows = u32::try_from(prospects.len()).unwrap_or(u32::MAX);
        self.ask(ConsoleCommand::RecordDownload { download: Download::Prospects, rows }).await?;
        let contacts = if owner.flags.contact_enrichment { &prospects::CONTACT_COLUMNS[..] } else { &[] };
        let head = prospects::COLUMNS.iter().chain(contacts).copied();
        let content = kind.content(
            "Cold leads",
            head,
            prospects.iter().map(|prospect| prospects::row(prospect, owner.flags, &counties)),
        );
        Ok(Answer::download("cold-leads", kind, content))
    }

    async fn find_prospects(
        &self,
        form: &ProspectsForm,
        mut place: Option<Position>,
        most: usize,
        looks: usize,
    ) -> Result<Found, Answer> {
        let mut found = Vec::new();
        for look in 1.. {
            let limit = u32::try_from(most - found.len()).map_or(AT_ONCE, |rest| rest.min(AT_ONCE));
            let search = self.prospect_search(form, place, limit);
            let asked = self.ask(ConsoleCommand::ListProspects { search }).await?;
            let (owner, ConsoleAnswer::Prospects(grants, prospects, next)) = asked else { break };
            found.extend(prospects);
            if next.is_none() || found.len() >= most || look >= looks {
                return Ok(Found { owner, counties: counties(self.api.platform(), &grants), prospects: found, next });
            }
            place = next;
        }
        Err(self.unexpected())
    }

    fn prospect_search(&self, form: &ProspectsForm, place: Option<Position>, limit: u32) -> ProspectSearch {
        let text = |text: &str| Some(text).filter(|text| !text.is_empty()).map(Into::into);
        let delay_seconds = self.api.settings().prospect_delay_seconds;
        ProspectSearch {
            view: View { now: self.now, delay_seconds },
            oldest_first: form.is_oldest_first,
            after: place,
            added_since: form.added_from.as_date().and_then(midnight),
            fips: text(&form.county),
            crash_from: form.crash_from.as_date(),
            crash_to: form.crash_to.as_date(),
            injury_severity: text(&form.injury),
            limit,
        }
    }
}

fn prospects_form(form: &Form<'_>) -> ProspectsForm {
    let injury = form.text("injury");
    ProspectsForm {
        county: form.field("county", 5).value,
        injury: INJURY_SEVERITIES.into_iter().find(|known| *known == injury).unwrap_or_default().to_owned(),
        crash_from: form.date("crash_from").0,
        crash_to: form.date("crash_to").0,
        added_from: form.date("added_from").0,
        is_oldest_first: form.text("order") == "oldest",
    }
}

/// The counties of an account, with their names.
pub(super) fn counties(platform: &impl Platform, grants: &[Grant]) -> Vec<County> {
    let named = |grant: &Grant| {
        let name = platform.county_name(&grant.fips);
        let name = match (name.as_deref(), county::state(&grant.fips)) {
            (Some(name), Some(state)) => format!("{name}, {state}"),
            (Some(name), None) => name.to_owned(),
            (None, _) => grant.fips.clone(),
        };
        County { grant: grant.clone(), name }
    };
    grants.iter().map(named).collect()
}
