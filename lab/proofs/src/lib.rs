//! Long tests of the emulator. Each holds it to a model that was written apart from it:
//!
//! | program | holds | to |
//! |---|---|---|
//! | `brute_force` | the races of random kernels | all pairs of accesses, and the plain rule |
//! | `axioms` | outcomes and races of random programs | the axioms of the PTX memory consistency model |
//! | `files` | the fast checker, on every pair of programs and every lesson's kernel | the plain rule |
//! | `files` | kernels that use CUDA's own headers, CUB and libcu++ | what their `// run:` lines say |
//! | `files` | outcomes of litmus tests | the PTX memory consistency model |
//! | `files` | traced runs, and runs whose recorded choices are made again | the same runs without |
//! | `lessons` | all runs of a lesson | the plain rule |
//! | `locks` | all executions of locks and a barrier of the literature | what is known of them |
//! | `debug_builds` | the lessons' kernels as nvcc's debug builds | the lessons' tables and properties |
//! | `mutants` | programs changed at random | no panic, and bounded time and memory |
//!
//! The tests of the emulator's own behaviour are in `emulator/tests/`.
