/**
 * The end of a game: who came where, with points by what they were for, and where to go from here.
 *
 * @typedef {object} Placed a player at the end, as Table.end returns them
 * @property {number} player
 * @property {number} place from 1
 * @property {number} points
 * @property {[words: string, points: number][]} sources points by what they were for
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

/**
 * Return the table of the end, with a link to the replay and a button for another game.
 * @param {{ player: number, names: string[], record: string }} view
 * @param {Placed[]} end
 * @param {() => void} again
 */
export function endOf(view, end, again) {
  const own = end.find(({ player }) => player === view.player);
  const shared = end.filter(({ place }) => place === 1).length > 1;
  const won = shared ? "You share the win." : "You have won.";
  const all = document.createDocumentFragment();
  if (own) all.append(make("p", own.place === 1 ? won : `You came in place ${own.place} of ${end.length}.`));
  all.append(tableOf(view, end));
  const links = make("p");
  const replay = make("a", "The replay of this game");
  replay.href = "replay";
  const review = make("a", "A review of your decisions");
  review.href = "review";
  const sign = make("output");
  review.onclick = () => {
    sign.textContent = "The champion plays your decisions again: about half a minute …";
  };
  const button = make("button", "another game");
  button.onclick = again;
  links.append(replay, " · ", review, " ", button, " ", sign);
  all.append(links);
  if (view.record) all.append(make("p", `The record of this game: ${view.record}`));
  return all;
}

/**
 * @param {{ player: number, names: string[] }} view
 * @param {Placed[]} end
 */
function tableOf(view, end) {
  const table = make("table");
  const kinds = end[0].sources.map(([words]) => words);
  const head = make("tr");
  head.append(...["place", "player", "points", ...kinds].map(words => make("th", words)));
  table.append(head);
  for (const { player, place, points, sources } of end) {
    const row = make("tr");
    const cells = [place, nameOf(view, player), points, ...sources.map(([, count]) => count)];
    row.append(...cells.map(cell => make("td", String(cell))));
    table.append(row);
  }
  return table;
}
