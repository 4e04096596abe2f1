//! Who touched what last: rows and cells, what they have no room for, and whether a new access races with it. To be read in this
//! order: `accesses` (where an access comes in), `row` and `short` (what settles most of them), `judge`, `record`, `overflow` and
//! its `entries`.

pub mod accesses;
pub mod actor;
pub mod cell;
pub mod cells;
pub mod chains;
pub mod entries;
pub mod judge;
pub mod observation;
pub mod overflow;
pub mod race;
pub mod readers;
pub mod record;
pub mod row;
pub mod short;
pub mod write_chain;
