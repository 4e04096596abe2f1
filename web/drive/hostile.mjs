// A source that tries to be markup is shown as what it is: text.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";

const HOSTILE = "// </script><script>alert(1)</script><!-- <img src=x onerror=alert(2)>";

export async function driveHostile(visit, folder) {
  const text = readFileSync(`${folder}/reverse.html`, "utf8");
  const [, before, data, after] = text.match(/^([\s\S]* id="run">)([^<]*)(<\/script>[\s\S]*)$/);
  const page = JSON.parse(data);
  const [source] = page.sources;
  const [first] = source.kernels[0];
  const lines = source.text.split("\n");
  lines[first] = HOSTILE;
  source.text = lines.join("\n");
  page.kernel = HOSTILE;
  page.findings[0].message.en = HOSTILE;
  writeFileSync(`${folder}/hostile.html`, before + JSON.stringify(page).replaceAll("<", "\\u003c") + after);
  // A dialog or a request is a complaint.
  await visit("hostile.html", { refused: /Content Security Policy/ }, async (page) => {
    assert.ok((await page.locator(".code").textContent()).includes(HOSTILE));
    assert.ok((await page.locator("h1").textContent()).includes(HOSTILE));
    assert.equal(await page.locator("img").count(), 0);
    // What would be run in spite of all is forbidden.
    const ran = await page
      .evaluate(() => {
        const script = document.createElement("script");
        script.textContent = "window.ran = true";
        document.body.append(script);
        return window.ran === true;
      })
      .catch(() => false);
    assert.equal(ran, false);
  });
}
