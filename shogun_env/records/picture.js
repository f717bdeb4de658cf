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
 * Return a new element of HTML.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} text
 */
export function make(name, text = "") {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

/**
 * Write a text into an element, with every name in the colour of its player; return the element.
 * @template {HTMLElement} Element
 * @param {Element} element
 * @param {Spoken} text
 */
export function spoken(element, text) {
  const pieces = text.map(([piece, player]) => {
    if (player === null) return piece;
    const name = make("b", piece);
    name.style.setProperty("--who", `var(--p${player})`);
    return name;
  });
  element.append(...pieces);
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
