//! The lessons' kernels as nvcc's debug builds (`-G`): the same bugs are found, and correct kernels are silent.
//!
//! `-G` makes every address generic, moves every value through local memory, and calls the functions of CUDA's headers.
//! None of that hides a race or makes one. The lessons' own properties run too, on fewer cases. Without nvcc each test
//! says that it is skipped.

mod lesson01;
mod lesson02;
mod lesson03;
mod lesson04;
mod lesson05;
mod lesson06;
mod lesson07;
