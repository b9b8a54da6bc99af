//! The machine: processes, their processor time and memory, the disk.

mod disk;
mod process;

pub use disk::{slow_disk, sync_time};
pub use process::{Memory, Process, thread_processor_time};
