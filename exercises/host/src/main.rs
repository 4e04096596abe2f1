// The student's program, whole. (No documentation comment: what is taken in may begin with anything.)
use driver as _;

include!(concat!(env!("OUT_DIR"), "/program.rs"));
