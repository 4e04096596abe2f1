// The page of `--web`: reads the run out of it, and the emulator, if it has one.

import { loaded } from "./live/emulator";
import type { Page } from "./page";
import { start } from "./start";

const data = document.getElementById("run")?.textContent;
const packed = document.getElementById("emulator")?.textContent;
if (data) {
  const page = JSON.parse(data) as Page;
  const { game } = page;
  start(page, game && packed ? () => loaded(packed, game) : undefined);
}
