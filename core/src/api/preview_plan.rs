//! Plans: signed texts that bind a request to what its dry run showed (rules X14 to X18, decision 0118).

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::error::ApiError;
use crate::{
    key::{KeySecrets, PREVIEW_TAG_BYTES},
    time::Timestamp,
};

/// How long a plan is good: 15 minutes.
const GOOD_SECONDS: i64 = 15 * 60;

const DIGEST_BYTES: usize = 16;
/// The time, whether it was explained, the digest of the request and that of the results.
const SIGNED_BYTES: usize = 8 + 1 + 2 * DIGEST_BYTES;
const PLAN_BYTES: usize = SIGNED_BYTES + PREVIEW_TAG_BYTES;

type ShortDigest = [u8; DIGEST_BYTES];

/// What a plan says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PreviewPlan {
    made_at: Timestamp,
    /// The dry run was explained, so its explanations are part of the results.
    pub(crate) is_explained: bool,
    request: ShortDigest,
    results: ShortDigest,
}

impl PreviewPlan {
    /// Reads a plan that this service gave to this account.
    pub(crate) fn read(secrets: &KeySecrets, account: Uuid, text: &str) -> Result<Self, ApiError> {
        let refused = || {
            ApiError::invalid("plan is not a plan of this account; send the text that the dry run answered, unchanged.")
        };
        let mut bytes = [0; PLAN_BYTES];
        let length = URL_SAFE_NO_PAD.decode_slice(text, &mut bytes).map_err(|_| refused())?;
        let (signed, tag) = bytes.split_at(SIGNED_BYTES);
        if length != PLAN_BYTES || !secrets.is_preview_tag([account.as_bytes(), signed], tag) {
            return Err(refused());
        }
        let parts = || {
            let (made_at, rest) = signed.split_first_chunk()?;
            let (is_explained, rest) = rest.split_first()?;
            let (request, rest) = rest.split_first_chunk()?;
            let results = rest.first_chunk()?;
            let made_at = Timestamp::from_micros(i64::from_be_bytes(*made_at));
            Some(Self { made_at, is_explained: *is_explained == 1, request: *request, results: *results })
        };
        parts().ok_or_else(refused)
    }
}

/// Makes the plans of one request.
#[derive(Clone, Debug)]
pub(crate) struct PlanMaker {
    secrets: KeySecrets,
    account: Uuid,
    now: Timestamp,
    is_explained: bool,
    request: ShortDigest,
}

impl PlanMaker {
    /// For a request of this account with this path, whose results are shown with explanations or without.
    pub(crate) fn new(
        secrets: &KeySecrets,
        account: Uuid,
        now: Timestamp,
        is_explained: bool,
        path: &str,
        body: &str,
    ) -> Self {
        let mut digest = Sha256::new();
        digest.update(path);
        digest.update([0]);
        digest.update(body);
        Self { secrets: secrets.clone(), account, now, is_explained, request: shortened(digest) }
    }

    /// Whether the results of its plans have explanations.
    pub(crate) fn is_explained(&self) -> bool {
        self.is_explained
    }

    /// Refuses a plan that was made for another request.
    pub(crate) fn check_request(&self, plan: &PreviewPlan) -> Result<(), ApiError> {
        if plan.request == self.request {
            return Ok(());
        }
        Err(ApiError::invalid("plan belongs to another request; send it with the path and the body of the dry run."))
    }

    /// Whether a plan is still good, and these are the results that it was made for.
    pub(crate) fn is_kept(&self, plan: &PreviewPlan, results: &str) -> bool {
        self.now <= plan.made_at.plus_seconds(GOOD_SECONDS) && plan.results == digest_of(results)
    }

    /// A plan for these results.
    pub(crate) fn plan(&self, results: &str) -> String {
        let mut bytes = Vec::with_capacity(PLAN_BYTES);
        bytes.extend(self.now.micros().to_be_bytes());
        bytes.push(u8::from(self.is_explained));
        bytes.extend(self.request);
        bytes.extend(digest_of(results));
        let tag = self.secrets.preview_tag([self.account.as_bytes(), &bytes]);
        bytes.extend(tag);
        URL_SAFE_NO_PAD.encode(bytes)
    }
}

fn digest_of(results: &str) -> ShortDigest {
    shortened(Sha256::new_with_prefix(results))
}

fn shortened(digest: Sha256) -> ShortDigest {
    let mut short = [0; DIGEST_BYTES];
    short.iter_mut().zip(digest.finalize()).for_each(|(to, from)| *to = from);
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::new_secret;

    const ACCOUNT: Uuid = Uuid::from_u128(1);
    const NOW: Timestamp = Timestamp::from_micros(1_800_000_000_000_000);

    fn secrets(bytes: &[u8]) -> KeySecrets {
        let texts: Vec<_> = bytes.iter().map(|byte| new_secret([*byte; 32])).collect();
        KeySecrets::parse(&texts.join(",")).unwrap()
    }

    fn maker(secrets: &KeySecrets, now: Timestamp, path: &str, body: &str) -> PlanMaker {
        PlanMaker::new(secrets, ACCOUNT, now, true, path, body)
    }

    #[test]
    fn a_plan_is_good_for_its_results_for_fifteen_minutes() {
        let secrets = secrets(&[1]);
        let text = maker(&secrets, NOW, "/a", "{}").plan("results");
        assert_eq!(text.len(), 76);
        let plan = PreviewPlan::read(&secrets, ACCOUNT, &text).unwrap();
        assert!(plan.is_explained);
        for (seconds, results, is_kept) in
            [(0, "results", true), (900, "results", true), (901, "results", false), (0, "others", false)]
        {
            let later = maker(&secrets, NOW.plus_seconds(seconds), "/a", "{}");
            assert_eq!(later.is_kept(&plan, results), is_kept, "{seconds} {results}");
        }
    }

    #[test]
    fn a_plan_belongs_to_one_path_and_body() {
        let secrets = secrets(&[1]);
        let plan = PreviewPlan::read(&secrets, ACCOUNT, &maker(&secrets, NOW, "/a", "{}").plan("")).unwrap();
        for (path, body, is_its_own) in [("/a", "{}", true), ("/a", "{ }", false), ("/b", "{}", false)] {
            assert_eq!(maker(&secrets, NOW, path, body).check_request(&plan).is_ok(), is_its_own, "{path} {body}");
        }
    }

    #[test]
    fn a_plan_with_any_other_character_or_of_another_account_or_service_is_refused() {
        let here = secrets(&[1]);
        let text = maker(&here, NOW, "/a", "{}").plan("results");
        for position in 0..text.len() {
            for other in ["A", "B", "_", "=", "é"] {
                let mut changed = text.clone();
                changed.replace_range(position..=position, other);
                assert!(changed == text || PreviewPlan::read(&here, ACCOUNT, &changed).is_err(), "{changed}");
            }
        }
        for changed in ["", "plan", &text[..75], &format!("{text}A")] {
            assert!(PreviewPlan::read(&here, ACCOUNT, changed).is_err(), "{changed}");
        }
        assert!(PreviewPlan::read(&here, Uuid::from_u128(2), &text).is_err());
        assert!(PreviewPlan::read(&secrets(&[2]), ACCOUNT, &text).is_err());
    }

    #[test]
    fn a_plan_outlives_the_change_of_the_key_secret() {
        let text = maker(&secrets(&[1]), NOW, "/a", "{}").plan("results");
        assert!(PreviewPlan::read(&secrets(&[2, 1]), ACCOUNT, &text).is_ok());
    }
}
