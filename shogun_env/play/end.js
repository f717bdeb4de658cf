/**
 * The end of a game: who came where, with points by what they were for and by year, and where to go from here.
 *
 * @typedef {object} Placed a player at the end, as end_of in view.py returns them
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
 * @param {import("./state.js").View} view
 * @param {Placed[]} end
 * @param {() => void} again
 */
export function endOf(view, end, again) {
  const own = end.find(({ player }) => player === view.player);
  const ways = [
    make("a", "The replay of this game", { href: "replay" }),
    ...(view.reviewed ? [make("a", "A review of your decisions", { href: "review" })] : []),
  ];
  if (view.next) ways.push(make("a", "The next game has begun: play on", { href: view.next }));
  const further = !view.next && own ? [" · ", make("button", "the same again", { onclick: again })] : [];
  return make(
    "div",
    own ? make("p", view.resigned ? "You resigned: it counts as lost." : cameOf(own, end)) : "",
    placesOf(view, end),
    make("p", ...ways.flatMap((way, at) => (at ? [" · ", way] : [way])), ...further),
    view.record ? make("p", `The record of this game: ${view.record}`) : "",
  );
}

/**
 * Return what came of a game for a player, in words.
 * @param {Placed} own
 * @param {Placed[]} end
 */
function cameOf({ place }, end) {
  if (place > 1) return `You came in place ${place} of ${end.length}.`;
  return end[1].place === 1 ? "You share the win." : "You have won.";
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
