/**
 * The replay page: a game step by step, drawn and as text, for the referee or for what a player may know.
 *
 * The data are those of frames.py. What can change is a part with a name: of the picture, or a line of the text.
 * What it shows is a piece with a number: a markup, or the words of the line.
 *
 * @typedef {import("./picture.js").Place} Place
 * @typedef {import("./picture.js").Spoken} Spoken
 * @typedef {import("./events.js").Arrow} Arrow
 * @typedef {import("./events.js").Throw} Throw
 *
 * @typedef {number | null} Knower who may know something: a player, -1 everybody, null the referee
 *
 * @typedef {object} Frame what happened in a step
 * @property {[text: Spoken, knower: Knower, sealed: Spoken][]} told what happened, and what those who may not know read
 * @property {[words: string, knower: Knower][]} lines of the record
 * @property {number} first number of the first line in the record
 * @property {Record<string, number[]>} standing by what is counted, a number for each player
 * @property {Arrow[]} arrows
 * @property {[player: number, heading: string, text: string, cost: number, decision: number, rows: Row[]][]} thoughts
 * @property {[decision: number, player: number]} [next] the decision that follows
 * @property {Throw[]} [throws]
 * @property {[kind: string, label: string][]} [marks] what one can jump here for: a round, an action, a fight
 *
 * @typedef {object} Data
 * @property {Frame[]} frames
 * @property {string[]} names by player
 * @property {Record<string, Record<string, number[]>>} views by part and viewer, for each step the number of the piece
 * @property {[width: number, height: number]} size
 * @property {Record<string, string[]>} pieces the markups of each part
 * @property {Record<string, Place>} places
 * @property {string} summary a sentence about the reader, empty for none
 * @property {number | null} seat the reader
 * @property {boolean} begins whether a server begins games from steps
 *
 * @typedef {[about: string, decided: string, better: string]} Row what was decided, and what a champion would decide
 * @typedef {{ player: number, heading: string, cost: number, step: number }} Mistake
 */
import { CHART, chart, chartX, percent } from "./chart.js";
import { drawArrows, markChanged, showThrows } from "./events.js";
import { get, make, makeSvg, Picture, spoken, tableOf } from "./picture.js";
import { showTips } from "./tips.js";
import { Zoom } from "./zoom.js";

const TEXT = "line-"; // how the names of the parts begin that are lines of the text
const REFEREE = "referee";
const EVERYBODY = -1;
const FILM_STEP = 900; // milliseconds
const LISTED = 5; // decisions that a review lists
const CHANCE = "chance to win (%)"; // what the chart calls it
const MANY_THOUGHTS = 4; // this many would fill the screen, so they begin closed

/**
 * Return the data of the page: deflated JSON in base64.
 * @param {string} text
 * @returns {Promise<Data>}
 */
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

/* --- what is shown at each step ---------------------------------------------------------------------------------- */

/** The markups and texts of every step, as each viewer sees them. */
class Steps {
  /** @param {Data} data */
  constructor({ frames, pieces, views }) {
    this.last = frames.length - 1;
    this.pieces = pieces;
    this.views = views;
    const parts = Object.keys(pieces);
    const lineOf = (/** @type {string} */ part) => Number(part.slice(TEXT.length));
    this.drawn = parts.filter(part => !part.startsWith(TEXT));
    this.written = parts.filter(part => part.startsWith(TEXT)).sort((a, b) => lineOf(a) - lineOf(b));
  }

  /**
   * Return the markup or text of a part, an empty one where it is not there.
   * @param {string} viewer
   * @param {number} step
   * @param {string} part
   */
  piece(viewer, step, part) {
    return this.pieces[part][this.views[part][viewer][step]] ?? "";
  }

  /**
   * Return the board as lines of text.
   * @param {string} viewer
   * @param {number} step
   */
  text(viewer, step) {
    const lines = this.written.map(part => this.piece(viewer, step, part));
    while (lines.length && !lines.at(-1)) lines.pop();
    return lines;
  }
}

/* --- the page ---------------------------------------------------------------------------------------------------- */

/** The game on the page, and the step that is shown. */
class Replay {
  /** @param {Data} data */
  constructor(data) {
    this.data = data;
    this.steps = new Steps(data);
    this.last = this.steps.last;
    /** @type {number[]} the steps that one can jump to */
    this.stops = [...data.frames.entries()].flatMap(([step, frame]) =>
      step === 0 || step === this.last || frame.marks ? [step] : [],
    );
    this.now = -1;
    this.film = 0; // the timer of the film, 0 where it does not run
    this.viewer = get("viewer", HTMLSelectElement);
    this.arrows = makeSvg("g");
    this.picture = new Picture(this.steps.drawn, this.arrows);
    this.cursor = makeSvg("line", { y1: CHART.cursor.top, y2: CHART.cursor.bottom });
    this.counted = get("counted", HTMLSelectElement);
    this.counted.append(...Object.keys(data.frames[0].standing).map(name => new Option(name)));
    const players = data.names.map((name, player) => new Option(name, String(player)));
    this.viewer.append(new Option("everything (referee)", REFEREE), new Option("as revealed", "all"), ...players);
    get("slider", HTMLInputElement).max = String(this.last);
    get("summary").textContent = data.summary;
    /** @type {HTMLButtonElement[]} of the list of events, by step */
    this.rows = [];
    /** @type {Mistake[]} the costliest decisions that the viewer knows, the costliest first */
    this.mistakes = [];
    this.look();
    for (const part of this.steps.drawn) this.picture.show(part, this.steps.piece(this.viewer.value, 0, part));
    this.zoom = new Zoom(get("picture", SVGSVGElement), data.size, data.places);
  }

  /** Show what depends on who looks. */
  look() {
    this.mistakes = this.data.frames
      .flatMap((frame, step) => frame.thoughts.map(([player, heading, , cost]) => ({ player, heading, cost, step })))
      .filter(({ player, cost }) => cost > 0 && this.knows(player))
      .sort((one, other) => other.cost - one.cost)
      .slice(0, LISTED);
    this.listMistakes();
    this.drawChart();
    this.listEvents();
  }

  drawChart() {
    const rounds = [...this.data.frames.entries()].flatMap(([step, frame]) =>
      frame.marks?.some(([kind]) => kind === "round") ? [step] : [],
    );
    const rows = this.data.frames.map(({ standing }) => standing[this.counted.value]);
    const marked = this.counted.value === CHANCE ? this.mistakes : [];
    get("chart", SVGSVGElement).replaceChildren(...chart(rows, rounds, marked), this.cursor);
  }

  /** List the costliest decisions, each a way to its step. */
  listMistakes() {
    get("review").hidden = get("worse").hidden = get("worst").hidden = this.mistakes.length === 0;
    const items = this.mistakes.map(({ heading, cost, step }) => {
      return make("li", make("button", `${heading}: −${percent(cost)}`, { onclick: () => this.show(step) }));
    });
    get("costliest").replaceChildren(...items);
    get("marks").replaceChildren(...this.mistakes.map(({ step }) => new Option("", String(step)))); // on the slider
  }

  /** List what happened, by round and action, each event a way to its step. */
  listEvents() {
    const box = get("events");
    box.replaceChildren();
    this.rows = this.data.frames.map(({ marks, told }, step) => {
      for (const [kind, label] of marks ?? []) {
        if (kind === "round" || kind === "action") box.append(make(kind === "round" ? "h3" : "h4", label));
      }
      const row = make("button", { onclick: () => this.show(step) });
      for (const text of this.texts(told)) spoken(row, [...text, [" ", null]]);
      if (!row.textContent) row.textContent = `step ${step + 1}`;
      box.append(row);
      return row;
    });
  }

  /**
   * Return what is told to the viewer.
   * @param {Frame["told"]} told
   */
  texts(told) {
    return told.map(([text, knower, sealed]) => (this.knows(knower) ? text : sealed));
  }

  /**
   * Say whether the viewer knows what a player or everybody knows.
   * @param {Knower} knower
   */
  knows(knower) {
    return knower === EVERYBODY || this.viewer.value === REFEREE || String(knower) === this.viewer.value;
  }

  /**
   * Show a step, or the nearest one that there is.
   * @param {number} step
   */
  show(step) {
    const before = this.now;
    this.now = Math.max(0, Math.min(this.last, step));
    const isNext = this.now === before + 1;
    const frame = this.data.frames[this.now];
    this.draw(frame, isNext);
    this.write();
    this.showLines(frame);
    showThrows(get("throws"), get("tower"), frame.throws ?? [], isNext);
    this.showThoughts(frame.thoughts.filter(([player]) => this.knows(player)));
    get("slider", HTMLInputElement).value = String(this.now);
    get("count").textContent = `step ${this.now + 1} of ${this.last + 1}`;
    get("again").hidden = get("ask").hidden = !this.data.begins || !frame.next;
    get("asked").textContent = "";
    this.markRow();
    for (const end of ["x1", "x2"]) this.cursor.setAttribute(end, String(chartX(this.now, this.last)));
    history.replaceState(null, "", `#${this.now + 1}`);
  }

  /** Mark the event of the step in the list, and scroll the list to it. */
  markRow() {
    for (const [step, row] of this.rows.entries()) row.ariaCurrent = step === this.now ? "step" : null;
    const [box, row] = [get("events"), this.rows[this.now]];
    box.scrollTop = row.offsetTop - box.offsetTop - box.clientHeight / 2;
  }

  /**
   * Draw the board, and what moves as arrows.
   * @param {Frame} frame
   * @param {boolean} isNext
   */
  draw({ arrows }, isNext) {
    for (const part of this.steps.drawn) {
      const group = this.picture.show(part, this.steps.piece(this.viewer.value, this.now, part));
      markChanged(group, part, isNext);
    }
    drawArrows(this.arrows, arrows, this.data.places);
  }

  /** Write the board as text. */
  write() {
    const text = this.steps.text(this.viewer.value, this.now);
    get("caption").textContent = text[0] ?? "";
    get("board").textContent = text.join("\n");
  }

  /**
   * Tell what happened, and show the lines of the record, as far as the viewer knows them.
   * @param {Frame} frame
   */
  showLines({ told, lines, first }) {
    get("told").replaceChildren(...this.texts(told).map(text => spoken(make("li"), text)));
    const items = lines.flatMap(([words, knower], at) =>
      this.knows(knower) ? [make("li", words, { value: first + at })] : [],
    );
    get("raw").hidden = items.length === 0;
    get("lines").replaceChildren(...items);
  }

  /** @param {Frame["thoughts"]} thoughts */
  showThoughts(thoughts) {
    get("minds").hidden = thoughts.length === 0;
    const open = thoughts.length < MANY_THOUGHTS;
    get("thoughts").replaceChildren(
      ...thoughts.map(([player, heading, text, , decision, rows]) => {
        const words = make("pre", text, { tabIndex: 0, ariaLabel: heading }); // a long one scrolls, also by keys
        const item = make("details", make("summary", heading), rows.length ? sideBySide(rows) : "", words, { open });
        const onclick = () => begin(decision, player);
        if (this.data.begins) item.append(make("button", "decide this again", { onclick }));
        return item;
      }),
    );
  }

  /**
   * Go to the next of the costliest decisions, or the one before, as the game went.
   * @param {1 | -1} way
   */
  seek(way) {
    const steps = this.mistakes.map(({ step }) => step).sort((one, other) => way * (one - other));
    const found = steps.find(step => way * (step - this.now) > 0);
    if (found !== undefined) this.show(found);
  }

  /**
   * Start or stop the film.
   * @param {boolean} isOn
   */
  run(isOn) {
    clearInterval(this.film);
    const next = () => (this.now < this.last ? this.show(this.now + 1) : this.run(false));
    this.film = isOn ? setInterval(next, FILM_STEP) : 0;
    get("run").textContent = isOn ? "stop" : "film";
  }
}

/**
 * Return a decision next to the champion's, as a table in which what is the same is grey.
 * @param {Row[]} rows
 */
function sideBySide(rows) {
  const table = tableOf(["", "played", "the champion"], rows);
  for (const [at, [, decided, better]] of rows.entries())
    table.tBodies[0].rows[at].classList.toggle("same", decided === better);
  table.className = "both";
  return table;
}

/**
 * Ask the server for a game that begins at a decision, and go there.
 * @param {number} decision
 * @param {number} player
 */
function begin(decision, player) {
  const form = make("form", { method: "post", action: "again", hidden: true });
  const page = performance.timeOrigin; // what is sent twice from one page is a button pressed twice
  for (const [name, value] of Object.entries({ decision, player, page })) form.append(make("input", { name, value }));
  document.body.append(form);
  form.submit();
}

/* --- what a person does ------------------------------------------------------------------------------------------ */

/** @param {Replay} replay */
function listenToButtons(replay) {
  const slider = get("slider", HTMLInputElement);
  slider.oninput = () => replay.show(slider.valueAsNumber);
  replay.viewer.onchange = () => {
    replay.look();
    replay.show(replay.now);
  };
  replay.counted.onchange = () => replay.drawChart();
  get("back").onclick = () => replay.show(replay.now - 1);
  get("forth").onclick = () => replay.show(replay.now + 1);
  get("worse").onclick = () => replay.seek(-1);
  get("worst").onclick = () => replay.seek(1);
  get("run").onclick = () => replay.run(!replay.film);
  const next = () => replay.data.frames[replay.now].next ?? [0, 0];
  get("again").onclick = () => {
    const viewer = replay.viewer.value in replay.data.names ? Number(replay.viewer.value) : next()[1];
    begin(next()[0], replay.data.seat ?? viewer);
  };
  get("ask").onclick = async () => {
    const [decision, player] = next();
    get("asked").textContent = "The champion is asked …";
    const answer = await fetch(`champion?decision=${decision}&player=${player}`).catch(() => null);
    const { says, error } = (await answer?.json()) ?? { error: "The program does not answer." };
    get("asked").textContent = says ?? error;
  };
}

/** @param {Replay} replay */
function listenToKeys(replay) {
  /** @type {Record<string, () => unknown>} */
  const keys = {
    ArrowLeft: () => replay.show(replay.now - 1),
    ArrowRight: () => replay.show(replay.now + 1),
    Home: () => replay.show(0),
    End: () => replay.show(replay.last),
    PageUp: () => replay.show(replay.stops.findLast(stop => stop < replay.now) ?? 0),
    PageDown: () => replay.show(replay.stops.find(stop => stop > replay.now) ?? replay.last),
    n: () => replay.seek(1),
    p: () => replay.seek(-1),
  };
  addEventListener("keydown", event => {
    const element = event.target instanceof Element ? event.target.tagName : "";
    if (["SELECT", "SUMMARY"].includes(element) || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === " " && element !== "BUTTON") replay.run(!replay.film);
    else if (event.key in keys) keys[event.key]();
    else return;
    event.preventDefault();
  });
}

/** @param {Replay} replay */
function listenToPointers(replay) {
  const chart = get("chart", SVGSVGElement);
  replay.zoom.swiped = step => replay.show(replay.now + step);
  chart.onclick = event => {
    const toChart = chart.getScreenCTM()?.inverse();
    const { x } = new DOMPoint(event.clientX, event.clientY).matrixTransform(toChart);
    replay.show(Math.round(((x - CHART.left) / CHART.width) * replay.last));
  };
}

/** @param {Data} data */
function start(data) {
  const replay = new Replay(data);
  listenToButtons(replay);
  listenToKeys(replay);
  listenToPointers(replay);
  showTips();
  addEventListener("hashchange", () => replay.show(Number(location.hash.slice(1)) - 1));
  const first = replay.mistakes[0]?.step ?? 0; // a review opens with the costliest decision
  replay.show(location.hash ? Number(location.hash.slice(1)) - 1 || 0 : first);
}

unpack(get("frames").textContent ?? "").then(start, () => {
  get("board").textContent = "This page needs a browser of 2023 or newer (DecompressionStream).";
});
