// Whose code is in a page besides ours, and under which licence: the MIT licence asks that its notice goes along.

import { readFile } from "node:fs/promises";

/** A comment for the page; empty where everything is ours. `inputs` are the files that it is made of. */
export async function notices(inputs) {
  const names = inputs.map((path) => path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1]).filter(Boolean);
  const owners = [];
  let licence;
  for (const name of [...new Set(names)].sort()) {
    const { version, license } = JSON.parse(await readFile(`node_modules/${name}/package.json`, "utf8"));
    const text = await readFile(`node_modules/${name}/LICENSE`, "utf8");
    const owner = text.match(/^Copyright .*$/m)?.[0];
    const rest = text.slice(text.indexOf("Permission is hereby granted")).trim();
    if (license !== "MIT" || !owner || !text.includes("Permission")) throw new Error(`${name}: which licence is it?`);
    licence ??= rest;
    if (rest.replace(/\s+/g, " ") !== licence.replace(/\s+/g, " ")) throw new Error(`${name}: another licence`);
    owners.push(`${name} ${version}: ${owner}`);
  }
  if (owners.length === 0) return "";
  const text = `This page has code of others, under the MIT licence:\n\n${owners.join("\n")}\n\n${licence}`;
  if (text.includes("--")) throw new Error("the comment would end early");
  return `<!--\n${text}\n-->\n`;
}
