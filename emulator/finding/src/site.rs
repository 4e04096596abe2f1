//! Source lines, threads and launches: where something happened, and which thread did it.

/// A place in the kernel's source, as `.loc` gives it, walked out of headers to the user's own line.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceLocation {
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

/// Which thread, as CUDA names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ThreadName {
    pub block: [u32; 3],
    pub thread: [u32; 3],
    /// Linear thread index in its block.
    pub linear: u32,
}

/// A launch made by a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LaunchSite {
    /// The kernel that was launched.
    pub kernel: String,
    /// The line of the launch, where the PTX says it.
    pub location: Option<SourceLocation>,
    pub ptx_line: u32,
    /// The thread that launched it.
    pub thread: ThreadName,
}
