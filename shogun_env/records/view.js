"use strict";
const get = id => document.getElementById(id);
const make = (name, attributes = {}, text = "") => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
};

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

/* Return for each step the number of the piece that every part shows: the changes added up. */
function addUp(steps, width, filling) {
  let row = new Int32Array(width).fill(filling);
  return steps.map(changes => {
    row = row.slice();
    for (let at = 0; at < changes.length; at += 2) row[changes[at]] = changes[at + 1];
    return row;
  });
}

/* Return the row of the previous text that belongs to a line: the one with the same label, because rows come and go. */
function earlier(line, row, old) {
  const label = text => text?.match(/^[A-Za-z].*?(?=  )/)?.[0], word = text => text?.split(" ", 1)[0], name = label(line);
  if (!name || label(old[row]) === name) return old[row] ?? "";
  return old.find(other => label(other) === name) ?? (word(old[row]) === word(line) ? old[row] : "");
}

/* Return lines of text, with every run of characters that differs from the previous text in a <mark>. */
function marked(text, old) {
  return text.flatMap((line, row) => {
    const was = earlier(line, row, old).padEnd(line.length), parts = [];
    for (let at = 0, end; at < line.length; at = end) {
      const differs = line[at] !== was[at];
      for (end = at + 1; end < line.length && (line[end] !== was[end]) === differs; end++);
      if (differs) {
        const mark = document.createElement("mark");
        mark.textContent = line.slice(at, end);
        parts.push(mark);
      } else parts.push(line.slice(at, end));
    }
    return [...parts, "\n"];
  });
}

/* Return an arrow between two places as the data of a path. */
function arrow([x, y], [toX, toY]) {
  const length = Math.hypot(toX - x, toY - y) || 1, ux = (toX - x) / length, uy = (toY - y) / length;
  const at = (along, across) => `${x + along * ux - across * uy},${y + along * uy + across * ux}`;
  const tip = length - 12, neck = length - 25;
  return "M" + [at(12, -2.5), at(neck, -3.5), at(neck, -9), at(tip, 0), at(neck, 9), at(neck, 3.5), at(12, 2.5)].join("L") + "Z";
}

function start(data) {
  const { frames, parts, pieces } = data, last = frames.length - 1, nothing = pieces.indexOf("");
  const rows = Object.fromEntries(Object.entries(data.views).map(([name, steps]) =>
    [name, addUp(steps, parts.length, name === "referee" ? nothing : -1)]));
  const stops = frames.flatMap((frame, at) => at === 0 || at === last || frame.mark ? [at] : []);
  const drawn = parts.flatMap((name, part) => name.startsWith("line-") ? [] : [part]);
  const written = parts.flatMap((name, part) => name.startsWith("line-") ? [[Number(name.slice(5)), part]] : [])
    .sort(([a], [b]) => a - b).map(([, part]) => part);
  const groups = new Map(drawn.map(part => [part, make("g", { "data-part": parts[part] })]));
  const arrows = make("g"), picture = get("picture"), viewer = get("viewer"), jump = get("jump"), slider = get("slider");
  let now = -1, shown = new Int32Array(parts.length).fill(-2), film = 0;

  const pieceOf = (step, part) => {
    const own = viewer.value === "referee" ? -1 : rows[viewer.value][step][part];
    return own >= 0 ? own : rows.referee[step][part];
  };
  const textOf = step => {
    const text = written.map(part => pieces[pieceOf(step, part)] ?? "");
    while (text.length && !text.at(-1)) text.pop();
    return text;
  };
  const knows = owner => owner === -1 || viewer.value === "referee" || String(owner) === viewer.value;

  function draw(step, isNext) {
    for (const part of drawn) {
      const piece = pieceOf(step, part);
      if (piece === shown[part]) continue;
      const group = groups.get(part);
      group.innerHTML = pieces[piece] ?? "";
      group.classList.remove("changed");
      if (isNext && /^(prov|card|making)/.test(parts[part])) {
        void group.getBoundingClientRect();
        group.classList.add("changed");
      }
      shown[part] = piece;
    }
    arrows.replaceChildren(...frames[step].arrows.filter(([from, to]) => data.places[from] && data.places[to])
      .map(([from, to, attack]) => make("path", { d: arrow(data.places[from], data.places[to]), class: `arrow ${attack ? "f-alarm" : "f-route"} s-panel` })));
  }

  function show(step) {
    const before = now;
    now = Math.max(0, Math.min(last, step));
    const frame = frames[now];
    draw(now, now === before + 1);
    slider.value = now;
    get("count").textContent = `step ${now + 1} of ${frames.length}`;
    const text = textOf(now), known = frame.lines.map((line, at) => [...line, frame.first + at]).filter(line => knows(line[2]));
    get("caption").textContent = text[0] ?? "";
    get("since").hidden = known.length === 0;
    get("lines").replaceChildren(...known.map(([type, words, , number]) => {
      const item = document.createElement("li"), name = document.createElement("b");
      item.value = number;
      name.textContent = type;
      item.append(name, " " + words);
      return item;
    }));
    showThrows(frame.throws ?? [], now === before + 1);
    showThoughts(frame.thoughts.filter(([player]) => knows(player)));
    get("board").replaceChildren(...(now ? marked(text, textOf(now - 1)) : [text.join("\n")]));
    jump.value = stops.findLast(at => at <= now);
    get("cursor").setAttribute("x1", 40 + 940 * now / Math.max(1, last));
    get("cursor").setAttribute("x2", 40 + 940 * now / Math.max(1, last));
    history.replaceState(null, "", `#${now + 1}`);
  }

  /* Show throws into the tower; on the way forward the cubes in the tray come one by one. */
  function showThrows(throws, isNext) {
    get("throws").hidden = throws.length === 0;
    get("tower").replaceChildren(...throws.map(({ ground, cubes, size: [width, height], text }) => {
      const one = make("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "shogun-env throw", role: "img", "aria-label": text });
      one.innerHTML = ground + cubes.map((cube, at) => `<g class="${isNext ? "drop" : ""}" style="--at:${at}">${cube}</g>`).join("");
      return one;
    }));
  }

  function showThoughts(thoughts) {
    get("minds").hidden = thoughts.length === 0;
    get("thoughts").replaceChildren(...thoughts.map(([, heading, text]) => {
      const item = document.createElement("details"), summary = document.createElement("summary"), words = document.createElement("pre");
      item.open = thoughts.length < 4;
      summary.textContent = heading;
      words.textContent = text;
      words.tabIndex = 0;
      words.setAttribute("aria-label", heading);
      item.append(summary, words);
      return item;
    }));
  }

  function chart() {
    const top = Math.max(1, ...frames.flatMap(frame => frame.points)), players = frames[0].points.length;
    const x = step => 40 + 940 * step / Math.max(1, last), y = value => 112 - 100 * value / top;
    const ends = frames[last].points.map((value, player) => [y(value) + 4, player]).sort(([a], [b]) => a - b);
    ends.forEach((end, at) => { if (at) end[0] = Math.max(end[0], ends[at - 1][0] + 12); });
    const over = Math.max(0, (ends.at(-1)?.[0] ?? 0) - 122), endOf = player => ends.find(end => end[1] === player)[0] - over;
    const lines = Array.from({ length: players }, (_, player) => [
      make("path", { d: "M" + frames.map((frame, step) => `${x(step)},${y(frame.points[player])}`).join("L"), style: `stroke:var(--p${player})` }),
      make("text", { x: 984, y: endOf(player), style: `fill:var(--p${player})` }, `P${player}`),
    ]).flat();
    const scale = [0, Math.round(top / 2), top].map(value => make("text", { x: 4, y: y(value) + 4 }, String(value)));
    const rounds = frames.flatMap((frame, at) => frame.mark === "round" ? [make("text", { x: x(at), y: 126, "text-anchor": "middle" }, "·")] : []);
    get("chart").replaceChildren(...scale, ...rounds, ...lines, make("line", { id: "cursor", y1: 4, y2: 116, x1: 40, x2: 40 }));
    get("chart").onclick = event => {
      const box = get("chart").getBoundingClientRect();
      show(Math.round(((event.clientX - box.left) / box.width * 1000 - 40) / 940 * last));
    };
  }

  function run(on) {
    clearInterval(film);
    film = on ? setInterval(() => now < last ? show(now + 1) : run(false), 900) : 0;
    get("run").textContent = on ? "stop" : "film";
  }

  const option = (value, text) => new Option(text, value);
  viewer.append(option("referee", "all plans (referee)"), option("all", "as revealed"),
    ...frames[0].points.map((_, player) => option(player, `player ${player}`)));
  jump.append(...stops.map(at => option(at, at === 0 ? "beginning" : `${frames[at].mark && frames[at].mark !== "round" ? `– ${frames[at].mark}: ` : ""}${frames[at].label ?? "end"}`)));
  picture.setAttribute("viewBox", `0 0 ${data.size[0]} ${data.size[1]}`);
  picture.replaceChildren(...groups.values(), arrows);
  slider.max = last;
  chart();

  const keys = {
    ArrowLeft: () => now - 1, ArrowRight: () => now + 1, Home: () => 0, End: () => last,
    PageUp: () => stops.findLast(at => at < now) ?? 0, PageDown: () => stops.find(at => at > now) ?? last,
  };
  addEventListener("keydown", event => {
    if (["SELECT", "SUMMARY"].includes(event.target.tagName) || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === " " && event.target.tagName !== "BUTTON") { event.preventDefault(); run(!film); }
    if (event.key in keys) { event.preventDefault(); show(keys[event.key]()); }
  });
  let touch = null;
  picture.addEventListener("pointerdown", event => { touch = event.clientX; });
  picture.addEventListener("pointerup", event => {
    if (touch !== null && Math.abs(event.clientX - touch) > 40) show(now + (event.clientX < touch ? 1 : -1));
    touch = null;
  });
  slider.oninput = () => show(slider.valueAsNumber);
  jump.onchange = () => show(Number(jump.value));
  viewer.onchange = () => show(now);
  get("back").onclick = () => show(now - 1);
  get("forth").onclick = () => show(now + 1);
  get("run").onclick = () => run(!film);
  show(Number(location.hash.slice(1)) - 1 || 0);
}

unpack(get("frames").textContent).then(start, () => {
  get("board").textContent = "This page needs a browser of 2023 or newer (DecompressionStream).";
});
