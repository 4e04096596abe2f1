//! Strong accesses of several elements, and of 128 bits, are whole to each other where two host threads run blocks: who
//! loads gets all of one store. (The ISA leaves the elements' order open; CUB's scans rest on it, see
//! `strong_pair.ptx`.)

use emulator::{Checks, Config, Device, HostMemory, HostOrder, LaunchConfig, Policy, Profile, Program};
use std::sync::Arc;

/// Block 0 stores, block 1 loads, each as often as it is told to; what differed is gathered in the second buffer.
fn kernel(registers: &str, store: &str, load: &str) -> String {
    format!(
        ".version 8.4
.target sm_80
.address_size 64
.visible .entry kernel(.param .u64 pair, .param .u64 out, .param .u32 times)
{{
    .reg .b64 %pair, %out;
    .reg .b32 %block, %k, %times, %x, %y, %differ;
    .reg .pred %loads, %again;
    {registers}
    ld.param.u64 %pair, [pair];
    ld.param.u64 %out, [out];
    ld.param.u32 %times, [times];
    mov.u32 %block, %ctaid.x;
    mov.u32 %differ, 0;
    mov.u32 %k, 0;
    setp.eq.u32 %loads, %block, 1;
  next:
    @%loads bra load;
    {store}
    bra done;
  load:
    {load}
    xor.b32 %x, %x, %y;
    or.b32 %differ, %differ, %x;
  done:
    add.u32 %k, %k, 1;
    setp.lt.u32 %again, %k, %times;
    @%again bra next;
    atom.global.or.b32 %x, [%out], %differ;
    ret;
}}"
    )
}

fn is_whole(text: &str) {
    let program = Arc::new(Program::from_ptx(&[text]).expect("it loads"));
    let mut device = Device::new(Profile::default());
    device.configure(Config {
        checks: Checks::Fast,
        policy: Policy::InOrder,
        workers: 2,
        fuel: 1 << 33,
        ..Config::default()
    });
    let module = device.load(&program).expect("it loads");
    let [pair, out] = [16, 4].map(|bytes| device.allocate(bytes, HostMemory::Device).expect("there is room"));
    let order = HostOrder::default();
    device.write(pair, &[0; 16], &order).expect("it is there");
    device.write(out, &[0; 4], &order).expect("it is there");
    let mut block = [pair.to_le_bytes(), out.to_le_bytes()].concat();
    block.extend(200_000u32.to_le_bytes());
    let shape =
        LaunchConfig { grid: [2, 1, 1], block: [32, 1, 1], dynamic_shared: 0, cooperative: false, cluster: None };
    let report = device.launch(&module, 0, &shape, &block, &order).expect("it launches");
    assert!(report.fault.is_none(), "{:?}", report.fault);
    let mut differ = [0; 4];
    device.read(out, &mut differ, &order).expect("it is there");
    assert_eq!(u32::from_le_bytes(differ), 0, "bits in which the parts of one load differed");
}

#[test]
fn pairs_and_fours() {
    is_whole(&kernel(
        "",
        "st.relaxed.gpu.global.v2.u32 [%pair], {%k, %k};",
        "ld.relaxed.gpu.global.v2.u32 {%x, %y}, [%pair];",
    ));
    is_whole(&kernel(
        ".reg .b32 %a, %b;",
        "st.release.gpu.global.v4.u32 [%pair], {%k, %k, %k, %k};",
        "ld.acquire.gpu.global.v4.u32 {%x, %a, %b, %y}, [%pair];",
    ));
}

#[test]
fn values_of_128_bits() {
    let pack = "cvt.u64.u32 %wide, %k; mov.b128 %quad, {%wide, %wide};";
    let unpack = "mov.b128 {%wide, %other}, %quad; cvt.u32.u64 %x, %wide; cvt.u32.u64 %y, %other;";
    let registers = ".reg .b128 %quad; .reg .b64 %wide, %other;";
    is_whole(&kernel(
        registers,
        &format!("{pack} st.relaxed.gpu.global.b128 [%pair], %quad;"),
        &format!("ld.relaxed.gpu.global.b128 %quad, [%pair]; {unpack}"),
    ));
    is_whole(&kernel(
        registers,
        &format!("{pack} atom.global.exch.b128 %quad, [%pair], %quad;"),
        &format!("ld.relaxed.gpu.global.b128 %quad, [%pair]; {unpack}"),
    ));
}
