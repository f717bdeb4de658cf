/**
 * The end of a game: who came where, with points by what they were for and by year, and where to go from here.
 *
 * @typedef {object} Placed a player at the end, as Table.end returns them
 * @property {number} player
 * @property {number} place from 1
 * @property {number} points
 * @property {[words: string, points: number][]} sources points by what they were for
 * @property {[words: string, points: number][]} years points by when they were scored
 *
 * @typedef {object} Turn a change of the share of the win that the champion expects for a player, as /turns returns it
 * @property {number} player
 * @property {string} when the round
 * @property {number} before in percent
 * @property {number} after in percent
 * @property {string[]} texts what happened
 */
import { make } from "../records/picture.js";

/**
 * Return what a person calls a player.
 * @param {{ player: number, names: string[] }} view
 * @param {number} player
 */
export function nameOf({ player: own, names }, player) {
  return player === own ? "you" : `player ${player} (${names[player]})`;
}

/** Where games turned, by the version of the view at their end: it is asked for once, and shown when it has come. */
const turnings = /** @type {Map<number, HTMLElement>} */ (new Map());

/**
 * Return where the game turned: empty at first, filled when the server knows.
 * @param {{ version: number, player: number, names: string[] }} view
 */
function turningOf(view) {
  const known = turnings.get(view.version);
  if (known) return known;
  const section = make("section");
  turnings.set(view.version, section);
  fillTurning(view, section);
  return section;
}

/**
 * Ask where the game turned, and write it into a section; it stays empty where the server cannot tell.
 * @param {{ player: number, names: string[] }} view
 * @param {HTMLElement} section
 */
async function fillTurning(view, section) {
  const answer = await fetch("turns").catch(() => null);
  if (!answer?.ok) return;
  const turns = /** @type {Turn[]} */ ((await answer.json()).turns);
  if (!turns.length) return;
  const list = make("ul");
  for (const { player, when, before, after, texts } of turns) {
    const change = `${after > before ? "up" : "down"} from ${before} to ${after} %`;
    const item = make("li", `${when}: ${nameOf(view, player)}, ${change}`);
    const events = make("ul");
    events.append(...texts.map(text => make("li", text)));
    item.append(events);
    list.append(item);
  }
  section.append(make("p", "Where the game turned: the chance to win, as the champion sees it."), list);
}

/**
 * Return the table of the end, with where the game turned, a link to the replay and a button for another game.
 * @param {{ version: number, player: number, names: string[], record: string, home: boolean, rated: string }} view
 * @param {Placed[]} end
 * @param {() => void} again
 */
export function endOf(view, end, again) {
  const own = end.find(({ player }) => player === view.player);
  const shared = end.filter(({ place }) => place === 1).length > 1;
  const won = shared ? "You share the win." : "You have won.";
  const all = document.createDocumentFragment();
  if (own) all.append(make("p", own.place === 1 ? won : `You came in place ${own.place} of ${end.length}.`));
  if (view.rated) all.append(make("p", make("b", view.rated)));
  all.append(tableOf(view, end));
  const links = [
    ["The replay of this game", "game/now/replay"],
    ["A review of your decisions", "game/now/review"],
    ...(view.home ? [["The start page", "start"]] : []),
  ].flatMap(([text, href]) => [make("a", text, { href }), " · "]);
  all.append(make("p", ...links, make("button", "the same again", { onclick: again })));
  if (view.record) all.append(make("p", `The record of this game: ${view.record}`));
  all.append(turningOf(view));
  return all;
}

/**
 * Return a table with a column for each player, the first place first: five fit next to the board, and on a phone.
 * @param {{ player: number, names: string[] }} view
 * @param {Placed[]} end
 */
function tableOf(view, end) {
  const names = end.map(({ player }) => {
    const name = heading("col", player === view.player ? "you" : `P${player} ${view.names[player]}`);
    name.style.setProperty("--who", `var(--p${player})`);
    return name;
  });
  const head = make("tr");
  head.append(make("td"), ...names);
  const columns = end.map(({ place, points, sources, years }) => [
    ["place", place],
    ["points", points],
    ...sources,
    ...years,
  ]);
  const rows = columns[0].map(([words], index) => {
    const row = make("tr");
    const cells = columns.map(column => make("td", String(column[index][1])));
    row.append(heading("row", String(words)), ...cells);
    return row;
  });
  const table = make("table");
  table.append(head, ...rows);
  return table;
}

/**
 * @param {"col" | "row"} scope
 * @param {string} words
 */
function heading(scope, words) {
  const cell = make("th", words);
  cell.scope = scope;
  return cell;
}
