/**
 * The page of a person at a table: the board, the choices that are legal now, and why the others are not.
 *
 * The server (server.py, table.py) knows the game. The page shows what it sends, and sends back what a person chooses.
 * Only cards on spaces of a plan that come after an empty one wait here: the game fills the spaces in its own order.
 *
 * @typedef {import("../records/picture.js").Place} Place
 *
 * @typedef {object} News something that has happened
 * @property {string} text
 * @property {import("../records/picture.js").Spoken} parts the text in pieces
 * @property {number | null} player who did it
 * @property {string} kind type of its first line of the record
 * @property {string[]} lines of the record
 *
 * @typedef {object} View what a person may know, as Table.view returns it
 * @property {number} version counts the changes
 * @property {number} player
 * @property {string} start what the person began with, if that is not the same for all
 * @property {Record<string, string>} labels what actions are called, where that is not their name
 * @property {string[]} chosen actions that are not confirmed
 * @property {boolean} held whether the last one waits to be confirmed
 * @property {Record<number, string>} laid cards of the plan, by number of the space
 * @property {import("./division.js").Division | null} division the lots that are made, offered or to be chosen from
 * @property {number} since number of lines of the record that the person knew when they confirmed last
 * @property {News[]} news what has happened since the person confirmed last
 * @property {boolean} learns whether the person gets explanations
 * @property {import("./lesson.js").Lesson[]} lessons what has been explained, and what is new
 * @property {string[]} names the bot of each player, or "person"
 * @property {number} decides the player who decides, -1 when the game is over
 * @property {import("./end.js").Placed[]} end how it ended, empty while it lasts
 * @property {string} title
 * @property {[width: number, height: number]} size
 * @property {Record<string, string>} parts
 * @property {Record<string, Place>} places
 * @property {string} text
 * @property {boolean} turn whether the person decides
 * @property {boolean} over
 * @property {number[]} winners
 * @property {string[]} legal
 * @property {Record<string, string>} refused why other actions are illegal
 * @property {Record<string, string>} words what the legal actions do
 * @property {Space[]} spaces of the plan in the order of play, while it is made
 * @property {number} space which of them the game fills next, -1 for none
 *
 * @typedef {object} Seen what is shown when nothing unfolds
 * @property {number} version
 * @property {Picture} picture
 * @property {Record<string, Place>} places
 *
 * @typedef {object} Space a space of the plan
 * @property {number} space
 * @property {string} mark number in the order of play, "?" for one that nobody knows
 * @property {string} title
 * @property {Record<string, string>} cards what each card does there
 *
 * @typedef {object} Drag a card that is held with the mouse or a finger
 * @property {string} action
 * @property {number} x where it was taken
 * @property {number} y
 * @property {number} pointer
 * @property {string} from the lot in which it was, empty for a card of a plan
 * @property {HTMLElement | null} ghost what moves; null until the pointer has moved far enough to tell it from a click
 */
import { get, make, makeSvg, Picture, spoken } from "../records/picture.js";
import { draftOf, lotsOf, moved } from "./division.js";
import { endOf, nameOf } from "./end.js";
import { forgetLessons, showLessons } from "./lesson.js";
import { Unfolding } from "./unfold.js";

const SPOT = 35; // radius of the mark of a place, in units of the picture
const CLICK = 8; // pixels that the pointer may move in a click
const POLL = 1500; // milliseconds between two questions whether the game has gone on
const COMMANDS = /** @type {const} */ (["confirm", "undo", "hint", "explain"]);
const PATIENCE = 300; // milliseconds after which the page says that the program is at work
const LONG = 4000; // and after which it says what may take so long
const IDLE = "do nothing"; // what a chest card does on the space of an action
const DIVIDE = "It is your turn: click or drag cards from one lot to the other, and choose a title for each.";
const SILENCE =
  "The program does not answer. Start it again with the same command: the game is saved, and this page goes on.";

/** All that the page keeps. */
const page = {
  /** What the server sent last: nothing yet. */
  view: /** @type {View} */ (/** @type {unknown} */ ({ version: -1 })),
  /** How many commands are not carried out yet. */
  busy: 0,
  /** The last of them: each waits for the one before, so that no click is lost. */
  last: Promise.resolve(),
  /** The space of the plan that a person has chosen to fill, -1 for the first empty one. */
  space: -1,
  /** @type {Map<number, string>[]} the plans before the changes made here, for undo */
  drafts: [],
  /** @type {import("./division.js").Draft[]} the lots before the changes made here, for undo */
  divisions: [],
  /** @type {Drag | null} */
  drag: null,
  /** @type {Map<number, string>} cards on spaces after an empty one, by number of the space */
  waiting: new Map(),
  /** @type {Picture | null} */
  picture: null,
  /** The marks of places, in front of the picture. */
  spots: makeSvg("g"),
};

/** What the others did, on the board. */
const unfolding = new Unfolding(
  () => ({ ...page.view, picture: /** @type {Picture} */ (page.picture) }),
  () => showPicture(),
);

const words = (/** @type {string} */ name) => page.view.labels[name] ?? name.replaceAll("_", " ");
const planning = () => page.view.turn && page.view.spaces.length > 0;
const dividing = () => (page.view.turn && page.view.division?.made ? page.view.division : null);
const canChoose = () => page.view.turn && !page.view.held;
const isCard = (/** @type {string} */ action) => action !== "none"; // the empty space can be on several

/**
 * Return lists of the values by key.
 * @param {[key: string, value: string][]} pairs
 */
function gather(pairs) {
  /** @type {Record<string, string[]>} */
  const lists = {};
  for (const [key, value] of pairs) {
    lists[key] ??= [];
    lists[key].push(value);
  }
  return lists;
}

/* --- showing ----------------------------------------------------------------------------------------------------- */

/**
 * Show an answer of the server; one without a picture says that nothing is new.
 * @param {View & { hint?: string }} view
 */
function show(view) {
  if (!view.parts) return;
  const focused = document.activeElement?.getAttribute("data-action");
  const isNew = view.since !== page.view.since || view.news.length !== page.view.news.length;
  page.view = view;
  for (const space of Object.keys(view.laid)) page.waiting.delete(Number(space));
  if (view.turn && !planning()) forgetPlan();
  if (!dividing()) page.divisions = [];
  showPicture();
  showDecision();
  showPlayers();
  showChoices();
  showLessons(view.lessons, () => run("explain"));
  showRefused();
  get("text").textContent = view.text;
  get("news").replaceChildren(...view.news.map(({ parts }) => spoken(make("li"), parts)));
  get("lines").replaceChildren(...view.news.flatMap(({ lines }) => lines.map(line => make("li", line))));
  keepFocus(focused);
  if (view.hint) showHint(view.hint);
  unfolding.tell(view.since, isNew && view.news.length > 0);
}

function showPicture() {
  const { size, parts } = page.view;
  if (!page.picture) {
    const front = makeSvg("g");
    front.append(unfolding.arrows, page.spots);
    page.picture = new Picture(size, Object.keys(parts), front);
  }
  for (const name of page.picture.groups.keys()) page.picture.show(name, parts[name] ?? "");
}

/** Show what can be chosen, in the panel and on the board. */
function showChoices() {
  showPlan();
  showLots();
  showActions();
  showSpots();
}

/**
 * Return a text with names in place of "player 2".
 * @param {string} text
 */
const named = text =>
  text.replace(/player (\d)/g, (own, player) =>
    Number(player) === page.view.player ? `${own} (you)` : nameOf(page.view, Number(player)),
  );

function showDecision() {
  const { title, turn, held, over, chosen, decides, spaces, end } = page.view;
  const wait = turn ? "It is your turn." : `Waiting for ${nameOf(page.view, decides)}.`;
  const whole = dividing()
    ? DIVIDE
    : planning()
      ? "It is your turn: choose a space, then its card."
      : `${named(title)}. ${wait}`;
  get("decision").textContent = over ? `${named(title)}. The game is over.` : whole;
  const list = `Chosen: ${chosen.map(words).join(", ")}${held ? ". Confirm, or undo." : ""}`;
  const plan = `${draft().size} of ${spaces.length} filled. Nobody sees it before you confirm.`;
  const complete = held ? "Complete: confirm, or go on changing it." : "Nobody sees the lots before you confirm them.";
  get("chosen").textContent = planning() ? plan : dividing() ? complete : chosen.length ? list : "";
  get("end").hidden = get("commands").hidden = false;
  get(over ? "commands" : "end").hidden = true;
  if (over) get("end").replaceChildren(endOf(page.view, end, () => run("again")));
  get("confirm", HTMLButtonElement).disabled = !(turn && held);
  get("undo", HTMLButtonElement).disabled = !(turn && (chosen.length || page.drafts.length || page.divisions.length));
  get("hint", HTMLButtonElement).disabled = !canChoose();
  get("explain").ariaPressed = String(page.view.learns);
}

/** Show who plays, in their colours. */
function showPlayers() {
  const { player, names, start } = page.view;
  const shown = names.map((called, each) => {
    const name = make("b", each === player ? `you are P${each}` : `P${each} ${called}`);
    name.style.setProperty("--who", `var(--p${each})`);
    name.classList.toggle("you", each === player);
    return name;
  });
  get("players").replaceChildren(...shown, start ? `your start: ${words(start)}` : "");
}

/** Return what can be chosen now, with what it does: in a plan the cards for the space that is to be filled. */
function choices() {
  const { legal, words: meanings, spaces } = page.view;
  if (dividing()) return {};
  if (planning()) return spaces.find(({ space }) => space === target())?.cards ?? {};
  return Object.fromEntries(canChoose() ? legal.map(action => [action, meanings[action] ?? ""]) : []);
}

/** Show the lots that are made, offered, or to be chosen from. */
function showLots() {
  const { turn, division } = page.view;
  const lots = turn && division ? lotsOf(page.view, division, divide) : [];
  get("lots").hidden = lots.length === 0;
  get("lots").replaceChildren(...lots);
  for (const card of get("lots").querySelectorAll("[data-from]")) {
    if (card instanceof HTMLElement) makeCard(card, card.dataset.action ?? "");
  }
}

/**
 * Make the lots anew.
 * @param {import("./division.js").Draft} draft
 */
function divide(draft) {
  return ask(async () => {
    const division = dividing();
    if (!division) return;
    const before = draftOf(division);
    page.divisions.push(before);
    if (!(await send("divide", draft))) page.divisions.pop();
  });
}

/** Show a button for each choice; in a plan cards that are on no space come first. */
function showActions() {
  const all = Object.entries(choices());
  const isUsed = (/** @type {string} */ action) => isCard(action) && spaceOf(action) >= 0;
  const [used, free] = [true, false].map(is => all.filter(([action]) => isUsed(action) === is));
  const buttons = (planning() ? [...free, ...used] : all).map(([action, effect]) => {
    const button = make("button", planning() ? words(action) : effect || words(action));
    const from = planning() && isCard(action) ? spaceOf(action) : -1;
    const note = from < 0 ? effect : `from ${page.view.spaces.find(({ space }) => space === from)?.title}`;
    if (planning() && note !== IDLE) button.append(make("small", note));
    button.classList.toggle("plain", note === IDLE);
    button.classList.toggle("used", from >= 0);
    explain(button, `${words(action)}: ${effect || "no more is known"}`);
    makeChoice(button, action);
    return button;
  });
  get("actions").classList.toggle("cards", planning());
  get("actions").replaceChildren(...buttons);
  const there = draft().get(target());
  if (planning() && there) get("actions").append(takeBack(target(), there));
}

/**
 * Return a button that takes a card from its space into the hand.
 * @param {number} space
 * @param {string} action
 */
function takeBack(space, action) {
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

/**
 * Let an element say below the choices what it means, when it is pointed at or focused.
 * @param {HTMLElement} element
 * @param {string} text
 */
function explain(element, text) {
  element.title = text;
  element.onfocus = element.onpointerenter = () => {
    get("effect").textContent = text;
  };
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
  page.spots.replaceChildren();
  if (!canChoose() && !planning()) return;
  for (const [place, [cx, cy]] of Object.entries(places)) {
    const attributes = { cx, cy, r: SPOT };
    const actions = legalAt[place] ?? [];
    if (actions.length === 1) page.spots.append(choiceSpot(attributes, actions[0]));
    if (actions.length === 0 && refusedAt[place]) {
      const spot = makeSvg("circle", { ...attributes, class: "refused" });
      spot.append(makeSvg("title", {}, refusedAt[place].join("\n")));
      page.spots.prepend(spot); // behind those that can be chosen
    }
  }
}

/**
 * Return the mark of a place, which works like the button of its action.
 * @param {Record<string, number>} attributes
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

/** Show reasons, with the actions that have the same one together. */
function showRefused() {
  const refused = canChoose() ? Object.entries(page.view.refused) : [];
  const actions = gather(refused.map(([action, why]) => [why, words(action)]));
  get("why").hidden = refused.length === 0;
  get("refused").replaceChildren(
    ...Object.entries(actions).flatMap(([why, names]) => [make("dt", names.join(", ")), make("dd", why)]),
  );
}

/**
 * Focus what a person needs next, because the button that they pressed has been replaced.
 * @param {string | null | undefined} action of the button that was focused
 */
function keepFocus(action) {
  const same = action && document.querySelector(`button[data-action="${CSS.escape(action)}"]`);
  const next = (!planning() && same) || get("actions").firstChild;
  const button = page.view.held ? get("confirm") : action && canChoose() && next;
  if (button instanceof HTMLElement) button.focus({ preventScroll: true });
}

/**
 * Return a hint in words: an action, or all that make a lot.
 * @param {string} hint
 */
const hinted = hint => hint.split(", ").map(words).join(", ");

/** @param {string} hint */
function showHint(hint) {
  const actions = hint.split(", ");
  if (planning()) {
    page.space = page.view.space;
    showChoices();
  }
  for (const element of document.querySelectorAll("[data-action]")) {
    element.classList.toggle("advised", actions.includes(element.getAttribute("data-action") ?? ""));
  }
}

/* --- the plan: a space is chosen, then its card; the game fills the spaces in its own order ---------------------- */

/** Return the cards of the plan by number of the space: those that the game has, and those that wait. */
const draft = () =>
  new Map([...page.waiting, .../** @type {[number, string][]} */ (laidCards())].sort(([one], [other]) => one - other));
const laidCards = () => Object.entries(page.view.laid).map(([space, card]) => [Number(space), card]);

/** Return the space of the plan that the next card fills: the one chosen, or the first empty one in order of play. */
function target() {
  if (page.space >= 0) return page.space;
  const cards = draft();
  return page.view.spaces.find(({ space }) => !cards.has(space))?.space ?? -1;
}

/** Forget what an undo would bring back: what was confirmed before another plan or division is made. */
function forgetChanges() {
  page.drafts = [];
  page.divisions = [];
  showDecision();
}

function forgetPlan() {
  page.waiting.clear();
  page.drafts = [];
  page.space = -1;
}

function showPlan() {
  const cards = draft();
  get("plan").hidden = !planning();
  const items = page.view.spaces.map(({ space, mark, title, cards: effects }) => {
    const [item, button, card] = [make("li"), make("button"), make("b", words(cards.get(space) ?? ""))];
    const action = cards.get(space);
    item.dataset.space = String(space);
    button.className = "space";
    button.ariaPressed = String(space === target());
    button.append(make("i", mark), make("span", title), card);
    button.onclick = () => chooseSpace(space);
    if (action) makeCard(card, action);
    if (action) explain(button, `${words(action)} on ${title}: ${effects[action] ?? ""}`);
    item.append(button);
    return item;
  });
  get("plan").replaceChildren(...items);
}

/** @param {number} space */
function chooseSpace(space) {
  page.space = space;
  showChoices();
  const button = get("plan").querySelector(`[data-space="${space}"] button`);
  if (button instanceof HTMLElement) button.focus({ preventScroll: true });
}

/** @param {string} action */
function choose(action) {
  return ask(async () => {
    if (planning()) await lay(action, target());
    else if (canChoose() && page.view.legal.includes(action)) await send("choose", { action });
    else say(`${words(action)} is not possible any more, and was not chosen.`);
  });
}

/**
 * Return the space on which a card is, -1 if it is in the hand.
 * @param {string} action
 */
const spaceOf = action => [...draft()].find(([, card]) => card === action)?.[0] ?? -1;

/**
 * Put a card on a space; what was there takes its old place.
 * @param {string} action
 * @param {number} space
 */
async function lay(action, space) {
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
  showChoices();
  return false;
}

/** Take back the last change of the plan, or else the last action. */
async function undo() {
  const lots = dividing() ? page.divisions.pop() : undefined;
  if (lots) return await send("divide", lots);
  const before = planning() ? page.drafts.pop() : undefined;
  if (!before) return await send("undo");
  const done = await layAll(before, -1);
  page.drafts = done ? page.drafts.slice(0, -1) : [...page.drafts, before]; // the way back is no change
  showDecision();
  return true;
}

/* --- cards that are dragged -------------------------------------------------------------------------------------- */

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

/**
 * Let an element be dragged.
 * @param {HTMLElement | SVGElement} element
 * @param {string} action
 */
function makeCard(element, action) {
  element.classList.add("card");
  element.dataset.action = action;
  element.onpointerdown = event => {
    const from = element.dataset.from ?? "";
    page.drag = { action, x: event.clientX, y: event.clientY, pointer: event.pointerId, from, ghost: null };
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
  const drag = page.drag;
  if (drag?.pointer !== event.pointerId) return;
  if (!drag.ghost) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < CLICK) return;
    drag.ghost = make("div", dividing()?.cards[drag.action] ?? words(drag.action));
    drag.ghost.className = "dragged";
    document.body.append(drag.ghost);
  }
  drag.ghost.style.left = `${event.clientX}px`;
  drag.ghost.style.top = `${event.clientY}px`;
  markSpace(spaceAt(event));
}

/** @param {PointerEvent} event */
function drop(event) {
  const drag = page.drag;
  if (drag?.pointer !== event.pointerId) return;
  page.drag = null;
  if (!drag.ghost) return; // a click, which chooses the card for the current space
  drag.ghost.remove();
  markSpace(null);
  swallowClick();
  const space = event.type === "pointerup" ? spaceAt(event) : null;
  const division = dividing();
  if (space?.dataset.space) ask(() => lay(drag.action, Number(space.dataset.space)));
  else if (division && space && space.dataset.lot !== drag.from)
    divide(moved(division, drag.action, Number(space.dataset.lot)));
}

/** Ignore the click that a browser makes where a drag ends on the element on which it began. */
function swallowClick() {
  const swallow = (/** @type {Event} */ click) => {
    click.stopPropagation();
    click.preventDefault();
  };
  addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true })); // most drags end elsewhere
}

/* --- talking to the server --------------------------------------------------------------------------------------- */

/** @param {string} text */
function say(text) {
  get("message").textContent = text;
}

/**
 * Carry out a command after those that are under way; the page says so if that takes a while.
 * @param {() => Promise<unknown>} command
 */
function ask(command) {
  unfolding.end();
  page.busy += 1;
  const signs = [
    setTimeout(() => sign("The program is at work …"), PATIENCE),
    setTimeout(() => sign("Still at work: bots think, or a part is compiled for its first use …"), LONG),
  ];
  page.last = page.last
    .then(command)
    .catch(error => say(String(error)))
    .then(() => {
      page.busy -= 1;
      for (const each of signs) clearTimeout(each);
      if (page.busy === 0) sign("");
    });
  return page.last;
}

/** @param {string} text */
function sign(text) {
  get("busy").textContent = text;
}

/**
 * Send a command and show the answer; say whether it was carried out.
 * @param {string} command
 * @param {Record<string, unknown>} data
 */
async function send(command, data = {}) {
  try {
    const body = JSON.stringify({ ...data, version: page.view.version });
    const answer = await (await fetch(command, { method: "POST", body })).json();
    say(answer.error ?? (answer.hint ? `Hint: ${hinted(answer.hint)}` : ""));
    if (answer.error) await update(true);
    else show(answer);
    return !answer.error;
  } catch {
    showGone(true);
    return false;
  }
}

/**
 * Ask what there is to see, always or only if the page is behind.
 * @param {boolean} always
 */
async function update(always) {
  let answer;
  try {
    const known = always || !get("gone").hidden ? -1 : page.view.version; // a new program counts its changes anew
    answer = await fetch(`state?version=${known}`);
  } catch {
    showGone(true);
    return;
  }
  const was = get("gone").hidden;
  showGone(false);
  const view = await answer.json();
  if (!answer.ok) say(view.error);
  else if (always || !was || view.version !== page.view.version) show(view); // a command may have shown it meanwhile
}

/** Add to a hint what the champion makes of it; that may take seconds, in which the person can go on. */
async function explainHint() {
  const action = document.querySelector(".advised")?.getAttribute("data-action");
  const { version } = page.view;
  const said = get("message").textContent;
  if (!action) return;
  const answer = await fetch("why", { method: "POST", body: JSON.stringify({ action }) }).catch(() => null);
  if (!answer?.ok || version !== page.view.version || said !== get("message").textContent) return;
  get("message").textContent = `${said}. ${(await answer.json()).why}`;
}

/**
 * Say that the program is gone, or that it is there again.
 * @param {boolean} gone
 */
function showGone(gone) {
  get("gone").hidden = !gone;
  get("gone").textContent = gone ? SILENCE : "";
}

/** @param {typeof COMMANDS[number] | "again"} command */
async function run(command) {
  await ask(async () => {
    if (command === "again") {
      forgetPlan();
      forgetLessons();
    } else if (get(command, HTMLButtonElement).disabled) return; // what was asked for before has done it
    if (command === "hint") page.space = -1;
    const data = command === "explain" ? { on: !page.view.learns } : {};
    const done = await (command === "undo" ? undo() : send(command, data));
    if (command === "confirm" && done) forgetChanges();
  });
  if (command === "hint") await explainHint();
}

function start() {
  for (const command of COMMANDS) get(command).onclick = () => run(command);
  addEventListener("keydown", event => {
    const command = COMMANDS.find(each => each[0] === event.key); // c, u, h, e
    if (!command || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!get(command, HTMLButtonElement).disabled) run(command);
  });
  addEventListener("pointermove", move);
  addEventListener("pointerup", drop);
  addEventListener("pointercancel", drop);
  setInterval(() => {
    if (!page.busy && !document.hidden) update(page.view.version < 0);
  }, POLL);
  update(true);
}

start();
