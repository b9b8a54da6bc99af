//! The Worker as `dev` and `serve.mjs` serve it locally. Most of a test is waiting, so these run in parallel,
//! each with a Worker of its own.

mod body_budget;
mod chunked_body;
mod costs;
mod crash;
mod deploy;
mod deployments;
mod dev;
mod objects;
mod parallel;
mod prospects;
mod rate_limiter;
mod requirements;
mod restore;
mod upgrade;
