### What goes wrong while kernels are built, and what helps.

no-root = no folder with `cuda/` and `Cargo.toml` at or above { $start }
needed = { $source } is new, or has changed since its PTX was stored. It has to be compiled:
no-nvcc = no nvcc found (looked at NVCC, CUDA_HOME, CUDA_PATH, PATH, /usr/local/cuda, /opt/cuda and the fetched toolkit)
    .help = help: `{ $command } install` fetches one, about 195 MB, into your cache folder
broken-nvcc = the nvcc at { $path } cannot be used: { $problem }
    .help = help: fix it, or point NVCC at one that works. `{ $command } install` fetches one, and `{ $command } status` shows what is found
no-host-compiler = the nvcc at { $path } needs a host C++ compiler: { $problem }
    .help = help: on Debian and Ubuntu, `sudo apt-get install g++`. NVCC_CCBIN can name another compiler
nvcc-refused = nvcc refused { $source }
bad-arch = { $source }: `Arch { $arch }` should read like `Arch sm_90`
io = cannot { $doing ->
    [open] open
    [read] read
    [write] write
    [list] list
    [create] create
    [remove] remove
   *[run] run
} { $path }: { $error }
another-version = it is version { $version }
cannot-run = it cannot be run ({ $error })
program-cannot-run = `{ $program }` cannot be run ({ $error })
program-fails = `{ $program }` fails: { $said }
said-nothing = it printed nothing
version-fails = `--version` ends with { $status }
names-no-version = `--version` names no version
took-another = the nvcc at { $path } cannot be used ({ $problem }); took { $taken }
# What the operating system says of a file, a program or a connection.
of-system = { $kind ->
    [not-found] there is no such file or folder
    [denied] permission denied
    [exists] it exists already
    [is-folder] it is a folder
    [no-folder] a part of the path is not a folder
    [full] the disk is full
    [quota] the disk quota is used up
    [read-only] the disk is read-only
    [too-large] the file would be too large
    [memory] not enough memory
    [timed-out] it took too long
    [refused] the connection was refused
   *[in-use] the address is in use by another program
}
