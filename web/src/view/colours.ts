// CUDA source in colours: comments, words of the language, CUDA's own words. Text stays text.

import { el } from "./dom";

const WORD =
  /\b(?:const|unsigned|signed|int|float|double|char|short|long|bool|void|if|else|for|while|do|return|struct|static|auto|volatile|extern|true|false|sizeof|switch|case|break|continue|template|typename|namespace|using|constexpr|inline)\b/;
const CUDA = /\b(?:__\w+|atomic\w+|threadIdx|blockIdx|blockDim|gridDim|warpSize)\b/;
const PIECE = new RegExp(`(//.*|/\\*.*?(?:\\*/|$)|"(?:[^"\\\\]|\\\\.)*")|(${CUDA.source})|(${WORD.source})`, "g");

/** Each line as pieces of text and elements. */
export function coloured(lines: string[]): (Node | string)[][] {
  let inComment = false;
  return lines.map((line) => {
    const pieces: (Node | string)[] = [];
    let rest = line;
    if (inComment) {
      const end = rest.indexOf("*/");
      if (end < 0) return [el("span", { class: "comment" }, rest)];
      pieces.push(el("span", { class: "comment" }, rest.slice(0, end + 2)));
      rest = rest.slice(end + 2);
      inComment = false;
    }
    let from = 0;
    for (const found of rest.matchAll(PIECE)) {
      const [text, comment, cuda] = found;
      if (found.index > from) pieces.push(rest.slice(from, found.index));
      from = found.index + text.length;
      const kind = comment ? (text.startsWith('"') ? "string" : "comment") : cuda ? "cuda" : "word";
      pieces.push(el("span", { class: kind }, text));
      inComment ||= text.startsWith("/*") && !text.endsWith("*/");
    }
    pieces.push(rest.slice(from));
    return pieces;
  });
}
