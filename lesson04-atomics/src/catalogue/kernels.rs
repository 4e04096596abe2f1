//! The kernels of the catalogue, by the file that they are in.

/// The kernels of one file: `both` exist in global and in shared memory, `global` only there.
macro_rules! kernels {
    (both: $($both:literal)*; global: $($global:literal)*) => {
        &[$(concat!($both, "_global"), concat!($both, "_shared"),)* $(concat!($global, "_global"),)*]
    };
}

pub(super) const ADD: &[&str] = kernels!(
    both: "add_int" "add_unsigned" "add_ull" "add_float" "add_double" "add_half" "add_half2";
    global:
);
pub(super) const ADD_SM90: &[&str] = kernels!(
    both: "add_bfloat16" "add_bfloat162";
    global: "add_float2" "add_float4"
);
pub(super) const ARITHMETIC: &[&str] = kernels!(
    both: "sub_int" "sub_unsigned" "min_int" "min_unsigned" "min_longlong" "min_ull"
        "max_int" "max_unsigned" "max_longlong" "max_ull" "inc_unsigned" "dec_unsigned";
    global:
);
pub(super) const BITS: &[&str] = kernels!(
    both: "exch_int" "exch_unsigned" "exch_ull" "exch_float" "cas_int" "cas_unsigned" "cas_ull" "cas_ushort"
        "and_int" "and_unsigned" "and_ull" "or_int" "or_unsigned" "or_ull" "xor_int" "xor_unsigned" "xor_ull";
    global:
);
