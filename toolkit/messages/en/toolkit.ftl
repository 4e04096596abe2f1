### What `cargo toolkit` says.

usage = usage:
    .install = fetch nvcc and NVRTC (about 195 MB) into your cache folder, or into FOLDER
    .status = show what is here to compile kernels with, and what is missing
    .uninstall = remove what install put there
    .lang = --lang en or --lang es: the language of what is printed (otherwise LESSON_LANG, then the locale)
    .exit = exit status: 0 when it worked; 1 when not (status: when kernels cannot be compiled); 2 for bad arguments
error = error: { $error }

## install and uninstall

installed = { $how ->
    [now] installed in { $folder }
    [completed] completed in { $folder }
   *[already] already installed in { $folder }
}
to-use-it = to use it: export CUDA_HOME={ $folder }
host-also = note: nvcc also needs a host C++ compiler, and { $problem }. `{ $command } status` says more
removed = removed { $folder }
nothing-to-remove = there is nothing to remove in { $folder }
no-folder-named = `--dir` needs a folder
folder-unknown = cannot tell where that folder is
no-home = neither HOME nor XDG_CACHE_HOME is set. Name a folder with `--dir FOLDER`
installed-is-broken = { $folder } was installed, but its nvcc does not work: { $problem }
    .help = help: `{ $command } uninstall`, then install again
not-empty = { $folder } is not empty, and is not a toolkit of ours. It is left as it is
not-ours = { $folder } is not a toolkit of ours. It is left as it is
not-absolute = { $folder } is no folder to install into: an absolute path is needed
unpacked-is-broken = the unpacked nvcc does not work: { $problem }
fetching = fetching { $count ->
    [one] { $count } file
   *[other] { $count } files
} of the CUDA toolkit with pip, which tells how far it is
comparing = comparing the files with their known hashes
unpacking = unpacking { $wheel } { $version }
removing-old = removing { $path }, left by an installation that was stopped
left-over = note: { $path } could not be removed ({ $error }). The next install tries again
waiting = another `{ $command }` is using this folder; waiting for it
nothing-installed = nothing was installed
needs-space = help: the installation needs about 600 MB in { $folder }. Free some space, or choose another folder with `--dir`
needs-permission = help: choose a folder that you may write to with `--dir`
cannot = cannot { $doing ->
    [create] create
    [read] read
    [write] write
    [list] list
    [open] open
    [remove] remove
    [rename] rename
    [lock] lock
   *[make-runnable] make runnable:
} { $path }
cannot-rename-to = cannot rename { $path } to { $to }
cannot-run = cannot run `{ $program }`

## wheels

no-pip = no pip found (tried { $tried })
    .help = help: on Debian and Ubuntu, `sudo apt-get install python3-pip`
pip-failed = `{ $program } download` did not get the wheels ({ $status }); its own words are above
no-wheels-for = there is no nvcc to fetch for { $os } on { $processor }: only for Linux (and WSL2) on x86_64 and aarch64
no-wheel = no wheel came for { $wheel } { $version }
wrong-hash = { $file } is not the file that was pinned: wrong sha256
    .pinned = pinned
    .found = found
    .bytes = { $bytes } bytes
    .help = help: it may have been cut short, or come from a mirror that changed it. Try `pip cache purge`, and install again
not-a-zip = { $file } is no zip file
leaves-it = { $file } holds a path that leaves it

## status

label-fetched = fetched
label-host = host compiler
label-stored = stored PTX
nvcc-at = { $answer }, at { $path } (from { $from })
the-fetched-toolkit = the fetched toolkit
does-not-work = does not work: { $problem }
none-found = none found
not-fetched = not yet; `{ $command } install` would put it in { $folder }
needs-dir = neither HOME nor XDG_CACHE_HOME is set, so `--dir` is needed
no-host = none that works: { $problem }
to-get-it = to get it: { $command }
no-pip-needed = none (only `{ $command } install` needs it)
made-by = made by nvcc { $version }
works = Kernels can be compiled: nvcc { $version } compiled a test kernel.
works-not = Kernels that you change cannot be compiled yet.
