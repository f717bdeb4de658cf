/**
 * One event as the replay page and the play page show it: what moves as arrows on the board, and throws into the tower.
 *
 * @typedef {import("./picture.js").Place} Place
 *
 * @typedef {[from: string, to: string, isAttack: boolean]} Arrow
 *
 * @typedef {object} Throw a throw into the tower, as a picture
 * @property {string} ground the forces before a fight, and what is thrown
 * @property {string[]} cubes the cubes in the tray
 * @property {string} after who holds the province after a fight
 * @property {[width: number, height: number]} size
 * @property {string} text
 */
import { makeSvg } from "./picture.js";

/** The shape of an arrow: distances from the ends of its line and half widths, in units of the picture. */
const ARROW = { start: 12, tip: 12, neck: 25, tail: 2.5, shaft: 3.5, head: 9 };

/**
 * Return an arrow between two places as the data of a path.
 * @param {Place} from
 * @param {Place} to
 */
function arrow([x, y], [toX, toY]) {
  const length = Math.hypot(toX - x, toY - y) || 1;
  const [ux, uy] = [(toX - x) / length, (toY - y) / length];
  const [tip, neck] = [length - ARROW.tip, length - ARROW.neck];
  const oneSide = [
    [ARROW.start, ARROW.tail],
    [neck, ARROW.shaft],
    [neck, ARROW.head],
  ];
  const otherSide = oneSide.map(([along, across]) => [along, -across]).reverse();
  const corners = [...oneSide, [tip, 0], ...otherSide];
  const points = corners.map(([along, across]) => `${x + along * ux - across * uy},${y + along * uy + across * ux}`);
  return `M${points.join("L")}Z`;
}

/**
 * Draw what moves in an event, in place of the arrows of the one before.
 * @param {SVGGElement} group
 * @param {Arrow[]} arrows
 * @param {Record<string, Place>} places
 */
export function drawArrows(group, arrows, places) {
  const drawn = arrows.filter(([from, to]) => places[from] && places[to]);
  group.replaceChildren(
    ...drawn.map(([from, to, isAttack]) =>
      makeSvg("path", {
        d: arrow(places[from], places[to]),
        class: `arrow ${isAttack ? "f-alarm" : "f-route"} s-panel`,
      }),
    ),
  );
}

/**
 * Return a throw into the tower as a picture; `isNext` lets the cubes in the tray come one by one.
 * @param {Throw} thrown
 * @param {boolean} isNext
 */
function throwPicture({ ground, cubes, after, size: [width, height], text }, isNext) {
  const attributes = { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": text };
  const picture = makeSvg("svg", { ...attributes, class: "shogun-env throw" });
  const kind = isNext ? "drop" : "";
  const falling = [...cubes, after].map((cube, at) => `<g class="${kind}" style="--at:${at}">${cube}</g>`);
  picture.innerHTML = ground + falling.join("");
  return picture;
}

/**
 * Show the throws of an event in a box, which is hidden if there are none.
 * @param {HTMLElement} section
 * @param {HTMLElement} box
 * @param {Throw[]} throws
 * @param {boolean} isNext
 */
export function showThrows(section, box, throws, isNext) {
  section.hidden = throws.length === 0;
  box.replaceChildren(...throws.map(thrown => throwPicture(thrown, isNext)));
}

/**
 * Mark a part of the picture that has changed, so that it appears slowly.
 * @param {Element | undefined} group
 * @param {string} name
 * @param {boolean} isNext
 */
export function markChanged(group, name, isNext) {
  group?.classList.remove("changed");
  if (!group || !isNext || !/^(prov|card|making)/.test(name)) return;
  group.getBoundingClientRect(); // or the browser would not begin the animation of the class again
  group.classList.add("changed");
}
