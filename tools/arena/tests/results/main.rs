//! What a run amounts to: standings and report.

mod generate;
mod report;
mod standings;
