//! The runtime's clock, random bytes and jurisdictions, and the names of counties.

use std::borrow::Cow;

use http::HeaderMap;
use matterbook_core::{jurisdiction::Jurisdiction, platform::Platform, time::Timestamp};
use wasm_bindgen::prelude::wasm_bindgen;
use worker::{Date, Env};

#[wasm_bindgen(raw_module = "counties")]
extern "C" {
    /// The names are in the JavaScript beside the module, whose size has a budget.
    #[wasm_bindgen(js_name = countyName)]
    fn county_name(fips: &str) -> Option<String>;
}

#[wasm_bindgen(raw_module = "nicknames")]
extern "C" {
    fn nicknames() -> String;
}

#[wasm_bindgen(raw_module = "jurisdictions", wasm_bindgen = ::worker::wasm_bindgen)]
extern "C" {
    #[wasm_bindgen(js_name = hasJurisdiction)]
    fn has_jurisdiction(env: &Env, name: &str) -> bool;
}

/// The platform of one request.
#[derive(Default)]
pub(crate) struct WorkerPlatform {
    /// The bindings. Without a request there are none.
    env: Option<Env>,
    #[cfg(feature = "test-hooks")]
    set_by_test: Option<matterbook_core::memory::ManualPlatform>,
}

impl WorkerPlatform {
    /// The platform of a request. In the build for tests, the headers set its clock.
    #[cfg_attr(not(feature = "test-hooks"), expect(unused_variables, reason = "only tests set headers"))]
    pub(crate) fn of(headers: &HeaderMap, env: &Env) -> Self {
        Self {
            env: Some(env.clone()),
            #[cfg(feature = "test-hooks")]
            set_by_test: crate::hooks::platform(headers),
        }
    }
}

impl Platform for WorkerPlatform {
    fn now(&self) -> Timestamp {
        #[cfg(feature = "test-hooks")]
        if let Some(platform) = &self.set_by_test {
            return platform.now();
        }
        now()
    }

    fn random(&self) -> [u8; 32] {
        #[cfg(feature = "test-hooks")]
        if let Some(platform) = &self.set_by_test {
            return platform.random();
        }
        let mut bytes = [0; 32];
        #[expect(clippy::expect_used, reason = "without random bytes no key and no id can be made")]
        getrandom::fill(&mut bytes).expect("the runtime gives random bytes");
        bytes
    }

    fn county_name(&self, fips: &str) -> Option<Cow<'static, str>> {
        county_name(fips).map(Cow::Owned)
    }

    fn nicknames(&self) -> Cow<'static, str> {
        Cow::Owned(nicknames())
    }

    /// An isolate has 128 MB, and an invocation 1,000 queries of D1.
    fn compared_clients_max(&self) -> usize {
        100_000
    }

    fn has_jurisdiction(&self, jurisdiction: Jurisdiction) -> bool {
        self.env.as_ref().is_some_and(|env| has_jurisdiction(env, jurisdiction.name()))
    }
}

/// The time by the machine's clock. The runtime advances it only with I/O.
pub(crate) fn now() -> Timestamp {
    Timestamp::from_micros(i64::try_from(Date::now().as_millis()).unwrap_or(i64::MAX).saturating_mul(1_000))
}
