/**
 * What can be chosen now, as buttons in the panel and as marks on the board, and why the rest is not possible.
 */
import { get, make, makeSvg } from "../records/picture.js";
import { PHONE } from "../records/zoom.js";
import { lotsOf } from "./division.js";
import { makeCard } from "./drag.js";
import { choose, explain, showPlan, takeBack } from "./plan.js";
import { canChoose, dividing, draft, gather, isCard, page, planning, spaceOf, target, words } from "./state.js";
import { ask, send } from "./talk.js";

const SPOT = 35; // radius of the mark of a place, in units of the picture
const IDLE = "nothing happens here"; // what a chest card does on the space of an action

/** The marks of places, in front of the picture. */
export const spots = makeSvg("g");

/** Show what can be chosen, in the panel and on the board. */
export function showChoices() {
  showPlan();
  showLots();
  showActions();
  showSpots();
}

/** Return what can be chosen now, with what it does: in a plan the cards for the space that is to be filled. */
function choices() {
  const { legal, words: meanings, spaces } = page.view;
  if (dividing()) return {};
  if (planning()) {
    const cards = Object.entries(spaces.find(({ space }) => space === target())?.cards ?? {});
    return Object.fromEntries(cards.filter(([card]) => isCard(card) || page.view.empties > 0));
  }
  return Object.fromEntries(canChoose() ? legal.map(action => [action, meanings[action] ?? ""]) : []);
}

/** Show the lots that are made, offered, or to be chosen from. */
function showLots() {
  const { turn, division } = page.view;
  const lots = turn && division ? lotsOf(page.view, division, divide) : [];
  get("lots").hidden = lots.length === 0;
  get("lots").replaceChildren(...lots);
  const hint = page.advice.hint?.split(", ");
  if (division?.made && hint) {
    const [cards, tiles] = [division.cards, division.tiles].map(known => hint.filter(action => action in known));
    get("lots").append(make("button", "make the lots of the hint", { onclick: () => divide({ cards, tiles }) }));
  }
  for (const card of get("lots").querySelectorAll("[data-from]")) {
    if (card instanceof HTMLElement) makeCard(card, card.dataset.action ?? "");
  }
}

/**
 * Make the lots anew.
 * @param {import("./division.js").Draft} draft
 */
export function divide(draft) {
  return ask(async () => {
    if (dividing()) await send("divide", draft);
  });
}

/** Show a button for each choice; in a plan cards that are on no space come first. */
function showActions() {
  const all = Object.entries(choices());
  const isUsed = (/** @type {string} */ action) => isCard(action) && spaceOf(action) >= 0;
  const [used, free] = [true, false].map(is => all.filter(([action]) => isUsed(action) === is));
  const buttons = (planning() ? [...free, ...used] : all).map(([action, effect]) => {
    const from = planning() && isCard(action) ? spaceOf(action) : -1;
    const note = from < 0 ? effect : `from ${page.view.spaces.find(({ space }) => space === from)?.title}`;
    const text = planning() ? words(action) : effect || words(action);
    const className = note === IDLE ? "plain" : from >= 0 ? "used" : "";
    const button = make("button", text, planning() && note !== IDLE ? make("small", note) : "", { className });
    explain(button, `${words(action)}: ${effect || "no more is known"}`);
    makeChoice(button, action);
    button.onclick = () => isCut(button) || choose(action);
    return button;
  });
  get("actions").classList.toggle("cards", planning());
  get("actions").replaceChildren(...buttons);
  const there = draft().get(target());
  if (planning() && there) get("actions").append(takeBack(target(), there));
}

/**
 * Show a text that is cut on a phone whole, at the first tap; say whether it was.
 * @param {HTMLElement} button
 */
function isCut(button) {
  const text = button.querySelector("small");
  if (!PHONE.matches || !text || text.scrollHeight <= text.clientHeight + 2) return false;
  text.classList.add("whole");
  return true;
}

/**
 * Return the place on the board that an action is about: the one with its name, or whose name it begins or ends with.
 * @param {string} action
 */
function placeOf(action) {
  return Object.keys(page.view.places).find(
    place => action === place || action.startsWith(`${place}_`) || action.endsWith(`_${place}`),
  );
}

/** Mark the places with one legal action, and say at those with none why there is none. */
function showSpots() {
  const { refused, places } = page.view;
  const free = Object.keys(choices()).filter(action => !planning() || spaceOf(action) < 0);
  const legalAt = gather(free.map(action => [placeOf(action) ?? "", action]));
  const refusedAt = gather(
    Object.entries(refused).map(([action, why]) => [placeOf(action) ?? "", `${words(action)}: ${why}`]),
  );
  spots.replaceChildren();
  if (!canChoose() && !planning()) return;
  for (const [place, [cx, cy]] of Object.entries(places)) {
    const attributes = { cx, cy, r: SPOT, style: `transform-origin: ${cx}px ${cy}px` };
    const actions = legalAt[place] ?? [];
    if (actions.length === 1) spots.append(choiceSpot(attributes, actions[0]));
    if (actions.length === 0 && refusedAt[place]) {
      const spot = makeSvg("circle", { ...attributes, class: "refused" });
      spot.append(makeSvg("title", {}, refusedAt[place].join("\n")));
      spots.prepend(spot); // behind those that can be chosen
    }
  }
}

/**
 * Return the mark of a place, which works like the button of its action.
 * @param {Record<string, string | number>} attributes
 * @param {string} action
 */
function choiceSpot(attributes, action) {
  const button = { class: "spot", tabindex: 0, role: "button", "aria-label": words(action) };
  const spot = makeSvg("circle", { ...attributes, ...button });
  const effect = choices()[action];
  if (effect) spot.append(makeSvg("title", {}, `${words(action)}: ${effect}`));
  makeChoice(spot, action);
  spot.onkeydown = event => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose(action);
  };
  return spot;
}

/**
 * Let an element choose an action, and where a plan is made, be dragged on a space.
 * @param {HTMLElement | SVGElement} element
 * @param {string} action
 */
function makeChoice(element, action) {
  element.dataset.action = action;
  element.onclick = () => choose(action);
  if (planning()) makeCard(element, action);
}

/** Show reasons, with the actions that have the same one together. */
export function showRefused() {
  const refused = canChoose() ? Object.entries(page.view.refused) : [];
  const actions = gather(refused.map(([action, why]) => [why, words(action)]));
  get("why").hidden = refused.length === 0;
  get("refused").replaceChildren(
    ...Object.entries(actions).flatMap(([why, names]) => [make("dt", names.join(", ")), make("dd", why)]),
  );
}
