//! The results as a table, as JSON and as a picture.

mod goal;
mod picture;
mod row;
mod table;

pub use goal::Goal;
pub use picture::{Curve, bars, curves};
pub use row::{Against, Floor, Machine, Processor, Report, Row, Unit};
pub use table::{markdown, with_figures};
