pub mod barriers;
pub mod clock;
pub mod copies;
pub mod fences;
pub mod grids;
pub mod mbarrier;
pub mod release;
