### `cargo learn web`: what the server says. The page's own words are in `web/src/learn/words/`.

web-address = Open this address in a browser on this machine. It works once:

      { $address }

    Enter: a new address. q and Enter: quit.
web-not-shut-in = note: answers are not judged in the sandbox here. It needs NVRTC and a Linux with Landlock
web-port = cannot listen on port { $port }{ $why ->
    [busy] : another program uses it. Name another one with `--port`, or leave `--port` out
    [closed] : the system does not allow it. Choose a port above 1023
   *[other] {""}
}
web-host-name = write a name and a port, such as lab.example:8443
web-token = This address does not work any more. Press Enter in the terminal where `cargo learn web` runs: it prints a new one.
web-cookie = This browser has not been let in. Open the address that `cargo learn web` printed, or press Enter in its terminal for a new one.
web-host = This server does not have the name that the browser uses. For a forwarded port, start it with `--allow-host NAME:PORT`.
web-origin = another page has sent this request
web-no-json = the body of a request must be JSON
web-nothing-here = there is nothing at this address
web-outside = { $path } is not in the folder with your copies
web-link = { $path } is a link, or below one; `cargo learn web` follows none
web-no-file = { $path } is not a plain file
web-no-text = { $path } is not a text file
web-too-long = a file may have { $most } bytes at most
web-changed = the file was changed on disk after you opened it
web-no-run = there is no failing run of this version of the file

page-run = One failing run of your file: { $run }.
page-right = the result of this run was right
page-ended = the run was stopped before it had a result
web-cannot-start = the server cannot be started
