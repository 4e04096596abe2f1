//! The shadow memory: the last accesses of each location, and the comparison of new accesses with them. To be read in
//! this order: `accesses` (the entry point), `row` and `short` (fast paths), `judge`, `record`, and `table` with its
//! `overflow` and `entries`.

pub mod accesses;
pub mod actor;
pub mod cell;
pub mod cells;
pub mod chains;
pub mod displaced;
pub mod entries;
pub mod judge;
pub mod observation;
pub mod overflow;
pub mod race;
pub mod readers;
pub mod record;
pub mod row;
pub mod short;
pub mod table;
pub mod write_chain;
