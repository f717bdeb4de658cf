/**
 * The page of a person at a table: the board, the choices that are legal now, and why the others are not.
 *
 * The server (server.py, table.py) knows the game. The page shows what it sends, and sends back what a person chooses.
 *
 * @typedef {import("./state.js").View} View
 */
import { coloured, get, make, makeSvg, Picture, spoken, tablesIn } from "../records/picture.js";
import { showTips } from "../records/tips.js";
import { Zoom } from "../records/zoom.js";
import { divide, showChoices, showRefused, spots } from "./choices.js";
import { moved } from "./division.js";
import { startDragging } from "./drag.js";
import { endOf, nameOf } from "./end.js";
import { showLessons } from "./lesson.js";
import { lay } from "./plan.js";
import { canChoose, dividing, draft, hintInWords, page, planning, waits, words } from "./state.js";
import { ask, hooks, say, send, update } from "./talk.js";
import { Unfolding } from "./unfold.js";

const POLL = 1500; // milliseconds between two questions whether the game has gone on
const COMMANDS = /** @type {const} */ (["confirm", "undo", "hint", "explain"]);
const TAKE_BACK = "Until everybody has confirmed, undo takes it back.";
const DIVIDE = "Click or drag cards from one to the other.";

/** What the others did, on the board. */
const unfolding = new Unfolding(
  () => ({ ...page.view, picture: /** @type {Picture} */ (page.picture) }),
  () => showPicture(),
);

/**
 * Show an answer of the server; one without a picture says that nothing is new.
 * @param {View & import("./state.js").Advice} view
 */
function show(view) {
  if (!view.parts) return;
  const focused = document.activeElement?.getAttribute("data-action");
  if (isOfOthers(view)) {
    page.view = view;
    showDecision();
    showPlayers();
    return;
  }
  const isNew = view.since !== page.view.since || view.news.length !== page.view.news.length;
  page.view = view;
  get("effect").textContent = ""; // it was about a choice that is gone
  if (!planning()) page.space = -1;
  const isOver = isNew || !(planning() || dividing()); // what the last hint was about
  page.advice = view.why !== undefined ? view : isOver ? {} : page.advice;
  showPicture();
  showDecision();
  showPlayers();
  showChoices();
  showLessons(view.lessons, () => run("explain"));
  showRefused();
  get("text").textContent = view.text;
  get("tables").replaceChildren(...tablesIn(view.text));
  get("news").replaceChildren(...view.news.map(({ parts }) => spoken(make("li"), parts)));
  get("lines").replaceChildren(...view.news.flatMap(({ lines }) => lines.map(line => make("li", line))));
  keepFocus(focused);
  if (view.why !== undefined) say(hintInWords());
  markHint();
  unfolding.tell(view.since, isNew && view.news.length > 0);
}

/**
 * Return whether nothing is new but who has confirmed, so that what the person is about to do need not be disturbed.
 * @param {View} view
 */
function isOfOthers(view) {
  const own = (/** @type {View} */ each) => JSON.stringify({ ...each, version: 0, decides: [], confirmed: [] });
  return page.busy === 0 && view.version > page.view.version && own(view) === own(page.view);
}

function showPicture() {
  const { size, parts } = page.view;
  const isFirst = !page.picture;
  if (!page.picture) {
    const front = makeSvg("g");
    front.append(unfolding.arrows, spots);
    page.picture = new Picture(Object.keys(parts), front);
  }
  for (const name of page.picture.groups.keys()) page.picture.show(name, parts[name] ?? "");
  if (isFirst) new Zoom(get("picture", SVGSVGElement), size, page.view.places);
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
  const { title, turn, held, over, chosen, decides, spaces, end, undo, question, plays } = page.view;
  const awaited = new Intl.ListFormat("en").format(decides.map(each => nameOf(page.view, each)));
  const wait = turn ? "It is your turn." : `Waiting for ${awaited}.`;
  const asked = dividing() ? `${question} ${DIVIDE}` : question || `${named(title)}. ${wait}`;
  const now = waits() ? `Your plan is confirmed. ${wait}` : asked;
  get("decision").textContent = over ? `${named(title)}. The game is over.` : now;
  document.title = `${over ? "over – " : turn ? "your turn – " : ""}${title.replace(/:.*/, "")}`;
  const list = `Chosen: ${chosen.map(words).join(", ")}${held ? ". Confirm, or undo." : ""}`;
  const filled = `${draft().size} of ${spaces.length} filled. Nobody sees it before you confirm.`;
  const plan = `${filled}${emptiesLeft()} ${page.view.costs.text}`;
  const complete = held ? "Complete: confirm, or go on changing it." : "Nobody sees the lots before you confirm them.";
  const drafted = planning() ? plan : dividing() ? complete : chosen.length ? list : "";
  get("chosen").textContent = waits() ? TAKE_BACK : drafted;
  get("commands").hidden = over || !plays;
  get("end").hidden = !over;
  if (over) get("end").replaceChildren(endOf(page.view, end, () => run("rematch")));
  get("confirm", HTMLButtonElement).disabled = !(turn && held);
  get("undo", HTMLButtonElement).disabled = !undo;
  get("hint", HTMLButtonElement).disabled = !canChoose() && !planning() && !dividing();
  get("explain").ariaPressed = String(page.view.learns);
}

/** Return how many spaces of the plan must still stay empty, and why. */
function emptiesLeft() {
  const { empties, spaces } = page.view;
  if (empties <= 0) return "";
  const must = empties === 1 ? "1 more space must" : `${empties} more spaces must`;
  return ` ${must} stay empty: you have fewer cards than ${spaces.length} spaces.`;
}

/** Show who plays, in their colours. */
function showPlayers() {
  const { player, names, start, confirmed, links } = page.view;
  const shown = names.map((called, each) => {
    const done = confirmed.includes(each) ? ", confirmed" : "";
    const name = each === player ? `you are P${each}` : `P${each} ${called}`;
    const who = links[each] ? make("a", name, { href: links[each], target: "_blank" }) : name;
    return make("b", who, done, { className: each === player ? "you" : "", ...coloured(each) });
  });
  get("players").replaceChildren(...shown, start ? `your start: ${start}` : "");
}

/**
 * Focus what a person needs next, because the button that they pressed has been replaced.
 * @param {string | null | undefined} action of the button that was focused
 */
function keepFocus(action) {
  const same = action && document.querySelector(`button[data-action="${CSS.escape(action)}"]`);
  const next = (!planning() && same) || get("actions").firstChild;
  const button = page.view.turn && page.view.held ? get("confirm") : action && canChoose() && next;
  if (button instanceof HTMLElement) button.focus({ preventScroll: true });
}

/** Mark what a hint names. */
function markHint() {
  const actions = page.advice.hint?.split(", ") ?? [];
  for (const element of document.querySelectorAll("[data-action]")) {
    element.classList.toggle("advised", actions.includes(element.getAttribute("data-action") ?? ""));
  }
}

/** @param {typeof COMMANDS[number] | "rematch"} command */
async function run(command) {
  await ask(async () => {
    if (command !== "rematch" && get(command, HTMLButtonElement).disabled) return; // what was asked for before did it
    const data = command === "explain" ? { on: !page.view.learns } : {};
    if ((await send(command, data)) && command === "rematch") location.assign(page.view.next);
  });
}

function start() {
  for (const command of COMMANDS) get(command).onclick = () => run(command);
  addEventListener("keydown", event => {
    const command = COMMANDS.find(each => each[0] === event.key); // c, u, h, e
    if (!command || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!get(command, HTMLButtonElement).disabled) run(command);
  });
  hooks.begin = () => unfolding.end();
  hooks.show = show;
  page.redraw = () => {
    showDecision();
    showChoices();
  };
  startDragging((action, to, from) => {
    const division = dividing();
    if (to.dataset.space) ask(() => lay(action, Number(to.dataset.space)));
    else if (division && to.dataset.lot !== from) divide(moved(division, action, Number(to.dataset.lot)));
  });
  setInterval(() => {
    if (!page.busy && !document.hidden) update(page.view.version < 0);
  }, POLL);
  showTips();
  update(true);
}

start();
