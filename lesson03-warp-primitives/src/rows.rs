//! The lesson's table.

use crate::{blocks, catalogue, there, tickets, warps};
use common::Row;

/// Every row, in the order in which the lesson tells them.
pub static ROWS: &[Row] = &[
    catalogue::exchange::EXCHANGE,
    catalogue::members::VOTE,
    catalogue::members::MATCH,
    catalogue::members::REDUX,
    tickets::PRE_VOLTA,
    warps::WARP_SUM,
    warps::ALL_REDUCE,
    there::BALLOT_SUM,
    there::ACTIVEMASK_SUM,
    warps::TRANSPOSE,
    warps::LOCKSTEP_SUM,
    blocks::BLOCK_REDUCE_SUM,
    blocks::BLOCK_REDUCE_TAIL,
    blocks::DEVICE_REDUCE,
];
