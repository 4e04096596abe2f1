// Elements, made in one call each. Texts are always text: nothing here reads markup.

type Child = Node | string | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined>;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : `${value}`);
  }
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

/** A sentence in which `code` stands between backquotes. */
export function rich(text: string): Node[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? el("code", {}, part) : document.createTextNode(part)));
}

/** A sentence begins with a capital, also where it begins with code. */
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export function button(name: string, press: () => void, attributes: Attributes = {}, ...children: Child[]) {
  const made = el("button", { type: "button", "aria-label": name, title: name, ...attributes }, ...children);
  made.addEventListener("click", press);
  return made;
}

/** Changes what is there only where it differs. */
export function put(element: Element, attribute: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(attribute);
  else if (element.getAttribute(attribute) !== value) element.setAttribute(attribute, value);
}
