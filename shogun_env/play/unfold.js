/**
 * What the others have done, one event after the other, on the board of the play page.
 *
 * The page shows the position of now; while events unfold, the board shows how it came about. Whatever a person does in
 * the meantime ends that.
 *
 * @typedef {object} Event_ what has happened at once
 * @property {import("../records/picture.js").Spoken[]} told
 * @property {import("../records/events.js").Arrow[]} arrows
 * @property {import("../records/events.js").Throw[]} throws
 * @property {Record<string, string>} parts of the picture that changed
 *
 * @typedef {object} Past what has happened since the person confirmed last
 * @property {Record<string, string>} before the parts of the picture before it
 * @property {Event_[]} events
 */
import { drawArrows, markChanged, showThrows } from "../records/events.js";
import { get, make, makeSvg, spoken } from "../records/picture.js";

/** @type {Record<string, number>} milliseconds for an event, by speed; "off" shows none */
const SPEEDS = { slow: 2600, normal: 1500, fast: 700 };
const READ = 60; // letters, or cubes, that are read while an event without any passes
const CUBE = 90; // milliseconds for a cube that falls
const KEPT = "shogun-env-speed"; // where the browser keeps the speed

export class Unfolding {
  /**
   * @param {() => import("./state.js").Seen} seen what the page shows when nothing unfolds
   * @param {() => void} showNow shows that
   */
  constructor(seen, showNow) {
    this.seen = seen;
    this.showNow = showNow;
    /** The arrows of the event that is shown, in front of the picture. */
    this.arrows = makeSvg("g");
    /** @type {Past} */
    this.past = { before: {}, events: [] };
    this.at = -1; // number of the event that is shown, -1 for none
    this.timer = 0; // 0 while it is paused
    this.since = -1; // number of lines that were known when the person confirmed last
    this.watched = 0; // number of events after these that were shown
    this.asked = 0; // how often the events were asked for
    this.speed = get("speed", HTMLSelectElement);
    this.listen();
  }

  listen() {
    /** @type {Record<string, () => void>} */
    const buttons = {
      earlier: () => this.go(this.at - 1),
      later: () => this.go(this.at + 1),
      pause: () => (this.timer ? this.pause() : this.wait(true)),
      skip: () => this.end(),
      watch: () => this.load(0),
    };
    for (const [id, action] of Object.entries(buttons)) get(id).onclick = action;
    for (const shown of [get("picture", SVGSVGElement), get("event"), get("throws")])
      shown.addEventListener("click", () => this.at >= 0 && this.go(this.at + 1));
    addEventListener("keydown", event => {
      if (event.key === "Escape") this.end();
      if (this.at < 0 || event.target instanceof HTMLSelectElement) return;
      if (event.key === "ArrowLeft") this.go(this.at - 1);
      if (event.key === "ArrowRight") this.go(this.at + 1);
    });
    this.speed.value = localStorage.getItem(KEPT) ?? "normal";
    this.speed.onchange = () => localStorage.setItem(KEPT, this.speed.value);
  }

  /**
   * Show what is new in a view, unless the person has turned that off.
   * @param {number} since number of lines that were known when the person confirmed last
   * @param {boolean} isNew whether anything has happened that the page has not shown
   */
  tell(since, isNew) {
    const isFirst = this.since < 0;
    if (since !== this.since) this.watched = 0;
    this.since = since;
    if (isNew && !isFirst && this.speed.value !== "off") this.load(this.watched);
  }

  /**
   * Ask for the events, and show them from one on.
   * @param {number} from
   */
  async load(from) {
    const [{ version }, number] = [this.seen(), ++this.asked];
    get("event").replaceChildren();
    get("throws").hidden = true;
    get("unfold").hidden = false; // at once: the page must not tell the end before it is shown
    scrollTo(0, 0); // to the board and the event: all else is hidden
    const answer = await fetch("events").catch(() => null);
    const past = answer?.ok ? await answer.json() : { before: {}, events: [] };
    if (number !== this.asked) return; // another question is under way
    this.past = past;
    const isLeft = version !== this.seen().version || get("unfold").hidden; // the person has gone on, or skipped it
    this.watched = isLeft ? this.watched : this.past.events.length;
    if (isLeft || from >= this.watched) return this.end();
    get("picture", SVGSVGElement).classList.add("unfolding");
    this.go(from);
    this.wait(!matchMedia("(prefers-reduced-motion: reduce)").matches);
  }

  /**
   * Show an event; after the last one show the position of now.
   * @param {number} number
   */
  go(number) {
    const { before, events } = this.past;
    if (number >= events.length) return this.end();
    const isNext = number === this.at + 1;
    this.at = Math.max(0, number);
    const { told, arrows, throws } = events[this.at];
    const { picture, places } = this.seen();
    const parts = Object.assign({}, before, ...events.slice(0, this.at + 1).map(event => event.parts));
    for (const name of picture.groups.keys()) markChanged(picture.show(name, parts[name] ?? ""), name, isNext);
    drawArrows(this.arrows, arrows, places);
    showThrows(get("throws"), get("tower"), throws, isNext);
    get("event").replaceChildren(...told.map(text => spoken(make("li"), text)));
    get("passed").textContent = `${this.at + 1} of ${events.length}`;
    if (this.timer) this.wait(true);
  }

  /**
   * Go on after a while, or only when the person says so.
   * @param {boolean} isOn
   */
  wait(isOn) {
    this.pause();
    if (!isOn || this.at < 0) return;
    const { told, throws } = this.past.events[this.at];
    const cubes = throws.reduce((count, { cubes: own }) => count + own.length, 0);
    const letters = told.flat().reduce((count, [piece]) => count + piece.length, 0);
    const pace = SPEEDS[this.speed.value] ?? SPEEDS.normal;
    this.timer = setTimeout(() => this.go(this.at + 1), pace * (1 + letters / READ) + (CUBE + pace / READ) * cubes);
    get("pause").textContent = "pause";
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = 0;
    get("pause").textContent = "go on";
  }

  /** Show the position of now. */
  end() {
    get("unfold").hidden = true;
    if (this.at < 0) return;
    this.pause();
    this.at = -1;
    this.arrows.replaceChildren();
    get("picture", SVGSVGElement).classList.remove("unfolding");
    this.showNow();
  }
}
