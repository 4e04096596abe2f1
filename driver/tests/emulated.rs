//! The API on the emulated device, a module for each subject. One program, because every test program is linked with
//! the whole emulator. The others need a process to themselves: for the choice of a device, its end, or calls with
//! handles that may be another test's.

#[path = "support/alone.rs"]
mod alone;
mod batch;
mod cust;
mod deprecated;
mod graph_any;
mod graph_attributes;
mod graph_condition;
mod graph_memory;
mod graphs;
mod handles;
mod images;
mod ipc;
mod launch;
mod newer;
mod order;
mod ownership;
mod pools;
mod refused;
mod stream_values;
mod streams;
mod support;
mod tensor_maps;
mod virtual_memory;
