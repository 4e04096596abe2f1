//! The values of `wgmma.mma_async`, against three loops over plain matrices.
//!
//! The matrices are laid out here by rows and chunks of 16 bytes, as the ISA's figures of each swizzle mode show them,
//! and not by the layouts' formulas. All numbers are small integers, so every sum is exact, whatever its order.

use emulator::{Checks, Config, Device, HostMemory, HostOrder, LaunchConfig, LaunchReport, Policy, Profile, Program};
use half::{bf16, f16};
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Element {
    F16,
    Bf16,
    Tf32,
    E4m3,
    E5m2,
    S8,
    U8,
}

use Element::*;

impl Element {
    fn name(self) -> &'static str {
        match self {
            F16 => "f16",
            Bf16 => "bf16",
            Tf32 => "tf32",
            E4m3 => "e4m3",
            E5m2 => "e5m2",
            S8 => "s8",
            U8 => "u8",
        }
    }

    fn bytes(self) -> usize {
        match self {
            F16 | Bf16 => 2,
            Tf32 => 4,
            _ => 1,
        }
    }

    /// A number that is exact in this type.
    fn value(self, seed: usize) -> i64 {
        let wild = (seed.wrapping_mul(2_654_435_761) >> 9) as i64;
        match self {
            U8 => wild & 0xff,
            S8 => (wild & 0xff) - 128,
            E4m3 | E5m2 => wild % 5 - 2,
            _ => wild % 15 - 7,
        }
    }

    fn bits(self, value: i64) -> Vec<u8> {
        let float = value as f32;
        match self {
            F16 => f16::from_f32(float).to_le_bytes().to_vec(),
            Bf16 => bf16::from_f32(float).to_le_bytes().to_vec(),
            // The lowest 13 bits do not count.
            Tf32 => (float.to_bits() | 0x1234).to_le_bytes().to_vec(),
            E5m2 => vec![(f16::from_f32(float).to_bits() >> 8) as u8],
            // 0, 1 and 2 of either sign.
            E4m3 => vec![[0, 0x38, 0x40][value.unsigned_abs() as usize] | if value < 0 { 0x80 } else { 0 }],
            S8 | U8 => vec![value as u8],
        }
    }
}

/// The layout of one matrix in shared memory: `width` bytes in a row of the swizzle's pattern, 16 for none.
#[derive(Clone, Copy, Debug)]
struct Layout {
    width: usize,
    transposed: bool,
    /// The slice of 32 bytes along `k`, in a row of the pattern: K-major only.
    slice: usize,
    /// Bytes from a boundary of 1024 at which the pattern begins.
    shift: usize,
}

const fn rows_of(width: usize) -> Layout {
    Layout { width, transposed: false, slice: 0, shift: 0 }
}

const fn columns_of(width: usize) -> Layout {
    Layout { width, transposed: true, slice: 0, shift: 0 }
}

impl Layout {
    /// Leading and stride offset, for so many rows (or columns) and bytes of an element.
    fn strides(self, rows: usize) -> (usize, usize) {
        match (self.width, self.transposed) {
            (16, false) => (rows / 8 * 128, 128),
            // Eights of k lie in steps of 128, those of rows further apart.
            (16, true) => (128, 256),
            (width, false) => (16, 8 * width),
            // The first eight k, then the next, then the next rows.
            (width, true) => (16 * width, 8 * width),
        }
    }

    fn place(self, rows: usize, row: usize, byte_of_row: usize, k: usize) -> usize {
        let (leading, stride) = self.strides(rows);
        let chunks = self.width / 16;
        // The pattern repeats after eight lines, of which 1, 2 or 4 share 128 bytes.
        let exchange = |line: usize| if chunks == 1 { 0 } else { line * chunks / 8 % chunks };
        let within = match (self.transposed, chunks) {
            (false, 1) => row / 8 * stride + row % 8 * 16 + byte_of_row / 16 * leading + byte_of_row % 16,
            (false, _) => {
                let chunk = (2 * self.slice + byte_of_row / 16) ^ exchange(row % 8);
                row / 8 * stride + row % 8 * self.width + chunk * 16 + byte_of_row % 16
            }
            (true, 1) => row / 8 * stride + k / 8 * leading + k % 8 * 16 + row % 8 * 2,
            (true, _) => {
                let across = row * 2;
                let chunk = (across % self.width / 16) ^ exchange(k % 8);
                across / self.width * leading + k / 8 * stride + k % 8 * self.width + chunk * 16 + across % 16
            }
        };
        self.shift + within
    }

    fn descriptor(self, rows: usize) -> u64 {
        let (leading, stride) = self.strides(rows);
        let mode = match self.width {
            16 => 0,
            32 => 3,
            64 => 2,
            _ => 1,
        };
        let base = if mode == 0 { 0 } else { (self.shift as u64 >> 7) & 7 };
        let start = (self.shift + 32 * self.slice) as u64 >> 4;
        start | (leading as u64 >> 4) << 16 | (stride as u64 >> 4) << 32 | base << 49 | mode << 62
    }
}

#[derive(Clone, Copy, Debug)]
struct Case {
    n: usize,
    a: Element,
    b: Element,
    d: &'static str,
    /// `None`: in registers.
    layout_a: Option<Layout>,
    layout_b: Layout,
    adds: bool,
    negates: (bool, bool),
    saturates: bool,
}

/// Where `b` begins in shared memory.
const B: usize = 16384 - 1024;

impl Case {
    fn new(n: usize, a: Element, d: &'static str, layout_a: Option<Layout>, layout_b: Layout) -> Case {
        Case { n, a, b: a, d, layout_a, layout_b, adds: true, negates: (false, false), saturates: false }
    }

    fn k(&self) -> usize {
        32 / self.a.bytes()
    }

    fn registers(&self) -> usize {
        if self.d == "f16" { self.n / 4 } else { self.n / 2 }
    }

    fn text(&self) -> String {
        let (registers, ty) = (self.registers(), if self.d == "f32" { "f32" } else { "b32" });
        let list = |name: &str, count: usize| {
            let all: Vec<String> = (0..count).map(|nth| format!("%{name}{nth}")).collect();
            format!("{{{}}}", all.join(", "))
        };
        let scale = |negated: bool| if negated { "-1" } else { "1" };
        let trans = |layout: Layout| u8::from(layout.transposed);
        let mut last = vec![if self.adds { "1".to_string() } else { "0".to_string() }];
        if !matches!(self.a, S8 | U8) {
            last.extend([scale(self.negates.0), scale(self.negates.1)].map(String::from));
        }
        if matches!(self.a, F16 | Bf16) {
            last.extend(self.layout_a.map(|layout| trans(layout).to_string()));
            last.push(trans(self.layout_b).to_string());
        }
        let a = if self.layout_a.is_some() { "%da".to_string() } else { list("a", 4) };
        let of_a = self.layout_a.map_or(0, |layout| layout.descriptor(64));
        let of_b = self.layout_b.descriptor(self.n);
        let each = |what: &dyn Fn(usize) -> String, count: usize| (0..count).map(what).collect::<String>();
        format!(
            ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry product(.param .u64 image, .param .u64 a, \
             .param .u64 c, .param .u64 out)\n{{\n.shared .align 1024 .b8 s[49152];\n.reg .b64 %p<8>, %da, %db;\n\
             .reg .b32 %t, %i, %s, %x<4>, %a<4>;\n.reg .{ty} %d<{registers}>;\n.reg .pred %q;\n\
             mov.u32 %t, %tid.x;\nld.param.u64 %p0, [image];\nmul.lo.u32 %i, %t, 16;\nmov.u32 %s, s;\n\
             COPY:\ncvt.u64.u32 %p1, %i;\nadd.u64 %p1, %p1, %p0;\nadd.u32 %x0, %s, %i;\n\
             ld.global.v4.b32 {{%a0, %a1, %a2, %a3}}, [%p1];\nst.shared.v4.b32 [%x0], {{%a0, %a1, %a2, %a3}};\n\
             add.u32 %i, %i, 2048;\nsetp.lt.u32 %q, %i, 49152;\n@%q bra COPY;\n\
             fence.proxy.async;\nbar.sync 0;\n\
             ld.param.u64 %p2, [a];\nmul.wide.u32 %p3, %t, 16;\nadd.u64 %p2, %p2, %p3;\n\
             ld.global.v4.b32 {{%a0, %a1, %a2, %a3}}, [%p2];\n\
             ld.param.u64 %p4, [c];\nmul.wide.u32 %p5, %t, {bytes};\nadd.u64 %p4, %p4, %p5;\n\
             {loads}\
             shr.u32 %s, %s, 4;\ncvt.u64.u32 %p6, %s;\nadd.u64 %da, %p6, {of_a};\nadd.u64 %db, %p6, {of_b};\n\
             wgmma.fence.sync.aligned;\n\
             wgmma.mma_async.sync.aligned.m64n{n}k{k}{saturates}.{d}.{ta}.{tb} {accumulators}, {a}, %db, {last};\n\
             wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n\
             ld.param.u64 %p7, [out];\nadd.u64 %p7, %p7, %p5;\n{stores}ret;\n}}\n",
            bytes = 4 * registers,
            of_b = of_b + (B as u64 >> 4),
            loads = each(&|nth| format!("ld.global.{ty} %d{nth}, [%p4+{}];\n", 4 * nth), registers),
            stores = each(&|nth| format!("st.global.{ty} [%p7+{}], %d{nth};\n", 4 * nth), registers),
            n = self.n,
            k = self.k(),
            saturates = if self.saturates { ".satfinite" } else { "" },
            d = self.d,
            ta = self.a.name(),
            tb = self.b.name(),
            accumulators = list("d", registers),
            last = last.join(", "),
        )
    }

    /// Row and column of an element of `d`: thread, register and half of it (PTX ISA, "Register Fragments and Shared
    /// Memory Matrix Layouts", figure of D).
    fn of_d(&self, thread: usize, nth: usize) -> (usize, usize) {
        let (warp, lane) = (thread / 32, thread % 32);
        (16 * warp + lane / 4 + 8 * (nth / 2 % 2), 8 * (nth / 4) + 2 * (lane % 4) + nth % 2)
    }

    fn run(&self, policy: Policy, checks: Checks) {
        let (n, k) = (self.n, self.k());
        let a: Vec<i64> = (0..64 * k).map(|nth| self.a.value(nth + 1)).collect();
        let b: Vec<i64> = (0..n * k).map(|nth| self.b.value(nth + 77_777)).collect();
        let start = |row: usize, column: usize| {
            let large = i64::from(i32::MAX) - 3;
            if self.saturates { large } else { (row * 3 + column) as i64 % 9 - 4 }
        };
        let mut image = vec![0u8; 49152];
        let mut put = |layout: Layout, rows: usize, at: usize, element: Element, all: &[i64]| {
            for (nth, &value) in all.iter().enumerate() {
                let (row, k) = (nth / k, nth % k);
                let place = at + layout.place(rows, row, k * element.bytes(), k);
                image[place..place + element.bytes()].copy_from_slice(&element.bits(value));
            }
        };
        if let Some(layout) = self.layout_a {
            put(layout, 64, 0, self.a, &a);
        }
        put(self.layout_b, n, B, self.b, &b);
        // Rows of A in registers: two of eight, then the same further along k.
        let per = 4 / self.a.bytes();
        let mut of_a = vec![0u8; 128 * 16];
        for (thread, register, part) in (0..128 * 4 * per).map(|nth| (nth / 4 / per, nth / per % 4, nth % per)) {
            let (warp, lane) = (thread / 32, thread % 32);
            let row = 16 * warp + lane / 4 + 8 * (register % 2);
            let along = (lane % 4) * per + part + 4 * per * (register / 2);
            let at = thread * 16 + register * 4 + part * self.a.bytes();
            of_a[at..at + self.a.bytes()].copy_from_slice(&self.a.bits(a[row * k + along]));
        }
        let count = self.registers() * if self.d == "f16" { 2 } else { 1 };
        let written = |of: &dyn Fn(usize, usize) -> i64| -> Vec<u8> {
            let elements = (0..128 * count).map(|nth| self.of_d(nth / count, nth % count));
            let bits = |(row, column)| {
                let value = of(row, column);
                match self.d {
                    "f16" => f16::from_f64(value as f64).to_le_bytes().to_vec(),
                    "f32" => (value as f32).to_le_bytes().to_vec(),
                    _ => (value as i32).to_le_bytes().to_vec(),
                }
            };
            elements.flat_map(bits).collect()
        };
        let sign = |negated: bool| if negated { -1 } else { 1 };
        let product = |row: usize, column: usize| {
            let sum: i64 = (0..k).map(|at| a[row * k + at] * b[column * k + at]).sum();
            let sum = sum * sign(self.negates.0) * sign(self.negates.1);
            let sum = sum + if self.adds { start(row, column) } else { 0 };
            if self.saturates { sum.clamp(i32::MIN.into(), i32::MAX.into()) } else { sum }
        };
        let (out, report) =
            launch(&self.text(), policy, checks, &[&image, &of_a, &written(&start)], 512 * self.registers());
        assert!(report.findings.is_empty(), "{self:?}: {:?}", report.findings);
        let want = written(&product);
        let differs = out.chunks(4).zip(want.chunks(4)).position(|(out, want)| out != want);
        assert_eq!(differs.map(|at| self.of_d(at / self.registers(), at % self.registers())), None, "{self:?}");
    }
}

fn launch(text: &str, policy: Policy, checks: Checks, inputs: &[&[u8]], bytes: usize) -> (Vec<u8>, LaunchReport) {
    let program = Arc::new(Program::from_ptx(&[text]).unwrap_or_else(|error| panic!("{error:?}\n{text}")));
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks, policy, workers: 1, fuel: 1 << 30, ..Config::default() });
    let module = device.load(&program).unwrap();
    let order = HostOrder::default();
    let mut parameters = Vec::new();
    for input in inputs {
        let buffer = device.allocate(input.len() as u64, HostMemory::Device).unwrap();
        device.write(buffer, input, &order).unwrap();
        parameters.extend(buffer.to_le_bytes());
    }
    let out = device.allocate(bytes as u64, HostMemory::Device).unwrap();
    parameters.extend(out.to_le_bytes());
    let config =
        LaunchConfig { grid: [1, 1, 1], block: [128, 1, 1], dynamic_shared: 0, cooperative: false, cluster: None };
    let report = device.launch(&module, 0, &config, &parameters, &order).unwrap();
    assert_eq!(report.fault, None, "{:?}", report.findings);
    let mut result = vec![0; bytes];
    device.read(out, &mut result, &order).unwrap();
    (result, report)
}

fn each(cases: impl IntoIterator<Item = Case>) {
    for case in cases {
        case.run(Policy::InOrder, Checks::Fast);
    }
}

const WIDTHS: [usize; 4] = [16, 32, 64, 128];

#[test]
fn every_type_and_swizzle_k_major() {
    let types = [
        (F16, "f32"),
        (F16, "f16"),
        (Bf16, "f32"),
        (Tf32, "f32"),
        (E4m3, "f32"),
        (E5m2, "f16"),
        (S8, "s32"),
        (U8, "s32"),
    ];
    for (element, d) in types {
        each(WIDTHS.map(|width| Case::new(32, element, d, Some(rows_of(width)), rows_of(width))));
        each([Case::new(16, element, d, None, rows_of(128))]);
    }
    each([
        Case { b: U8, ..Case::new(8, S8, "s32", Some(rows_of(64)), rows_of(64)) },
        Case { b: E5m2, ..Case::new(8, E4m3, "f32", None, rows_of(64)) },
    ]);
}

#[test]
fn sixteen_bit_types_mn_major() {
    for width in WIDTHS {
        let columns = columns_of(width);
        each([
            Case::new(64, F16, "f32", Some(columns), columns),
            Case::new(64, Bf16, "f32", Some(rows_of(width)), columns),
            Case::new(128, F16, "f16", Some(columns), rows_of(width)),
            Case::new(64, Bf16, "f32", None, columns),
        ]);
    }
}

#[test]
fn every_number_of_columns() {
    each((1..=32).map(|eights| Case::new(8 * eights, F16, "f32", Some(rows_of(128)), rows_of(64))));
    each([48, 224].map(|n| Case::new(n, S8, "s32", None, rows_of(128))));
}

#[test]
fn a_descriptor_may_begin_within_a_pattern() {
    for slice in 0..4 {
        let layout = Layout { slice, ..rows_of(128) };
        each([Case::new(24, F16, "f32", Some(layout), layout)]);
    }
    let moved = Layout { shift: 384, ..rows_of(128) };
    each([Case::new(24, Bf16, "f32", Some(moved), rows_of(128))]);
    let narrow = Layout { slice: 1, ..rows_of(64) };
    each([Case::new(24, Tf32, "f32", Some(narrow), narrow)]);
}

#[test]
fn signs_sums_and_saturation() {
    let case = Case::new(16, F16, "f32", Some(rows_of(128)), rows_of(128));
    for (x, y) in [(true, false), (false, true), (true, true)] {
        each([Case { negates: (x, y), ..case }, Case { adds: false, negates: (x, y), ..case }]);
    }
    each([Case { saturates: true, ..Case::new(16, S8, "s32", None, rows_of(32)) }]);
}

#[test]
fn values_do_not_depend_on_the_schedule() {
    let case = Case::new(16, Bf16, "f32", Some(rows_of(64)), rows_of(32));
    for seed in 0..4 {
        case.run(Policy::Adversarial { seed }, Checks::Full);
        case.run(Policy::Random { seed }, Checks::Full);
    }
    case.run(Policy::Reverse, Checks::Full);
    case.run(Policy::InOrder, Checks::Full);
}
