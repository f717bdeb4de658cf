"use strict";
const get = id => document.getElementById(id);
const make = (name, attributes = {}) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};
const words = name => name.replaceAll("_", " ");
const groups = new Map(), spots = make("g"), shown = {};
let state = { version: -1 }, busy = false;

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
    button.onclick = () => send("choose", action);
    const place = placeOf(action);
    if (place) (places[place] ??= []).push(action);
    return button;
  }));
  spots.replaceChildren(...Object.entries(places).filter(([, actions]) => actions.length === 1).map(([place, [action]]) => {
    const [cx, cy] = state.places[place], spot = make("circle", { cx, cy, r: 35, class: "spot", tabindex: 0, role: "button", "aria-label": words(action) });
    spot.dataset.action = action;
    spot.onclick = () => send("choose", action);
    spot.onkeydown = event => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); send("choose", action); } };
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

async function send(command, action) {
  if (busy) return;
  busy = true;
  try {
    const answer = await fetch(command, { method: "POST", body: JSON.stringify({ action, version: state.version }) });
    const data = await answer.json();
    get("message").textContent = data.error ?? (data.hint ? `Hint: ${words(data.hint)}` : "");
    if (data.error) await update(true);
    else show(data);
  } catch {
    get("message").textContent = "The program does not answer. Start it again with the same command: the game is saved.";
  } finally { busy = false; }
}

async function update(always) {
  const answer = await fetch(`state?version=${always ? -1 : state.version}`);
  if (answer.ok) show(await answer.json());
  else get("message").textContent = (await answer.json()).error;
}

for (const command of ["confirm", "undo", "hint"]) get(command).onclick = () => send(command);
addEventListener("keydown", event => {
  const command = { c: "confirm", u: "undo", h: "hint" }[event.key];
  if (command && !event.ctrlKey && !event.metaKey && !event.altKey && !get(command).disabled) send(command);
});
setInterval(() => { if (!busy && !document.hidden) update(false).catch(() => {}); }, 1500);
update(true).catch(() => { get("message").textContent = "The program does not answer."; });
