/**
 * The chart of the replay page: a number of each player over the game, with marks.
 */
import { makeSvg } from "./picture.js";

/** The chart, in units of its viewBox. */
export const CHART = {
  left: 40,
  width: 940,
  zero: 112,
  height: 100,
  values: 4,
  players: 984,
  rounds: 126,
  cursor: { top: 4, bottom: 116 },
  letters: { baseline: 4, gap: 12, lowest: 122 },
};

/** Return a share as a whole number of percent. */
export const percent = (/** @type {number} */ share) => String(Math.round(100 * share));

/**
 * Return the heights of letters that should be at these heights, but apart from each other and inside the chart.
 * @param {number[]} wanted by player
 */
function spread(wanted) {
  const { gap, lowest } = CHART.letters;
  const letters = wanted.map((height, player) => ({ height, player })).sort((a, b) => a.height - b.height);
  for (const [at, letter] of letters.entries()) {
    if (at) letter.height = Math.max(letter.height, letters[at - 1].height + gap);
  }
  const over = Math.max(0, letters[letters.length - 1].height - lowest);
  return letters.sort((a, b) => a.player - b.player).map(letter => letter.height - over);
}

/**
 * Return how far to the right a step is on the chart.
 * @param {number} step
 * @param {number} last
 */
export const chartX = (step, last) => CHART.left + (CHART.width * step) / Math.max(1, last);

/**
 * Return the chart of a number: its scale, a dot for each round, and a line for each player.
 * @param {number[][]} rows the number of each player, by step
 * @param {number[]} rounds steps at which one begins
 * @param {import("./view.js").Mistake[]} mistakes that are marked on the lines
 */
export function chart(rows, rounds, mistakes) {
  const last = rows.length - 1;
  const top = Math.max(1, ...rows.flat());
  const heightOf = (/** @type {number} */ value) => CHART.zero - (CHART.height * value) / top;
  const baseline = CHART.letters.baseline;
  const letters = spread(rows[last].map(value => heightOf(value) + baseline));
  const values = [0, Math.round(top / 2), top];
  const scale = values.map(value => makeSvg("text", { x: CHART.values, y: heightOf(value) + baseline }, String(value)));
  const dots = rounds.map(step =>
    makeSvg("text", { x: chartX(step, last), y: CHART.rounds, "text-anchor": "middle" }, "·"),
  );
  const lines = letters.flatMap((y, player) => {
    const points = rows.map((row, step) => `${chartX(step, last)},${heightOf(row[player])}`);
    return [
      makeSvg("path", { d: `M${points.join("L")}`, style: `stroke:var(--p${player})` }),
      makeSvg("text", { x: CHART.players, y, style: `fill:var(--p${player})` }, `P${player}`),
    ];
  });
  const marks = mistakes.map(({ player, step, heading, cost }) => {
    const at = { cx: chartX(step, last), cy: heightOf(rows[step][player]), r: 5, style: `fill:var(--p${player})` };
    const mark = makeSvg("circle", at);
    mark.append(makeSvg("title", {}, `${heading}: −${percent(cost)} points`));
    return mark;
  });
  return [...scale, ...dots, ...lines, ...marks];
}
