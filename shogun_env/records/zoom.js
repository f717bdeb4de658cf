/**
 * A picture that is looked at from near: two fingers, the wheel with ctrl, a double click or tap, or the buttons below
 * it bring it nearer; then it is dragged. A finger or mouse that moves aside over the whole picture is a swipe.
 *
 * @typedef {[x: number, y: number]} Point of the window, in pixels
 */
import { make } from "./picture.js";

const MOST = 8; // times as large as the whole
const STEP = 1.6; // by a button
const NEAR = 3; // by a double click or tap
const WHEEL = 300; // pixels of the wheel that bring it e times nearer
export const CLICK = 8; // pixels that the pointer may move in a click
const SWIPE = 40; // pixels that a swipe moves at least

/** Pixels of a unit of what is written on the map of a phone; its letters have 10 units and more. */
const LETTERS = 0.95;
export const PHONE = matchMedia("(max-width: 40rem)");
const MARGIN = { x: 70, y: 60 }; // of the map around its places

/**
 * Return the part of a picture in which the places of a map are.
 * @param {Point[]} places
 * @returns {[x: number, y: number, width: number, height: number]}
 */
function mapOf(places) {
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs) - MARGIN.x, Math.min(...ys) - MARGIN.y];
  return [left, top, Math.max(...xs) + MARGIN.x - left, Math.max(...ys) + MARGIN.y - top];
}

/** Ignore the click that a browser makes where a drag ends on the element on which it began. */
export function swallowClick() {
  const swallow = (/** @type {Event} */ click) => {
    click.stopPropagation();
    click.preventDefault();
  };
  addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true })); // most drags end elsewhere
}

/**
 * Return what is in the middle of points, and how far they are from it.
 * @param {Point[]} points
 * @returns {{ middle: Point, distance: number }}
 */
function spreadOf(points) {
  const mean = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  /** @type {Point} */
  const middle = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  return { middle, distance: mean(points.map(([x, y]) => Math.hypot(x - middle[0], y - middle[1]))) };
}

export class Zoom {
  /**
   * @param {SVGSVGElement} svg
   * @param {[width: number, height: number]} size of the whole picture
   * @param {Record<string, Point>} places of a map, which fills a phone alone
   */
  constructor(svg, size, places) {
    this.svg = svg;
    /** @type {[x: number, y: number, width: number, height: number]} what is seen as a whole */
    this.whole = [0, 0, ...size];
    this.scale = 1;
    /** The corner of what is seen. */
    this.x = this.y = 0;
    /** @type {Map<number, Point>} the fingers, or the mouse, that hold the picture */
    this.held = new Map();
    this.moved = false; // whether they have moved further than in a click
    this.alone = true; // whether there has never been a second one
    /** @type {Point} where the first went down */
    this.began = [0, 0];
    /** @type {(step: number) => void} is called with 1 or -1 */
    this.swiped = () => {};
    this.buttons = this.makeButtons();
    this.listen();
    const fit = () => {
      const isMap = PHONE.matches && svg.querySelector(".at") !== null;
      this.whole = isMap ? mapOf(Object.values(places)) : [0, 0, ...size];
      svg.classList.toggle("map", isMap);
      svg.setAttribute("preserveAspectRatio", isMap ? "none" : "xMidYMid");
      this.set(1, 0, 0);
    };
    PHONE.addEventListener("change", fit);
    new ResizeObserver(() => this.set(this.scale, this.x, this.y)).observe(svg);
    fit();
  }

  makeButtons() {
    const middle = () => {
      const box = this.svg.getBoundingClientRect();
      return /** @type {Point} */ ([box.x + box.width / 2, box.y + box.height / 2]);
    };
    /** @type {[sign: string, name: string, action: () => void][]} */
    const all = [
      ["−", "see more of the board", () => this.bring(1 / STEP, middle())],
      ["+", "see the board from nearer", () => this.bring(STEP, middle())],
      ["⤢", "see the whole board", () => this.set(1, 0, 0)],
    ];
    const buttons = all.map(([sign, name, onclick]) => make("button", sign, { title: name, ariaLabel: name, onclick }));
    this.svg.after(make("div", ...buttons, foldButton(), { className: "zoom" }));
    return buttons;
  }

  listen() {
    const { svg } = this;
    svg.addEventListener("wheel", event => this.wheel(event), { passive: false });
    svg.addEventListener("touchstart", event => event.touches.length > 1 && event.preventDefault(), { passive: false });
    svg.addEventListener("dblclick", event => {
      if (event.target instanceof Element && event.target.closest("[role=button]")) return;
      if (this.scale > 1) this.set(1, 0, 0);
      else this.bring(NEAR, [event.clientX, event.clientY]);
    });
    svg.addEventListener("pointerdown", event => this.down(event));
    addEventListener("pointermove", event => this.move(event));
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"]))
      addEventListener(end, event => this.up(event));
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (!event.ctrlKey) return; // the page scrolls
    event.preventDefault();
    this.bring(Math.exp(-event.deltaY / WHEEL), [event.clientX, event.clientY]);
  }

  /** @param {PointerEvent} event */
  down(event) {
    const isCard = event.pointerType === "mouse" && event.target instanceof Element && event.target.closest(".card");
    if (isCard || event.button > 0) return; // it is dragged on a space
    if (this.held.size === 0) {
      this.began = [event.clientX, event.clientY];
      this.moved = false;
      this.alone = true;
    } else this.alone = false;
    this.held.set(event.pointerId, [event.clientX, event.clientY]);
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (!this.held.has(event.pointerId)) return;
    const before = spreadOf([...this.held.values()]);
    this.held.set(event.pointerId, [event.clientX, event.clientY]);
    const [x, y] = this.began;
    this.moved ||= !this.alone || Math.hypot(event.clientX - x, event.clientY - y) > CLICK;
    if (!this.moved || (this.alone && this.scale === 1)) return;
    const after = spreadOf([...this.held.values()]);
    if (before.distance > 0) this.bring(after.distance / before.distance, before.middle);
    const [from, to] = [this.at(before.middle), this.at(after.middle)];
    this.set(this.scale, this.x + from.x - to.x, this.y + from.y - to.y);
  }

  /** @param {PointerEvent} event */
  up(event) {
    if (!this.held.delete(event.pointerId) || this.held.size > 0) return;
    const aside = event.clientX - this.began[0];
    const isSwipe = this.alone && this.scale === 1 && Math.abs(aside) > SWIPE && event.type === "pointerup";
    if (isSwipe) this.swiped(aside < 0 ? 1 : -1);
    if (this.moved) swallowClick();
  }

  /**
   * Return the point of the picture at a point of the window.
   * @param {Point} point
   */
  at([x, y]) {
    return new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM()?.inverse());
  }

  /**
   * Show the picture nearer or farther; a point of the window keeps what is there.
   * @param {number} times
   * @param {Point} point
   */
  bring(times, point) {
    const scale = Math.max(1, Math.min(MOST, this.scale * times));
    const kept = this.at(point);
    const ratio = this.scale / scale;
    this.set(scale, kept.x - (kept.x - this.x) * ratio, kept.y - (kept.y - this.y) * ratio);
  }

  /**
   * Show a part of the picture, as far as there is one.
   * @param {number} scale
   * @param {number} x
   * @param {number} y
   */
  set(scale, x, y) {
    const [left, top, width, height] = this.whole;
    const within = (/** @type {number} */ value, /** @type {number} */ from, /** @type {number} */ length) =>
      Math.max(from, Math.min(from + length - length / scale, value));
    [this.scale, this.x, this.y] = [scale, within(x, left, width), within(y, top, height)];
    this.svg.setAttribute("viewBox", [this.x, this.y, width / scale, height / scale].join(" "));
    const [across, down] = [(this.svg.clientWidth * scale) / width, (this.svg.clientHeight * scale) / height];
    const letters = Math.max(LETTERS, Math.min(across, down)); // a map is stretched, and what is written on it is not
    this.svg.style.setProperty("--letters", `scale(${letters / across}, ${letters / down})`);
    this.svg.classList.toggle("near", scale > 1);
    const [less, more, whole] = this.buttons;
    less.disabled = whole.disabled = scale === 1;
    more.disabled = scale === MOST;
  }
}

/** Return a button that folds all but the picture and what is needed most; style sheets show it on a phone. */
function foldButton() {
  const onclick = () => {
    button.ariaPressed = String(document.body.classList.toggle("folded"));
  };
  const title = "only the board";
  const named = { title, ariaLabel: title, ariaPressed: "false" };
  const button = make("button", "▣", { ...named, className: "fold", onclick });
  return button;
}
