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
import { coloured, make, tableOf } from "../records/picture.js";

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
 * Return where the game turned: empty at first, filled when the server knows; it stays empty where it cannot tell.
 * @param {{ version: number, player: number, names: string[] }} view
 */
function turningOf(view) {
  const known = turnings.get(view.version);
  if (known) return known;
  const section = make("section");
  turnings.set(view.version, section);
  fetch("turns")
    .then(async answer => {
      const turns = /** @type {Turn[]} */ (answer.ok ? (await answer.json()).turns : []);
      const items = turns.map(({ player, when, before, after, texts }) => {
        const change = `${after > before ? "up" : "down"} from ${before} to ${after} %`;
        const events = make("ul", ...texts.map(text => make("li", text)));
        return make("li", `${when}: ${nameOf(view, player)}, ${change}`, events);
      });
      const title = make("p", "Where the game turned: the chance to win, as the champion sees it.");
      if (turns.length) section.append(title, make("ul", ...items));
    })
    .catch(() => {});
  return section;
}

/**
 * Return what is said at the end: the table, where the game turned, and where to go from here.
 * @param {{ version: number, player: number, names: string[], record: string, next: string, plays: boolean }} view
 * @param {Placed[]} end
 * @param {() => void} again
 */
export function endOf(view, end, again) {
  const own = end.find(({ player }) => player === view.player);
  const shared = end.filter(({ place }) => place === 1).length > 1;
  const won = shared ? "You share the win." : "You have won.";
  const links = [
    ["The replay of this game", "replay"],
    ["A review of your decisions", "review"],
    ...(view.next ? [["The next game has begun: play on", view.next]] : []),
  ].flatMap(([text, href]) => [make("a", text, { href }), " · "]);
  return make(
    "div",
    own ? make("p", own.place === 1 ? won : `You came in place ${own.place} of ${end.length}.`) : "",
    placesOf(view, end),
    make("p", ...links, view.next || !view.plays ? "" : make("button", "the same again", { onclick: again })),
    view.record ? make("p", `The record of this game: ${view.record}`) : "",
    turningOf(view),
  );
}

/**
 * Return a table with a column for each player, the first place first: five fit next to the board, and on a phone.
 * @param {{ player: number, names: string[] }} view
 * @param {Placed[]} end
 */
function placesOf(view, end) {
  const names = end.map(({ player }) =>
    make("span", player === view.player ? "you" : `P${player} ${view.names[player]}`, coloured(player)),
  );
  const columns = end.map(each => [["place", each.place], ["points", each.points], ...each.sources, ...each.years]);
  const rows = columns[0].map(([words], at) => [String(words), ...columns.map(column => String(column[at][1]))]);
  return tableOf(["", ...names], rows);
}
