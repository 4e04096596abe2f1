//! The wheels that together are a toolkit, each pinned by version and by the sha256 of its file on each platform.

use anyhow::{Result, bail};

/// One wheel for one platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wheel {
    /// As `pip` knows it.
    pub name: String,
    pub version: String,
    /// In hexadecimal.
    pub sha256: String,
}

struct Pin {
    name: &'static str,
    version: &'static str,
    x86_64: &'static str,
    aarch64: &'static str,
}

const PINS: [Pin; 6] = [
    Pin {
        name: "nvidia-cuda-nvcc", // nvcc, ptxas, nvlink, cudafe++
        version: kernel_build::toolkit::NVCC_VERSION,
        x86_64: "56fe502eb77625a12f25172caa3cdddb4e4c8ba2c8c17dba44b164761b380f03",
        aarch64: "c7ff28f86a24effdc6c034fa15230c549a273e4771b10a7fec14996f8cf3307f",
    },
    Pin {
        name: "nvidia-nvvm", // cicc, the compiler proper, and libdevice
        version: "13.0.88",
        x86_64: "c5f41ffeb6466944a026dfa5317d7d85355c119bbec279205d22f1869d1054e0",
        aarch64: "c4376a291d72d22a315d9d2f69bdae8f8cd83a627f75bad395cee49a0fe65dc1",
    },
    Pin {
        name: "nvidia-cuda-crt", // the headers that nvcc includes by itself
        version: "13.0.88",
        x86_64: "2c8043c7c9e02492716426e9919fc78d2c5b3b2a7a768a88e952676b08aa55a4",
        aarch64: "ee2ea2a97073e02ee62bb27841f437332be2c248e3eac013df07997ada39c003",
    },
    Pin {
        name: "nvidia-cuda-runtime", // headers, cooperative groups, libcudadevrt.a
        version: "13.0.96",
        x86_64: "7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548",
        aarch64: "ef9bcbe90493a2b9d810e43d249adb3d02e98dd30200d86607d8d02687c43f55",
    },
    Pin {
        name: "nvidia-cuda-cccl", // CUB, Thrust, libcu++
        version: "13.0.85",
        x86_64: "e0da7ad981f3a8aff08241b5bfc1af868742a63e2762f53a5171c492ef242649",
        aarch64: "6f0203e29fed809ee2b7fe9b1344df66ecab990c37d6a2e0e189b26d6c97ed7c",
    },
    Pin {
        name: "nvidia-cuda-nvrtc", // the compiler as a library, for `cargo learn`
        version: "13.0.88",
        x86_64: "ad9b6d2ead2435f11cbb6868809d2adeeee302e9bb94bcf0539c7a40d80e8575",
        aarch64: "d27f20a0ca67a4bb34268a5e951033496c5b74870b868bacd046b1b8e0c3267b",
    },
];

/// The wheels for this machine.
pub fn for_this_machine() -> Result<Vec<Wheel>> {
    for_platform(std::env::consts::OS, std::env::consts::ARCH)
}

/// The wheels for an operating system and a processor, named as Rust names them.
pub fn for_platform(os: &str, arch: &str) -> Result<Vec<Wheel>> {
    let hash: fn(&Pin) -> &'static str = match (os, arch) {
        ("linux", "x86_64") => |pin| pin.x86_64,
        ("linux", "aarch64") => |pin| pin.aarch64,
        _ => bail!(say!("no-wheels-for", os, processor = arch)),
    };
    let wheel = |pin: &Pin| Wheel { name: pin.name.into(), version: pin.version.into(), sha256: hash(pin).into() };
    Ok(PINS.iter().map(wheel).collect())
}

/// Another toolkit than the one that made the stored PTX, to try the kernels with: for x86-64 only.
#[derive(Clone, Copy, Debug)]
pub struct Other {
    /// That of its compiler.
    pub version: &'static str,
    pins: &'static [(&'static str, &'static str, &'static str)],
}

/// The oldest that there are wheels for, the newest 12, and the newest. The wheels up to 12.9 have no nvcc, only its
/// compiler as a library, NVRTC.
pub const OTHERS: [Other; 3] = [
    Other {
        version: "11.8.89",
        pins: &[
            ("nvidia-cuda-nvrtc-cu11", "11.8.89", "a8d02f3cba345be56b1ffc3e74d8f61f02bb758dd31b0f20e12277a5a244f756"),
            ("nvidia-cuda-runtime-cu11", "11.8.89", "92d04069a987e1fbc9213f8376d265df0f7bb42617d44f5eda1f496acea7f2d1"),
            (
                "nvidia-cuda-cccl-cu11",
                "11.8.89.post1",
                "646c7843c50b0267043f2c071183c7fe57269ac871c970c6de63b19fe1c6229e",
            ),
        ],
    },
    Other {
        version: "12.9.86",
        pins: &[
            ("nvidia-cuda-nvrtc-cu12", "12.9.86", "210cf05005a447e29214e9ce50851e83fc5f4358df8b453155d5e1918094dcb4"),
            ("nvidia-cuda-runtime-cu12", "12.9.79", "25bba2dfb01d48a9b59ca474a1ac43c6ebf7011f1b0b8cc44f54eb6ac48a96c3"),
            ("nvidia-cuda-cccl-cu12", "12.9.27", "37869e17ce2e1ecec6eddf1927cca0f8c34e64fd848d40453df559091e2d7117"),
        ],
    },
    Other {
        version: "13.5.37",
        pins: &[
            ("nvidia-cuda-nvcc", "13.5.37", "f5c4f7ead5d964fb4af42bbf1e6d3ec3c1e6e9d83b53749f691d387e7fcaa3a7"),
            ("nvidia-nvvm", "13.5.37", "c41bfa362e407405163f103c2229f0765f8cc2ed7d148b754dc77f228bf7e070"),
            ("nvidia-cuda-crt", "13.5.37", "e898b7f73d3035fa89915a3f7bf3b54a73e90249746111aed295822c4729bb29"),
            ("nvidia-cuda-runtime", "13.5.37", "df2b79a8852f10d1fef8c848489c49eebb5754051bf870202a862831412b179d"),
            ("nvidia-cuda-cccl", "13.3.5.0.6", "d5230098fa2df5021e1a00c0c4eee41797671a91119d31e892463e5ccf3ee326"),
        ],
    },
];

impl Other {
    pub fn wheels(&self) -> Result<Vec<Wheel>> {
        if std::env::consts::ARCH != "x86_64" {
            bail!(say!("no-wheels-for", os = std::env::consts::OS, processor = std::env::consts::ARCH));
        }
        let wheel = |&(name, version, sha256): &(&str, &str, &str)| Wheel {
            name: name.into(),
            version: version.into(),
            sha256: sha256.into(),
        };
        Ok(self.pins.iter().map(wheel).collect())
    }
}

/// True if these wheels bring nvcc. Those up to 12.9 bring NVRTC alone, and are named for their toolkit.
pub(crate) fn have_nvcc(wheels: &[Wheel]) -> bool {
    !wheels.iter().any(|wheel| wheel.name.starts_with("nvidia-cuda-nvrtc-cu"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_platform_has_hashes_of_its_own() {
        let x86_64 = for_platform("linux", "x86_64").unwrap();
        let aarch64 = for_platform("linux", "aarch64").unwrap();
        let mut hashes: Vec<&str> = x86_64.iter().chain(&aarch64).map(|wheel| wheel.sha256.as_str()).collect();
        hashes.sort();
        hashes.dedup();
        assert_eq!(hashes.len(), 12);
        assert!(hashes.iter().all(|hash| hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())));
    }

    #[test]
    fn other_toolkits_have_a_compiler_and_headers() {
        for other in OTHERS {
            let Ok(wheels) = other.wheels() else { continue };
            assert_eq!(have_nvcc(&wheels), wheels.iter().any(|wheel| wheel.name == "nvidia-cuda-nvcc"), "{other:?}");
            for part in ["runtime", "cccl"] {
                assert!(wheels.iter().any(|wheel| wheel.name.contains(part)), "{part} in {other:?}");
            }
            assert!(wheels.iter().all(|wheel| wheel.sha256.len() == 64), "{other:?}");
        }
    }

    #[test]
    fn other_platforms_are_told_so() {
        let message = for_platform("macos", "aarch64").unwrap_err().to_string();
        assert!(message.contains("macos on aarch64"), "{message}");
    }
}
