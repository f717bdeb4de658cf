/**
 * The plan: a space is chosen, then its card, in any order. The server keeps it as it is.
 */
import { get, make } from "../records/picture.js";
import { PHONE } from "../records/zoom.js";
import { makeCard } from "./drag.js";
import { canChoose, draft, hintInWords, isCard, page, planning, spaceOf, target, words } from "./state.js";
import { ask, say, send } from "./talk.js";

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

/** Show the spaces with their cards; on a phone the cards that can be chosen unfold below the space. */
export function showPlan() {
  get("scroll").append(get("actions"));
  get("plan").hidden = !page.view.spaces.length;
  get("plan").replaceChildren(...page.view.spaces.map(spaceItem));
  const { plan } = page.advice;
  const take = () => ask(() => layAll(new Map(Object.entries(plan ?? {}).map(([at, card]) => [Number(at), card])), -1));
  if (plan && planning()) get("plan").append(make("li", make("button", "take the whole plan", { onclick: take })));
  if (planning() && PHONE.matches) get("plan").querySelector(`[data-space="${target()}"]`)?.append(get("actions"));
}

/** @param {import("./state.js").Space} space */
function spaceItem({ space, mark, title, cards: effects }) {
  const action = draft().get(space);
  const card = make("b", words(action ?? ""));
  const [unpaid, advised] = [page.view.costs.unpaid[space], page.advice.plan?.[space]];
  const onclick = () => chooseSpace(space);
  const state = { className: "space", ariaPressed: String(space === target()), disabled: !planning() };
  const button = make("button", make("i", mark), make("span", title), card, { ...state, onclick });
  if (action && planning()) makeCard(card, action);
  if (unpaid) button.append(make("small", `not paid: ${unpaid}`));
  if (action) explain(button, `${words(action)} on ${title}: ${unpaid ?? effects[action] ?? ""}`);
  const item = make("li", button, { data: { space: String(space) }, className: unpaid ? "unpaid" : "" });
  if (advised && planning()) item.append(adviceFor(space, advised, advised === action));
  return item;
}

/**
 * Return the card that a hint has for a space: a click lays it there.
 * @param {number} space
 * @param {string} card
 * @param {boolean} isSame whether it is there already
 */
function adviceFor(space, card, isSame) {
  const onclick = () => ask(() => lay(card, space));
  return make("button", `hint: ${words(card)}`, {
    className: isSame ? "hinted same" : "hinted",
    onclick,
    disabled: isSame,
  });
}

/** @param {number} space */
function chooseSpace(space) {
  page.space = space;
  get("effect").textContent = ""; // it was about another space
  if (page.advice.plan) say(hintInWords());
  page.redraw();
  const item = get("plan").querySelector(`[data-space="${space}"]`);
  item?.querySelector("button")?.focus({ preventScroll: true });
  if (PHONE.matches) item?.scrollIntoView({ block: "start" });
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
  cards.delete(old);
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
  const before = page.space;
  page.space = space;
  if (await send("lay", { cards: Object.fromEntries(cards) })) return;
  page.space = before;
  page.redraw();
}

/**
 * Return a button that takes a card from its space into the hand.
 * @param {number} space
 * @param {string} action
 */
export function takeBack(space, action) {
  const onclick = () =>
    ask(async () => {
      const cards = draft();
      cards.delete(space);
      await layAll(cards, space);
    });
  return make("button", `take ${words(action)} back`, { className: "back", onclick });
}
