/**
 * Cards that are dragged with the mouse or a finger, on a space of the plan or from one lot to another.
 *
 * @typedef {object} Drag a card that is held with the mouse or a finger
 * @property {string} action
 * @property {number} x where it was taken
 * @property {number} y
 * @property {number} pointer
 * @property {string} from the lot in which it was, empty for a card of a plan
 * @property {HTMLElement | null} ghost what moves; null until the pointer has moved far enough to tell it from a click
 */
import { make } from "../records/picture.js";
import { CLICK, swallowClick } from "../records/zoom.js";
import { dividing, words } from "./state.js";

/** @type {Drag | null} */
let held = null;

/**
 * Let an element be dragged.
 * @param {HTMLElement | SVGElement} element
 * @param {string} action
 */
export function makeCard(element, action) {
  element.classList.add("card");
  element.dataset.action = action;
  element.onpointerdown = event => {
    if (element instanceof SVGElement && event.pointerType !== "mouse") return; // a finger drags the board there
    const from = element.dataset.from ?? "";
    held = { action, x: event.clientX, y: event.clientY, pointer: event.pointerId, from, ghost: null };
  };
}

/**
 * Return the space of the plan under the pointer.
 * @param {PointerEvent} event
 */
function spaceAt(event) {
  const space = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-space], [data-lot]");
  return space instanceof HTMLElement ? space : null;
}

/**
 * Mark the space over which a card is held.
 * @param {HTMLElement | null} space
 */
function markSpace(space) {
  for (const item of document.querySelectorAll("[data-space], [data-lot]"))
    item.classList.toggle("over", item === space);
}

/** @param {PointerEvent} event */
function move(event) {
  const drag = held;
  if (drag?.pointer !== event.pointerId) return;
  if (!drag.ghost) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < CLICK) return;
    drag.ghost = make("div", dividing()?.cards[drag.action] ?? words(drag.action), { className: "dragged" });
    document.body.append(drag.ghost);
  }
  drag.ghost.style.left = `${event.clientX}px`;
  drag.ghost.style.top = `${event.clientY}px`;
  markSpace(spaceAt(event));
}

/**
 * Let cards be dragged; say where one was dropped.
 * @param {(action: string, to: HTMLElement, from: string) => void} dropped
 */
export function startDragging(dropped) {
  const drop = (/** @type {PointerEvent} */ event) => {
    const drag = held;
    if (drag?.pointer !== event.pointerId) return;
    held = null;
    if (!drag.ghost) return; // a click, which chooses the card for the current space
    drag.ghost.remove();
    markSpace(null);
    swallowClick();
    const space = event.type === "pointerup" ? spaceAt(event) : null;
    if (space) dropped(drag.action, space, drag.from);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", drop);
  addEventListener("pointercancel", drop);
}
