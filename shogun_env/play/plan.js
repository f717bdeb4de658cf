/**
 * The plan: a space is chosen, then its card; the game fills the spaces in its own order.
 */
import { get, make } from "../records/picture.js";
import { makeCard } from "./drag.js";
import { canChoose, dividing, draft, isCard, page, planning, spaceOf, target, words } from "./state.js";
import { ask, say, send } from "./talk.js";

/** Forget what an undo would bring back: what was confirmed before another plan or division is made. */
export function forgetChanges() {
  page.drafts = [];
  page.divisions = [];
  page.redraw();
}

export function forgetPlan() {
  page.waiting.clear();
  page.drafts = [];
  page.space = -1;
}

/**
 * Let an element say below the choices what it means, when it is pointed at or focused.
 * @param {HTMLElement} element
 * @param {string} text
 */
export function explain(element, text) {
  element.title = text;
  element.onfocus = element.onpointerenter = () => {
    get("effect").textContent = text;
  };
}

export function showPlan() {
  const cards = draft();
  get("plan").hidden = !page.view.spaces.length;
  const items = page.view.spaces.map(({ space, mark, title, cards: effects }) => {
    const [item, button, card] = [make("li"), make("button"), make("b", words(cards.get(space) ?? ""))];
    const action = cards.get(space);
    item.dataset.space = String(space);
    button.className = "space";
    button.ariaPressed = String(space === target());
    button.append(make("i", mark), make("span", title), card);
    button.onclick = () => chooseSpace(space);
    button.disabled = !planning();
    if (action && planning()) makeCard(card, action);
    if (action) explain(button, `${words(action)} on ${title}: ${effects[action] ?? ""}`);
    item.append(button);
    return item;
  });
  get("plan").replaceChildren(...items);
}

/** @param {number} space */
function chooseSpace(space) {
  page.space = space;
  page.redraw();
  const button = get("plan").querySelector(`[data-space="${space}"] button`);
  if (button instanceof HTMLElement) button.focus({ preventScroll: true });
}

/** @param {string} action */
export function choose(action) {
  return ask(async () => {
    if (planning()) await lay(action, target());
    else if (canChoose() && page.view.legal.includes(action)) await send("choose", { action });
    else say(`${words(action)} is not possible any more, and was not chosen.`);
  });
}

/**
 * Put a card on a space; what was there takes its old place.
 * @param {string} action
 * @param {number} space
 */
export async function lay(action, space) {
  if (space < 0) return;
  const cards = draft();
  const old = isCard(action) ? spaceOf(action) : -1;
  const there = cards.get(space);
  if (old >= 0) cards.delete(old);
  if (old >= 0 && there) cards.set(old, there);
  cards.set(space, action);
  await layAll(cards, -1);
}

/**
 * Make these cards the plan, and then let a space be filled.
 * @param {Map<number, string>} cards
 * @param {number} space
 */
async function layAll(cards, space) {
  const [before, waiting, chosen] = [draft(), page.waiting, page.space];
  page.waiting = new Map(cards);
  page.space = space;
  page.drafts.push(before);
  if (await send("lay", { cards: Object.fromEntries(cards) })) return true;
  page.drafts.pop();
  page.waiting = waiting;
  page.space = chosen;
  page.redraw();
  return false;
}

/** Take back the last change of the plan, or else the last action. */
export async function undo() {
  const lots = dividing() ? page.divisions.pop() : undefined;
  if (lots) return await send("divide", lots);
  const before = planning() ? page.drafts.pop() : undefined;
  if (!before) return await send("undo");
  const done = await layAll(before, -1);
  page.drafts = done ? page.drafts.slice(0, -1) : [...page.drafts, before]; // the way back is no change
  page.redraw();
  return true;
}

/**
 * Return a button that takes a card from its space into the hand.
 * @param {number} space
 * @param {string} action
 */
export function takeBack(space, action) {
  const button = make("button", `take ${words(action)} back`);
  button.className = "back";
  button.onclick = () =>
    ask(async () => {
      const cards = draft();
      cards.delete(space);
      await layAll(cards, space);
    });
  return button;
}
