/**
 * The lots of a division: a click moves a card from one lot to the other, a title is given to each, and below is said
 * what each lot brings to whom. Lots that somebody else has made are shown in the same way.
 *
 * @typedef {object} Division lots, as Table.lots returns them
 * @property {boolean} made whether the person makes them now
 * @property {Record<string, string>} cards what the cards are called, by the action that adds one
 * @property {Record<string, string>} tiles what the tiles are called, by the action that gives one
 * @property {number} choose how many tiles are chosen
 * @property {Lot[]} lots
 *
 * @typedef {object} Lot
 * @property {string} title
 * @property {string[]} cards
 * @property {string} tile action that gave it its tile, empty for none
 * @property {Record<string, Brought>} brings by player
 *
 * @typedef {object} Brought
 * @property {string} text
 * @property {number | null} worth points by the scripted bot's reckoning
 *
 * @typedef {{ cards: string[], tiles: string[] }} Draft cards of the first lot, and tiles as far as they are given
 * @typedef {(draft: Draft) => void} Change
 */
import { make, tableOf } from "../records/picture.js";
import { nameOf } from "./end.js";

/**
 * Return what a person has made so far.
 * @param {Division} division
 * @returns {Draft}
 */
function draftOf({ lots, choose }) {
  return {
    cards: lots[0].cards,
    tiles: lots
      .map(({ tile }) => tile)
      .slice(0, choose)
      .filter(Boolean),
  };
}

/**
 * Return the draft after a card has gone into a lot.
 * @param {Division} division
 * @param {string} action the card
 * @param {number} lot
 */
export function moved(division, action, lot) {
  const { cards, tiles } = draftOf(division);
  const at = cards.indexOf(action);
  if (lot === 0) return { cards: [...cards, action], tiles };
  return { cards: at < 0 ? cards : cards.toSpliced(at, 1), tiles };
}

/**
 * Return the draft after a lot has got a tile; a lot that had it takes the other's.
 * @param {Division} division
 * @param {string} tile
 * @param {number} lot
 */
function tiled(division, tile, lot) {
  const given = division.lots.map(each => each.tile);
  const other = 1 - lot;
  if (given[other] === tile) given[other] = given[lot];
  given[lot] = tile;
  const left = Object.keys(division.tiles).filter(each => each !== tile);
  if (division.choose === 1 && lot === 1) given[0] = left[0];
  return { cards: draftOf(division).cards, tiles: given.slice(0, division.choose).filter(Boolean) };
}

/**
 * Return the lots side by side, and what they bring.
 * @param {{ player: number, names: string[] }} view
 * @param {Division} division
 * @param {Change} change
 */
export function lotsOf(view, division, change) {
  const lots = division.lots.map((_, index) => lotOf(division, index, change));
  return [make("div", ...lots, { className: "lots" }), bringsOf(view, division)];
}

/**
 * Return a lot: its cards and its tile.
 * @param {Division} division
 * @param {number} index
 * @param {Change} change
 */
function lotOf(division, index, change) {
  const { title, cards, tile } = division.lots[index];
  const name = `${title}: ${cards.length === 1 ? "1 card" : `${cards.length} cards`}`;
  return make(
    "section",
    make("h2", tile ? `${name}, ${division.tiles[tile]}` : name),
    make("p", ...cards.map(action => cardOf(division, action, index, change))),
    division.made && isTaken(division.lots[index]) ? tilesOf(division, index, change) : "",
    { data: { lot: String(index) } },
  );
}

/**
 * Say whether somebody gets a lot as it is; what is left of a pool is divided further.
 * @param {Lot} lot
 */
const isTaken = ({ brings }) => Object.keys(brings).length > 0;

/**
 * Return a card, which a click moves into the other lot while the lots are made.
 * @param {Division} division
 * @param {string} action
 * @param {number} index of its lot
 * @param {Change} change
 */
function cardOf(division, action, index, change) {
  const name = division.cards[action];
  if (!division.made) return make("span", name);
  const title = `move it to ${division.lots[1 - index].title}`;
  const onclick = () => change(moved(division, action, 1 - index));
  return make("button", name, { title, ariaLabel: `${name}: ${title}`, onclick, data: { action, from: index } });
}

/**
 * Return a button for each tile that a lot can have.
 * @param {Division} division
 * @param {number} index
 * @param {Change} change
 */
function tilesOf(division, index, change) {
  const [first, own] = [division.lots[0].tile, division.lots[index].tile];
  const buttons = Object.entries(division.tiles).map(([action, name]) =>
    make("button", name, {
      data: { action },
      ariaPressed: String(own === action),
      disabled: index > 0 && division.choose > 1 && (!first || (first === action && !own)), // A gets its first
      onclick: () => change(tiled(division, action, index)),
    }),
  );
  return make("p", "title:", ...buttons, { role: "group", ariaLabel: `title of ${division.lots[index].title}` });
}

/**
 * Return the table of what each lot brings to each player who may get it, the person first.
 * @param {{ player: number, names: string[] }} view
 * @param {Division} division
 */
function bringsOf(view, { lots }) {
  const told = lots.filter(isTaken);
  const players = Object.keys(told[0].brings).map(Number);
  players.sort((one, other) => Number(other === view.player) - Number(one === view.player));
  const rows = players.map(player => [nameOf(view, player), ...told.map(({ brings }) => broughtBy(brings[player]))]);
  return tableOf(["to", ...told.map(({ title }) => `${title} brings`)], rows);
}

/** @param {Brought} brought */
function broughtBy({ text, worth }) {
  if (worth === null) return text;
  const points = make("b", `${worth < 0 ? "−" : "+"}${Math.abs(worth).toFixed(0)}`);
  return make("span", points, " points, reckons scripted: ", text);
}
