//! Passkeys: what signs in, and what does not (rules G8, G12, G28).

use matterbook_core::uuid::Uuid;

use super::{
    browser::{Browser, is_served, link, member, open, page},
    device::Device,
};
use crate::wire::{Answer, CaseResult, Failure, Firm, Service, failure::holds};

const REFUSED: &str = "/app/sign-in?said=passkey";

/// The address by which a service is opened that has passkeys there.
struct Site {
    origin: String,
    host: String,
    /// The header `Host`, where the service is reached by an address of numbers or on this machine.
    named: Option<&'static str>,
}

impl Site {
    fn of(service: &dyn Service) -> Result<Self, Failure> {
        let shown = Browser::new(service).get("/app/sign-in")?;
        match attribute(&shown, "data-host") {
            Some(host) if host != "localhost" => {
                Ok(Self { origin: format!("https://{host}"), host: host.clone(), named: None })
            }
            _ => Ok(Self { origin: "http://localhost".into(), host: "localhost".into(), named: Some("localhost") }),
        }
    }

    fn device(&self, login: &str, number: u8) -> Result<Device, Failure> {
        let device = Uuid::try_parse(login)
            .ok()
            .and_then(|login| Device::new(&self.origin, &self.host, login.as_bytes(), number));
        device.ok_or_else(|| Failure::new(login, "an id of a login, from which a key is made", "none".to_owned()))
    }

    /// Somebody who is not signed in, on the page for it; and what has to be signed there.
    fn visitor<'s>(&self, service: &'s dyn Service) -> Result<(Browser<'s>, String), Failure> {
        let mut browser = Browser::new(service).by_name(self.named);
        let shown = browser.get("/app/sign-in")?;
        browser.take_cookie(&shown);
        Ok((browser, challenge(&shown)?))
    }

    fn signed_in<'s>(&self, service: &'s dyn Service, firm: &Firm<'_>, login: &str) -> Result<Browser<'s>, Failure> {
        Ok(Browser::signed_in(service, &link(firm, login)?)?.by_name(self.named))
    }

    /// Adds the passkey of a device.
    fn add(&self, browser: &Browser<'_>, device: &Device) -> Result<Answer, Failure> {
        let shown = browser.get("/app/settings/passkeys")?;
        browser.post("/app/settings/passkeys", &device.form_to_add(&challenge(&shown)?, "Office laptop"))
    }

    /// Signs in with a device in a browser of its own. It has to end there.
    fn enters(&self, service: &dyn Service, device: &mut Device, location: &str) -> CaseResult {
        let (mut browser, challenge) = self.visitor(service)?;
        device.counter += 1;
        let answer = browser.post("/app/sign-in", &device.form_to_sign_in(&challenge))?;
        answer.expect_status(303)?.expect_header("location", location)?;
        if location != "/app" {
            answer.expect_no_header("set-cookie")?;
            return Ok(());
        }
        browser.take_cookie(&answer);
        browser.get("/app/settings/passkeys")?.expect_status(200).map(drop)
    }
}

fn attribute(answer: &Answer, name: &str) -> Option<String> {
    let text = page(answer);
    let (_, rest) = text.split_once(&format!("{name}=\""))?;
    rest.split_once('"').map(|(value, _)| value.to_owned())
}

fn challenge(answer: &Answer) -> Result<String, Failure> {
    attribute(answer, "data-challenge").ok_or_else(|| answer.failure("what a passkey signs"))
}

/// The ids of the passkeys that a page lists.
fn ids(answer: &Answer) -> Vec<String> {
    let text = page(answer);
    let found = text.split("/app/settings/passkeys/").skip(1).filter_map(|rest| rest.split_once("/remove\""));
    found.map(|(id, _)| id.to_owned()).collect()
}

pub(super) fn a_passkey_signs_in_its_person_until_it_is_removed(service: &dyn Service) -> CaseResult {
    if !is_served(service)? {
        return Ok(());
    }
    let (firm, site) = (open(service)?, Site::of(service)?);
    let owner = site.signed_in(service, &firm, &firm.owner)?;
    let said = |answer: Answer, said: &str| {
        answer.expect_status(303)?.expect_header("location", &format!("/app/settings/passkeys?said={said}")).map(drop)
    };
    let mut first = site.device(&firm.owner, 1)?;
    said(site.add(&owner, &first)?, "added")?;
    said(site.add(&owner, &first)?, "known")?;
    site.enters(service, &mut first, "/app")?;
    site.enters(service, &mut first, "/app")?;

    // The only passkey stays until there is another.
    let known = ids(&owner.get("/app/settings/passkeys")?);
    let [only] = &known[..] else { return holds(false, "passkeys", "one", || format!("{known:?}")) };
    let remove = |id: &str| owner.post(&format!("/app/settings/passkeys/{id}/remove"), "");
    said(remove(only)?, "last")?;
    said(owner.post(&format!("/app/settings/passkeys/{only}/rename"), "name=Desk")?, "renamed")?;
    let shown = owner.get("/app/settings/passkeys")?;
    holds(page(&shown).contains("Desk"), &shown.sent, "the new name", || page(&shown))?;
    let mut second = site.device(&firm.owner, 2)?;
    said(site.add(&owner, &second)?, "added")?;
    said(remove(only)?, "removed")?;
    site.enters(service, &mut first, REFUSED)?;
    site.enters(service, &mut second, "/app")?;

    // An owner removes the passkey of another person, and a removed login takes its passkeys along.
    let (teammate, of_teammate) = member(service, &firm, "teammate")?;
    let of_teammate = of_teammate.by_name(site.named);
    let (mut one, mut other) = (site.device(&teammate, 1)?, site.device(&teammate, 2)?);
    said(site.add(&of_teammate, &one)?, "added")?;
    let [of_one] = &ids(&of_teammate.get("/app/settings/passkeys")?)[..] else {
        return holds(false, "passkeys of the teammate", "one", || "another number".to_owned());
    };
    said(site.add(&of_teammate, &other)?, "added")?;
    let people = format!("/app/settings/people/{teammate}");
    owner.post(&format!("{people}/passkeys"), &format!("passkey={of_one}"))?.expect_status(303)?;
    site.enters(service, &mut one, REFUSED)?;
    site.enters(service, &mut other, "/app")?;
    owner.post(&format!("{people}/remove"), "")?.expect_status(303)?;
    site.enters(service, &mut other, REFUSED)
}

/// A change of what a device signs.
type Change = fn(&mut Device);

pub(super) fn what_a_passkey_signed_elsewhere_signs_nobody_in(service: &dyn Service) -> CaseResult {
    if !is_served(service)? {
        return Ok(());
    }
    let (firm, site) = (open(service)?, Site::of(service)?);
    let owner = site.signed_in(service, &firm, &firm.owner)?;
    let refused = |answer: Answer, location: &str| {
        answer.expect_status(303)?.expect_header("location", location)?.expect_no_header("set-cookie").map(drop)
    };
    let changes: [(&str, Change); 4] = [
        ("a page of another site", |device| device.origin = "https://evil.example".to_owned()),
        ("a passkey of another host", |device| device.host = "evil.example".to_owned()),
        ("a device that recognized nobody", |device| device.verifies = false),
        ("a login of another person", |device| device.login = vec![7; 16]),
    ];
    let to_add = challenge(&owner.get("/app/settings/passkeys")?)?;
    for (_, change) in &changes[..3] {
        let mut device = site.device(&firm.owner, 1)?;
        change(&mut device);
        let answer = owner.post("/app/settings/passkeys", &device.form_to_add(&to_add, "x"))?;
        refused(answer, "/app/settings/passkeys?said=failed")?;
    }
    let mut device = site.device(&firm.owner, 1)?;
    let (visitor, to_sign) = site.visitor(service)?;
    let answer = owner.post("/app/settings/passkeys", &device.form_to_add(&to_sign, "x"))?;
    refused(answer, "/app/settings/passkeys?said=failed")?;
    // What is signed to sign in from this browser adds nothing, nor does a passkey under the id of another.
    let to_sign_as_owner = challenge(&owner.get("/app/sign-in")?)?;
    let other_id = site.device(&firm.owner, 2)?.form_to_sign_in(&to_sign);
    let other_id = other_id.split('&').next().unwrap_or_default().to_owned();
    for form in [device.form_to_add(&to_sign_as_owner, "x"), format!("{other_id}&{}", device.form_to_add(&to_add, "x"))]
    {
        refused(owner.post("/app/settings/passkeys", &form)?, "/app/settings/passkeys?said=failed")?;
    }
    site.add(&owner, &device)?.expect_header("location", "/app/settings/passkeys?said=added")?;

    for (_, change) in changes {
        let mut changed = site.device(&firm.owner, 1)?;
        changed.counter = 1;
        change(&mut changed);
        refused(visitor.post("/app/sign-in", &changed.form_to_sign_in(&to_sign))?, REFUSED)?;
    }
    device.counter = 1;
    let form = device.form_to_sign_in(&to_sign);
    // Of another browser, with another purpose, of another passkey, and changed on the way.
    let (other, to_sign_there) = site.visitor(service)?;
    refused(other.post("/app/sign-in", &form)?, REFUSED)?;
    refused(visitor.post("/app/sign-in", &device.form_to_sign_in(&to_sign_there))?, REFUSED)?;
    refused(visitor.post("/app/sign-in", &device.form_to_sign_in(&to_add))?, REFUSED)?;
    let stranger = site.device(&firm.owner, 2)?;
    refused(visitor.post("/app/sign-in", &stranger.form_to_sign_in(&to_sign))?, REFUSED)?;
    refused(visitor.post("/app/sign-in", &form.replacen("%22", "%20", 1))?, REFUSED)?;
    let id_of_stranger = stranger.form_to_sign_in(&to_sign);
    let swapped = format!("{}&{form}", id_of_stranger.split('&').next().unwrap_or_default());
    refused(visitor.post("/app/sign-in", &swapped)?, REFUSED)?;

    // As it is it signs in, once.
    visitor.post("/app/sign-in", &form)?.expect_status(303)?.expect_header("location", "/app")?;
    refused(visitor.post("/app/sign-in", &form)?, REFUSED)?;
    firm.set(&serde_json::json!({"suspended": true}))?;
    device.counter += 1;
    let answer = visitor.post("/app/sign-in", &device.form_to_sign_in(&to_sign))?;
    answer.expect_status(403)?.expect_no_header("set-cookie").map(drop)
}

pub(super) fn harmful_passkeys_are_refused_and_change_nothing(service: &dyn Service) -> CaseResult {
    if !is_served(service)? {
        return Ok(());
    }
    let (firm, site) = (open(service)?, Site::of(service)?);
    let owner = site.signed_in(service, &firm, &firm.owner)?;
    let mut device = site.device(&firm.owner, 1)?;
    let to_add = challenge(&owner.get("/app/settings/passkeys")?)?;
    let holds_refused = |name: &str, answer: Answer, location: &str| {
        let came = answer.header("location").unwrap_or_default().to_owned();
        holds(answer.status == 303 && came == location, name, location, || format!("{} {came}", answer.status))
    };
    for (name, form) in device.harmful_forms_to_add(&to_add) {
        let answer = owner.post("/app/settings/passkeys", &form)?;
        holds_refused(name, answer, "/app/settings/passkeys?said=failed")?;
    }
    let known = ids(&owner.get("/app/settings/passkeys")?);
    holds(known.is_empty(), "harmful passkeys", "no passkey", || format!("{known:?}"))?;

    site.add(&owner, &device)?.expect_header("location", "/app/settings/passkeys?said=added")?;
    let (visitor, to_sign) = site.visitor(service)?;
    device.counter = 1;
    for (name, form) in device.harmful_forms_to_sign_in(&to_sign) {
        holds_refused(name, visitor.post("/app/sign-in", &form)?, REFUSED)?;
    }
    site.enters(service, &mut device, "/app")
}
