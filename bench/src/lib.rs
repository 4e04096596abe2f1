//! Times of the lessons' kernels on a GPU, beside the peers' that a professional would call.

pub mod record;
