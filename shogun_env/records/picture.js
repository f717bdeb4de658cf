/**
 * What the replay page and the play page share: elements of the page, and a picture that is made of parts.
 *
 * Each page is sent as one script (document.py), in which this file comes first.
 *
 * @typedef {[x: number, y: number]} Place a point of the picture
 * @typedef {[piece: string, player: number | null][]} Spoken a text in pieces, each with the player whose name it is
 */

/**
 * Return the element of the page with this id.
 * @template {Element} [T=HTMLElement]
 * @param {string} id
 * @param {{ new (): T }} type the class of the element, where more than HTMLElement is needed
 * @returns {T}
 */
export function get(id, type = /** @type {any} */ (HTMLElement)) {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new Error(`the page has no ${type.name} with the id ${id}`);
}

/**
 * Return a new element of HTML with what is in it, in order: texts, elements, and objects with properties; `data` and
 * `style` are objects themselves, of the element's own data and of variables of its style.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {(string | Node | Record<string, any>)[]} parts
 */
export function make(name, ...parts) {
  const element = document.createElement(name);
  for (const part of parts) {
    if (typeof part === "string" || part instanceof Node) element.append(part);
    else {
      const { data, style, ...properties } = part;
      Object.assign(element, properties);
      Object.assign(element.dataset, data);
      for (const [key, value] of Object.entries(style ?? {})) element.style.setProperty(key, value);
    }
  }
  return element;
}

/**
 * Return a table; the first cell of a row is its heading.
 * @param {(string | Node)[]} heads
 * @param {(string | Node)[][]} rows
 */
export function tableOf(heads, rows) {
  const head = make("tr", ...heads.map(text => (text === "" ? make("td") : make("th", text, { scope: "col" }))));
  const lines = rows.map(([name, ...cells]) =>
    make("tr", make("th", name, { scope: "row" }), ...cells.map(cell => make("td", cell))),
  );
  return make("table", make("thead", head), make("tbody", ...lines));
}

/**
 * Return the tables in the text of a board: its paragraphs with many headings, and lists below one.
 * @param {string} text
 */
export function tablesIn(text) {
  return text.split("\n\n").flatMap(paragraph => {
    const [head, ...lines] = paragraph.split("\n");
    const starts = [...head.matchAll(/\S+( \S+)*/g)].map(({ index }) => index);
    if (starts[0] > 0) starts.unshift(0);
    const cells = (/** @type {string} */ line) => starts.map((at, i) => line.slice(at, starts[i + 1]).trim());
    const rows = lines.filter(line => starts.every(at => !line[at - 1]?.trim())).map(cells);
    if (starts.length === 1 && lines[0]?.startsWith("  ")) return [tableOf([head], rows)];
    return starts.length > 5 ? [tableOf(cells(head), rows)] : [];
  });
}

/** Return the properties of an element that is in the colour of a player. */
export const coloured = (/** @type {number} */ player) => ({ style: { "--who": `var(--p${player})` } });

/**
 * Write a text into an element, with every name in the colour of its player; return the element.
 * @template {HTMLElement} Element
 * @param {Element} element
 * @param {Spoken} text
 */
export function spoken(element, text) {
  element.append(...text.map(([piece, player]) => (player === null ? piece : make("b", piece, coloured(player)))));
  return element;
}

/**
 * Return a new element of SVG.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | number>} attributes
 * @param {string} text
 */
export function makeSvg(name, attributes = {}, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.textContent = text;
  return element;
}

/** A picture of parts with names. A part is written again only where it changes: the browser then keeps the others. */
export class Picture {
  /**
   * @param {string[]} names the parts, beginning at the back
   * @param {SVGGElement} front what is drawn in front of all parts
   */
  constructor(names, front) {
    this.groups = new Map(names.map(name => [name, makeSvg("g", { "data-part": name })]));
    /** @type {Map<string, string>} the markup of the parts that have been shown */
    this.shown = new Map();
    get("picture", SVGSVGElement).replaceChildren(...this.groups.values(), front);
  }

  /**
   * Show a part; return its group if it was changed, otherwise nothing.
   * @param {string} name
   * @param {string} markup
   */
  show(name, markup) {
    const group = this.groups.get(name);
    if (!group || this.shown.get(name) === markup) return undefined;
    group.innerHTML = markup;
    this.shown.set(name, markup);
    return group;
  }
}
