// The page of `cargo learn web`.

import { App } from "./app";
import * as api from "./api";
import { speak } from "./words";

async function start(nonce: string): Promise<void> {
  // Its words are known before anything is drawn.
  speak((await api.list()).language);
  await new App(nonce).start();
}

// The server draws it anew for each page.
void start(document.currentScript?.nonce ?? "");
