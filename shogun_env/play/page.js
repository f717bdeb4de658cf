/**
 * The page of a person at a table: the board, the choices that are legal now, and why the others are not.
 *
 * The server (server.py, table.py) knows the game. The page shows what it sends, and sends back what a person chooses.
 * Only cards that were dragged on spaces of a plan to which the game has not come yet wait here.
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
 * @property {string[]} chosen actions that are not confirmed
 * @property {boolean} held whether the last one waits to be confirmed
 * @property {Record<number, string>} laid cards of the plan, by number of the space
 * @property {News[]} news what has happened since the person confirmed last
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
 * @property {string[]} spaces of the plan, while it is made
 * @property {number} space which of them is filled now, -1 for none
 *
 * @typedef {object} Drag a card that is held with the mouse or a finger
 * @property {string} action
 * @property {number} x where it was taken
 * @property {number} y
 * @property {number} pointer
 * @property {HTMLElement | null} ghost what moves; null until the pointer has moved far enough to tell it from a click
 */
import { get, make, makeSvg, Picture, spoken } from "../records/picture.js";
import { endOf, nameOf } from "./end.js";

const SPOT = 35; // radius of the mark of a place, in units of the picture
const CLICK = 8; // pixels that the pointer may move in a click
const POLL = 1500; // milliseconds between two questions whether the game has gone on
const COMMANDS = /** @type {const} */ (["confirm", "undo", "hint"]);
const SILENCE =
  "The program does not answer. Start it again with the same command: the game is saved, and this page goes on by itself.";

/** All that the page keeps. */
const page = {
  /** What the server sent last: nothing yet. */
  view: /** @type {View} */ (/** @type {unknown} */ ({ version: -1 })),
  /** Whether the answer to a command is awaited. */
  busy: false,
  /** @type {Drag | null} */
  drag: null,
  /** @type {Map<number, string>} cards dragged on spaces that are not filled yet, by number of the space */
  waiting: new Map(),
  /** @type {Picture | null} */
  picture: null,
  /** The marks of places, in front of the picture. */
  spots: makeSvg("g"),
};

const words = (/** @type {string} */ name) => name.replaceAll("_", " ");
const canChoose = () => page.view.turn && !page.view.held;

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
  page.view = view;
  showPicture();
  showDecision();
  showActions();
  showSpots();
  showRefused();
  showPlan();
  get("text").textContent = view.text;
  get("news").replaceChildren(...view.news.map(({ parts }) => spoken(make("li"), parts)));
  get("lines").replaceChildren(...view.news.flatMap(({ lines }) => lines.map(line => make("li", line))));
  keepFocus(focused);
  if (view.hint) showHint(view.hint);
}

function showPicture() {
  const { size, parts } = page.view;
  page.picture ??= new Picture(size, Object.keys(parts), page.spots);
  for (const name of page.picture.groups.keys()) page.picture.show(name, parts[name] ?? "");
}

function showDecision() {
  const { title, player, names, decides, start, turn, held, over, chosen, end } = page.view;
  const wait = turn ? "It is your turn." : `Waiting for ${nameOf(page.view, decides)}.`;
  get("decision").textContent = `${title}. ${over ? "The game is over." : wait}`;
  const others = names.map((_, other) => other).filter(other => other !== player);
  const against = `against ${others.map(other => nameOf(page.view, other)).join(", ")}`;
  get("start").textContent = `You are player ${player}, ${against}.${start ? ` Your start: ${words(start)}.` : ""}`;
  const list = `Chosen: ${chosen.map(words).join(", ")}${held ? ". Confirm, or undo." : ""}`;
  get("chosen").textContent = chosen.length ? list : "";
  get("end").hidden = get("commands").hidden = false;
  get(over ? "commands" : "end").hidden = true;
  if (over) get("end").replaceChildren(endOf(page.view, end, () => run("again")));
  get("confirm", HTMLButtonElement).disabled = !(turn && held);
  get("undo", HTMLButtonElement).disabled = !(turn && chosen.length);
  get("hint", HTMLButtonElement).disabled = !canChoose();
}

/** Show a button for each legal action. */
function showActions() {
  const buttons = (canChoose() ? page.view.legal : []).map(action => {
    const button = make("button", words(action));
    makeChoice(button, action);
    return button;
  });
  get("actions").replaceChildren(...buttons);
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
  const { legal, refused, places } = page.view;
  const legalAt = gather(legal.map(action => [placeOf(action) ?? "", action]));
  const refusedAt = gather(
    Object.entries(refused).map(([action, why]) => [placeOf(action) ?? "", `${words(action)}: ${why}`]),
  );
  page.spots.replaceChildren();
  if (!canChoose()) return;
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
  const button = page.view.held ? get("confirm") : action && canChoose() && (same || get("actions").firstChild);
  if (button instanceof HTMLElement) button.focus({ preventScroll: true });
}

/** @param {string} action */
function showHint(action) {
  for (const element of document.querySelectorAll("[data-action]")) {
    element.classList.toggle("advised", element.getAttribute("data-action") === action);
  }
}

/* --- the plan: cards are chosen space by space; those dragged on later spaces wait for their turn ---------------- */

function showPlan() {
  const { spaces, space: current, laid, held } = page.view;
  if (!spaces.length) page.waiting.clear();
  get("plan").hidden = spaces.length === 0;
  const items = spaces.map((name, space) => {
    const action = laid[space] ?? page.waiting.get(space);
    const item = make("li", words(name));
    const card = make("b", words(action ?? ""));
    item.dataset.space = String(space);
    if (space === current && !held) item.setAttribute("aria-current", "step");
    card.classList.toggle("waiting", !(space in laid));
    if (action) makeCard(card, action);
    item.append(card);
    return item;
  });
  get("plan").replaceChildren(...items);
}

/** @param {string} action */
async function choose(action) {
  for (const [space, card] of page.waiting) if (card === action) page.waiting.delete(space);
  if (await send("choose", action)) await fill();
}

/**
 * Return the space of a card that is laid or waits, -1 if it is in the hand.
 * @param {string} action
 */
function spaceOf(action) {
  const cards = [...Object.entries(page.view.laid), ...page.waiting];
  return Number(cards.find(([, card]) => card === action)?.[0] ?? -1);
}

/**
 * Put a card on a space; what was there takes its old place. Spaces are filled in order, so cards that are on this
 * space or later are taken back first, and wait.
 * @param {string} action
 * @param {number} target
 */
async function lay(action, target) {
  const old = spaceOf(action);
  const first = old in page.view.laid ? Math.min(old, target) : target;
  for (;;) {
    const last = Object.entries(page.view.laid).at(-1); // numbers as keys are in order
    if (!last || Number(last[0]) < first) break;
    page.waiting.set(Number(last[0]), last[1]);
    if (!(await send("undo"))) return;
  }
  const there = page.waiting.get(target);
  page.waiting.delete(old);
  if (there && there !== action && old >= 0) page.waiting.set(old, there);
  page.waiting.set(target, action);
  await fill();
}

/** Choose the cards that wait, as far as spaces come to their turn. */
async function fill() {
  while (page.view.turn && !page.view.held) {
    const card = page.waiting.get(page.view.space);
    if (card === undefined) break;
    page.waiting.delete(page.view.space);
    if (!page.view.legal.includes(card) || !(await send("choose", card))) break;
  }
  showPlan();
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
  if (page.view.spaces.length) makeCard(element, action);
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
    page.drag = { action, x: event.clientX, y: event.clientY, pointer: event.pointerId, ghost: null };
  };
}

/**
 * Return the space of the plan under the pointer.
 * @param {PointerEvent} event
 */
function spaceAt(event) {
  const space = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-space]");
  return space instanceof HTMLElement ? space : null;
}

/**
 * Mark the space over which a card is held.
 * @param {HTMLElement | null} space
 */
function markSpace(space) {
  for (const item of get("plan").children) item.classList.toggle("over", item === space);
}

/** @param {PointerEvent} event */
function move(event) {
  const drag = page.drag;
  if (drag?.pointer !== event.pointerId) return;
  if (!drag.ghost) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < CLICK) return;
    drag.ghost = make("div", words(drag.action));
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
  if (space) lay(drag.action, Number(space.dataset.space));
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

/**
 * Send a command and show the answer; say whether it was carried out.
 * @param {string} command
 * @param {string} [action]
 */
async function send(command, action) {
  if (page.busy) return false;
  page.busy = true;
  try {
    const body = JSON.stringify({ action, version: page.view.version });
    const answer = await (await fetch(command, { method: "POST", body })).json();
    get("message").textContent = answer.error ?? (answer.hint ? `Hint: ${words(answer.hint)}` : "");
    if (answer.error) await update(true);
    else show(answer);
    return !answer.error;
  } catch {
    showGone(true);
    return false;
  } finally {
    page.busy = false;
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
  showGone(false);
  if (answer.ok) show(await answer.json());
  else get("message").textContent = (await answer.json()).error;
}

/** Add to a hint what the champion makes of it; that may take seconds, in which the person can go on. */
async function explain() {
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
  if (!(await send(command))) return;
  if (command === "confirm") await fill();
  if (command === "hint") await explain();
}

function start() {
  for (const command of COMMANDS) get(command).onclick = () => run(command);
  addEventListener("keydown", event => {
    const command = COMMANDS.find(each => each[0] === event.key); // c, u, h
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
