/**
 * A first game with explanations: each kind of decision and event is explained when it is first met.
 *
 * The server knows what is new; the page keeps what has been read, and shows the rest one after the other.
 *
 * @typedef {object} Lesson an explanation, as Table.lessons returns it
 * @property {string} title
 * @property {string} text
 * @property {string} advice what usually is good
 * @property {[word: string, meaning: string][]} words
 * @property {string} rule
 * @property {boolean} decision whether it is about the decision to be made
 * @property {boolean} new whether it is met for the first time
 * @property {{ bot: string, action: string, effect: string }} [suggestion]
 */
import { get, make } from "../records/picture.js";
import { words } from "./state.js";

/** Titles of what has been read. */
const read = new Set();

/**
 * Show the first explanation that is new and not read, and all for those who want to read them again.
 * @param {Lesson[]} lessons
 * @param {() => void} stop called when no more are wanted
 */
export function showLessons(lessons, stop) {
  const fresh = lessons.filter(lesson => lesson.new && !read.has(lesson.title));
  const box = get("lesson");
  box.hidden = fresh.length === 0;
  get("told").hidden = lessons.length === 0;
  get("lessons").replaceChildren(...lessons.flatMap(parts));
  if (fresh.length === 0) {
    box.replaceChildren();
    return;
  }
  const isAim = fresh[0] === lessons[0]; // what the game is about comes first, then the decision
  const lesson = isAim ? fresh[0] : (fresh.find(({ decision }) => decision) ?? fresh[0]);
  if (box.dataset.title === lesson.title && box.hasChildNodes() && !lesson.decision) return; // what is open stays open
  box.dataset.title = lesson.title;
  const onclick = () => {
    read.add(lesson.title);
    showLessons(lessons, stop);
    const next = box.querySelector("button:last-of-type") ?? document.querySelector("#actions button");
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  };
  const close = make("button", fresh.length > 1 ? "next" : "got it", { onclick });
  const off = make("button", "no more explanations", { onclick: stop });
  box.replaceChildren(...parts(lesson), suggested(lesson), close, " ", off);
}

/**
 * Return what an explanation says.
 * @param {Lesson} lesson
 */
function parts({ title, text, advice, words, rule }) {
  const list = make("dl", ...words.flatMap(([word, meaning]) => [make("dt", word), make("dd", meaning)]));
  const head = make("summary", words.length ? "The words, and the rule" : "The rule");
  const good = make("p", make("b", "Usually good: "), advice);
  return [make("h2", title), make("p", text), good, make("details", head, list, make("p", rule))];
}

/**
 * Return what a bot would do.
 * @param {Lesson} lesson
 */
function suggested({ suggestion }) {
  if (!suggestion) return "";
  const { bot, action, effect } = suggestion;
  const what = `${effect ? `: ${effect}` : ""}. The button hint advises too, and says why.`;
  return make("p", `A suggestion, not a rule: ${bot} would choose `, make("b", words(action)), what);
}
