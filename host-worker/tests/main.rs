//! The tests of the Worker, one program: most of them wait, for the rate limit's minute and for time limits, and
//! meanwhile others run.

mod alarm;
mod conformance;
mod faults;
mod hostile;
mod served;
mod support;
