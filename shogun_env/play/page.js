/**
 * The page of a person at a table: the board, the choices that are legal now, and why the others are not.
 *
 * The server (server.py, table.py) knows the game. The page shows what it sends, and sends back what a person chooses.
 * Only cards on spaces of a plan that come after an empty one wait here: the game fills the spaces in its own order.
 *
 * @typedef {import("./state.js").View} View
 */
import { get, make, makeSvg, Picture, spoken } from "../records/picture.js";
import { showTips } from "../records/tips.js";
import { Zoom } from "../records/zoom.js";
import { divide, showChoices, showRefused, spots } from "./choices.js";
import { moved } from "./division.js";
import { startDragging } from "./drag.js";
import { endOf, nameOf } from "./end.js";
import { forgetLessons, showLessons } from "./lesson.js";
import { forgetChanges, forgetPlan, lay, undo } from "./plan.js";
import { canChoose, dividing, draft, page, planning, waits, words } from "./state.js";
import { ask, hooks, send, update } from "./talk.js";
import { Unfolding } from "./unfold.js";

const POLL = 1500; // milliseconds between two questions whether the game has gone on
const COMMANDS = /** @type {const} */ (["confirm", "undo", "hint", "explain"]);
const TAKE_BACK = "Until everybody has confirmed, undo takes it back.";
const DIVIDE = "It is your turn: click or drag cards from one lot to the other, and choose a title for each.";

/** What the others did, on the board. */
const unfolding = new Unfolding(
  () => ({ ...page.view, picture: /** @type {Picture} */ (page.picture) }),
  () => showPicture(),
);

/**
 * Show an answer of the server; one without a picture says that nothing is new.
 * @param {View & { hint?: string }} view
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
  if (!page.picture) {
    const front = makeSvg("g");
    front.append(unfolding.arrows, spots);
    page.picture = new Picture(Object.keys(parts), front);
    new Zoom(get("picture", SVGSVGElement), size);
  }
  for (const name of page.picture.groups.keys()) page.picture.show(name, parts[name] ?? "");
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
  const { title, turn, held, over, chosen, decides, spaces, end, advised } = page.view;
  const awaited = new Intl.ListFormat("en").format(decides.map(each => nameOf(page.view, each)));
  const wait = turn ? "It is your turn." : `Waiting for ${awaited}.`;
  const whole = dividing()
    ? DIVIDE
    : planning()
      ? "It is your turn: choose a space, then its card."
      : `${named(title)}. ${wait}`;
  const now = waits() ? `Your plan is confirmed. ${wait}` : whole;
  get("decision").textContent = over ? `${named(title)}. The game is over.` : now;
  const list = `Chosen: ${chosen.map(words).join(", ")}${held ? ". Confirm, or undo." : ""}`;
  const plan = `${draft().size} of ${spaces.length} filled. Nobody sees it before you confirm.`;
  const complete = held ? "Complete: confirm, or go on changing it." : "Nobody sees the lots before you confirm them.";
  const drafted = planning() ? plan : dividing() ? complete : chosen.length ? list : "";
  get("chosen").textContent = waits() ? TAKE_BACK : drafted;
  get("end").hidden = get("commands").hidden = false;
  get(over ? "commands" : "end").hidden = true;
  if (over) get("end").replaceChildren(endOf(page.view, end, () => run("again")));
  get("confirm", HTMLButtonElement).disabled = !(turn && held);
  const hasChanged = chosen.length || page.drafts.length || page.divisions.length;
  get("undo", HTMLButtonElement).disabled = !(waits() || (turn && hasChanged));
  get("hint", HTMLButtonElement).disabled = !canChoose() || !advised;
  get("hint").hidden = get("explain").hidden = !advised;
  get("explain").ariaPressed = String(page.view.learns);
}

/** Show who plays, in their colours. */
function showPlayers() {
  const { player, names, start, confirmed } = page.view;
  const shown = names.map((called, each) => {
    const done = confirmed.includes(each) ? ", confirmed" : "";
    const name = make("b", (each === player ? `you are P${each}` : `P${each} ${called}`) + done);
    name.style.setProperty("--who", `var(--p${each})`);
    name.classList.toggle("you", each === player);
    return name;
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
