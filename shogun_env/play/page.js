"use strict";
const get = id => document.getElementById(id);
const make = (name, attributes = {}) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};
const words = name => name.replaceAll("_", " ");
const groups = new Map(), spots = make("g"), shown = {};
let state = { version: -1 }, busy = false, drag = null;
const waiting = new Map(); // cards dragged on spaces that are not filled yet, by number of the space

function draw(parts) {
  if (!groups.size) {
    get("picture").setAttribute("viewBox", `0 0 ${state.size[0]} ${state.size[1]}`);
    for (const name of Object.keys(parts)) groups.set(name, make("g"));
    get("picture").replaceChildren(...groups.values(), spots);
  }
  for (const [name, group] of groups) {
    const markup = parts[name] ?? "";
    if (shown[name] !== markup) group.innerHTML = shown[name] = markup;
  }
}

/* Return the place on the board that an action is about: the one with its name, or whose name it begins or ends with. */
const placeOf = action => Object.keys(state.places).find(place => action === place || action.startsWith(`${place}_`) || action.endsWith(`_${place}`));

function show(next) {
  const pick = document.activeElement?.dataset?.action;
  state = { ...state, ...next };
  if (!next.parts) return;
  draw(state.parts);
  const canChoose = state.turn && !state.held, places = {};
  const end = state.winners.length ? `Won by player ${state.winners.join(" and player ")}.` : "";
  get("decision").textContent = `${state.title}. ${state.over ? end : state.turn ? "It is your turn." : "Waiting for another player."}`;
  get("chosen").textContent = state.chosen.length ? `Chosen: ${state.chosen.map(words).join(", ")}${state.held ? ". Confirm, or undo." : ""}` : "";
  get("actions").replaceChildren(...(canChoose ? state.legal : []).map(action => {
    const button = document.createElement("button");
    button.textContent = words(action);
    button.dataset.action = action;
    button.onclick = () => choose(action);
    if (state.spaces.length) makeCard(button, action);
    const place = placeOf(action);
    if (place) (places[place] ??= []).push(action);
    return button;
  }));
  const refused = canChoose ? Object.entries(state.refused) : [];
  const reasons = {};
  for (const [action, why] of refused) {
    const place = placeOf(action);
    if (place && !places[place]) (reasons[place] ??= []).push(`${words(action)}: ${why}`);
  }
  const blocked = Object.entries(reasons).map(([place, lines]) => {
    const [cx, cy] = state.places[place], spot = make("circle", { cx, cy, r: 35, class: "refused" }), title = make("title");
    title.textContent = lines.join("\n");
    spot.append(title);
    return spot;
  });
  showRefused(refused);
  showPlan();
  spots.replaceChildren(...blocked, ...Object.entries(places).filter(([, actions]) => actions.length === 1).map(([place, [action]]) => {
    const [cx, cy] = state.places[place], spot = make("circle", { cx, cy, r: 35, class: "spot", tabindex: 0, role: "button", "aria-label": words(action) });
    spot.dataset.action = action;
    spot.onclick = () => choose(action);
    spot.onkeydown = event => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(action); } };
    if (state.spaces.length) makeCard(spot, action);
    return spot;
  }));
  get("confirm").disabled = !(state.turn && state.held);
  get("undo").disabled = !(state.turn && state.chosen.length);
  get("hint").disabled = !canChoose;
  get("text").textContent = state.text;
  get("news").replaceChildren(...state.news.map(line => { const item = document.createElement("li"); item.textContent = line; return item; }));
  if (state.held) get("confirm").focus({ preventScroll: true });
  else if (pick && canChoose) (document.querySelector(`button[data-action="${CSS.escape(pick)}"]`) ?? get("actions").firstChild)?.focus({ preventScroll: true });
  if (next.hint) for (const element of document.querySelectorAll("[data-action]")) element.classList.toggle("advised", element.dataset.action === next.hint);
}

/* Show reasons, with the actions that have the same one together. */
function showRefused(refused) {
  const actions = {};
  for (const [action, why] of refused) (actions[why] ??= []).push(words(action));
  get("why").hidden = refused.length === 0;
  get("refused").replaceChildren(...Object.entries(actions).flatMap(([why, names]) => {
    const term = document.createElement("dt"), text = document.createElement("dd");
    term.textContent = names.join(", ");
    text.textContent = why;
    return [term, text];
  }));
}

/* --- the plan: cards are chosen space by space; those dragged on later spaces wait for their turn --- */

function showPlan() {
  if (!state.spaces.length) waiting.clear();
  get("plan").hidden = state.spaces.length === 0;
  get("plan").replaceChildren(...state.spaces.map((name, space) => {
    const item = document.createElement("li"), card = document.createElement("b");
    item.dataset.space = space;
    card.textContent = words(state.laid[space] ?? waiting.get(space) ?? "");
    card.classList.toggle("waiting", !(space in state.laid));
    if (space === state.space && !state.held) item.setAttribute("aria-current", "step");
    if (card.textContent) makeCard(card, state.laid[space] ?? waiting.get(space));
    item.append(words(name), card);
    return item;
  }));
}

async function choose(action) {
  for (const [space, card] of waiting) if (card === action) waiting.delete(space);
  if (await send("choose", action)) await fill();
}

/* Put a card on a space; what was there takes its old place. Spaces are filled in order, so cards that are on this space
   or later are taken back first, and wait. */
async function lay(action, target) {
  const spaceOf = cards => cards.find(([, card]) => card === action)?.[0];
  const old = Number(spaceOf(Object.entries(state.laid)) ?? spaceOf([...waiting]) ?? -1);
  const first = old in state.laid ? Math.min(old, target) : target;
  while (Object.keys(state.laid).some(space => space >= first)) {
    const [space, card] = Object.entries(state.laid).at(-1);
    waiting.set(Number(space), card);
    if (!await send("undo")) return;
  }
  const there = waiting.get(target);
  waiting.delete(old);
  if (there && there !== action && old >= 0) waiting.set(old, there);
  waiting.set(target, action);
  await fill();
}

/* Choose the cards that wait, as far as spaces come to their turn. */
async function fill() {
  while (state.turn && !state.held && waiting.has(state.space)) {
    const card = waiting.get(state.space);
    waiting.delete(state.space);
    if (!state.legal.includes(card) || !await send("choose", card)) break;
  }
  showPlan();
}

function makeCard(element, action) {
  element.classList.add("card");
  element.dataset.action = action;
  element.addEventListener("pointerdown", event => { drag = { action, x: event.clientX, y: event.clientY, id: event.pointerId, ghost: null }; });
}

const spaceAt = event => document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-space]");

addEventListener("pointermove", event => {
  if (!drag || event.pointerId !== drag.id) return;
  if (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 8) return;
  if (!drag.ghost) {
    drag.ghost = document.createElement("div");
    drag.ghost.className = "dragged";
    drag.ghost.textContent = words(drag.action);
    document.body.append(drag.ghost);
  }
  drag.ghost.style.left = `${event.clientX}px`;
  drag.ghost.style.top = `${event.clientY}px`;
  const over = spaceAt(event);
  for (const item of get("plan").children) item.classList.toggle("over", item === over);
});

function drop(event) {
  if (!drag || event.pointerId !== drag.id) return;
  const { action, ghost } = drag, over = event.type === "pointerup" && spaceAt(event);
  drag = null;
  if (!ghost) return; // a click, which chooses the card for the current space
  ghost.remove();
  for (const item of get("plan").children) item.classList.remove("over");
  addEventListener("click", click => { click.stopPropagation(); click.preventDefault(); }, { capture: true, once: true });
  setTimeout(() => dispatchEvent(new MouseEvent("click"))); // where the drop makes no click, nothing is left to swallow
  if (over) lay(action, Number(over.dataset.space));
}
for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, drop);

async function send(command, action) {
  if (busy) return false;
  busy = true;
  let done = false;
  try {
    const answer = await fetch(command, { method: "POST", body: JSON.stringify({ action, version: state.version }) });
    const data = await answer.json();
    get("message").textContent = data.error ?? (data.hint ? `Hint: ${words(data.hint)}` : "");
    if (data.error) await update(true);
    else show(data);
    done = !data.error;
  } catch {
    get("message").textContent = "The program does not answer. Start it again with the same command: the game is saved.";
  } finally { busy = false; }
  return done;
}

async function update(always) {
  const answer = await fetch(`state?version=${always ? -1 : state.version}`);
  if (answer.ok) show(await answer.json());
  else get("message").textContent = (await answer.json()).error;
}

async function run(command) {
  if (await send(command) && command === "confirm") await fill();
}

for (const command of ["confirm", "undo", "hint"]) get(command).onclick = () => run(command);
addEventListener("keydown", event => {
  const command = { c: "confirm", u: "undo", h: "hint" }[event.key];
  if (command && !event.ctrlKey && !event.metaKey && !event.altKey && !get(command).disabled) run(command);
});
setInterval(() => { if (!busy && !document.hidden) update(false).catch(() => {}); }, 1500);
update(true).catch(() => { get("message").textContent = "The program does not answer."; });
