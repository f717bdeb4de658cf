/**
 * The end of a game: who came where, with points by what they were for and by year, and where to go from here.
 *
 * @typedef {object} Placed a player at the end, as Table.end returns them
 * @property {number} player
 * @property {number} place from 1
 * @property {number} points
 * @property {[words: string, points: number][]} sources points by what they were for
 * @property {[words: string, points: number][]} years points by when they were scored
 */
import { coloured, make, tableOf } from "../records/picture.js";

/**
 * Return what a person calls a player.
 * @param {{ player: number, names: string[] }} view
 * @param {number} player
 */
export function nameOf({ player: own, names }, player) {
  return player === own ? "you" : `P${player} (${names[player]})`;
}

/**
 * Return what is said at the end: the table, and where to go from here.
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
