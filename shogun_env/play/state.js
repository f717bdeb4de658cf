/**
 * What the play page knows: what the server sent last.
 *
 * @typedef {import("../records/picture.js").Place} Place
 *
 * @typedef {object} News something that has happened
 * @property {string} text
 * @property {import("../records/picture.js").Spoken} parts the text in pieces
 * @property {string} kind type of its first line of the record
 * @property {string[]} lines of the record
 *
 * @typedef {object} View what a person may know, as Table.view returns it
 * @property {number} version counts the changes
 * @property {number} player
 * @property {string} start what the person began with, if that is not the same for all
 * @property {Record<string, string>} labels what actions are called, where that is not their name
 * @property {string[]} chosen actions that are not carried out
 * @property {boolean} held whether no more can be chosen before they are confirmed
 * @property {Record<number, string>} laid cards of the plan, by number of the space
 * @property {import("./division.js").Division | null} division the lots that are made, offered or to be chosen from
 * @property {number} since number of lines of the record that the person knew when they confirmed last
 * @property {News[]} news what has happened since the person confirmed last
 * @property {boolean} learns whether the person gets explanations
 * @property {import("./lesson.js").Lesson[]} lessons what has been explained, and what is new
 * @property {string[]} names what each player is called
 * @property {number[]} decides the players for whom the game waits, none when it is over
 * @property {number[]} confirmed the players whose plan waits for those of others
 * @property {import("./end.js").Placed[]} end how it ended, empty while it lasts
 * @property {string} record the file of the record, empty before the end
 * @property {boolean} reviewed whether there is a champion to review the game
 * @property {string} next where the same people play again, empty for nowhere
 * @property {boolean} plays whether the person still plays, and does not only watch
 * @property {boolean} resigned whether the person gave the game up
 * @property {Record<number, string>} links for the host, the pages of the other people
 * @property {string} title
 * @property {[width: number, height: number]} size
 * @property {Record<string, string>} parts
 * @property {Record<string, Place>} places
 * @property {string} text
 * @property {string} question what the person is asked, empty where the title says it
 * @property {boolean} turn whether the game waits for the person
 * @property {boolean} over
 * @property {string[]} legal what can be chosen; in a plan the cards that are left
 * @property {Record<string, string>} refused why other actions are illegal
 * @property {Record<string, string>} words what the legal actions do
 * @property {Space[]} spaces of the plan in the order of play, while it is made or waits
 * @property {number} empties how many more of them must stay empty
 * @property {{ text: string, unpaid: Record<string, string> }} costs of the plan, and why spaces may not be paid
 * @property {boolean} undo whether something can be taken back
 *
 * @typedef {object} Advice
 * @property {string} [hint] the action, or all that make a lot
 * @property {Record<string, string>} [plan] the card for each space of a plan, by its number
 * @property {string} [why] what that does, and what the champion makes of it
 *
 * @typedef {object} Seen what is shown when nothing unfolds
 * @property {number} version
 * @property {import("../records/picture.js").Picture} picture
 * @property {Record<string, Place>} places
 *
 * @typedef {object} Space a space of the plan
 * @property {number} space
 * @property {string} mark number in the order of play, "?" for one that nobody knows
 * @property {string} title
 * @property {Record<string, string>} cards what each card does there
 */

/** All that the page keeps. */
export const page = {
  /** What the server sent last: nothing yet. */
  view: /** @type {View} */ (/** @type {unknown} */ ({ version: -1 })),
  /** How many commands are not carried out yet. */
  busy: 0,
  /** The last of them: each waits for the one before, so that no click is lost. */
  last: Promise.resolve(),
  /** The space of the plan that a person has chosen to fill, -1 for the first empty one. */
  space: -1,
  /** @type {Advice} the last hint, as long as it is about what is decided */
  advice: {},
  /** @type {import("../records/picture.js").Picture | null} */
  picture: null,
  /** Shows anew what is chosen, and what can be chosen; page.js sets it. */
  redraw: () => {},
};

export const words = (/** @type {string} */ name) => page.view.labels[name] ?? name.replaceAll("_", " ");
/** Return whether the plan of the person is confirmed and waits for those of others. */
export const waits = () => page.view.confirmed.includes(page.view.player);
export const planning = () => page.view.turn && page.view.spaces.length > 0;
export const dividing = () => (page.view.turn && page.view.division?.made ? page.view.division : null);
export const canChoose = () => page.view.turn && !page.view.held;
export const isCard = (/** @type {string} */ action) => action !== "none"; // the empty space can be on several

/**
 * Return a hint in words: an action, or all that make a lot.
 * @param {string} hint
 */
export const hinted = hint => hint.split(", ").map(words).join(", ");

/** Return a hint in words: for a plan that of the space which is filled next, or was chosen. */
export function hintInWords() {
  const { hint, plan, why } = page.advice;
  const at = page.view.spaces.find(({ space }) => space === target()) ?? page.view.spaces[0];
  const card = plan?.[at.space] ?? "";
  const what = plan ? `for ${at.title}: ${words(card)}, ${at.cards[card]}` : hinted(hint ?? "");
  return `Hint: ${what}. ${why ?? ""}`;
}

/**
 * Return lists of the values by key.
 * @param {[key: string, value: string][]} pairs
 */
export function gather(pairs) {
  /** @type {Record<string, string[]>} */
  const lists = {};
  for (const [key, value] of pairs) {
    lists[key] ??= [];
    lists[key].push(value);
  }
  return lists;
}

/** Return the cards of the plan by number of the space. */
export const draft = () => new Map(Object.entries(page.view.laid).map(([space, card]) => [Number(space), card]));

/** Return the space of the plan that the next card fills: the one chosen, or the first empty one in order of play. */
export function target() {
  if (page.space >= 0) return page.space;
  const cards = draft();
  return page.view.spaces.find(({ space }) => !cards.has(space))?.space ?? -1;
}

/**
 * Return the space on which a card is, -1 if it is in the hand.
 * @param {string} action
 */
export const spaceOf = action => [...draft()].find(([, card]) => card === action)?.[0] ?? -1;
