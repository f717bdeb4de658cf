/**
 * Talking to the server: commands one after the other, so that no click is lost, and what the page says meanwhile.
 */
import { get } from "../records/picture.js";
import { page } from "./state.js";

const PATIENCE = 300; // milliseconds after which the page says that the program is at work
const LONG = 4000; // and after which it says what may take so long

/** What page.js does when a command begins, and with what the server answers. */
export const hooks = {
  begin: () => {},
  /** @type {(view: import("./state.js").View & import("./state.js").Advice) => void} */
  show: () => {},
};

/** @param {string} text */
export function say(text) {
  get("message").textContent = text;
}

/**
 * Carry out a command after those that are under way; the page says so if that takes a while.
 * @param {() => Promise<unknown>} command
 */
export function ask(command) {
  hooks.begin();
  page.busy += 1;
  const signs = [
    setTimeout(() => sign("The program is at work …"), PATIENCE),
    setTimeout(() => sign("Still at work: bots think, or a part is compiled for its first use …"), LONG),
  ];
  page.last = page.last
    .then(command)
    .catch(error => say(String(error)))
    .then(() => {
      page.busy -= 1;
      for (const each of signs) clearTimeout(each);
      if (page.busy === 0) sign("");
    });
  return page.last;
}

/** @param {string} text */
function sign(text) {
  get("busy").textContent = text;
}

/**
 * Send a command and show the answer; say whether it was carried out.
 * @param {string} command
 * @param {Record<string, unknown>} data
 */
export async function send(command, data = {}) {
  try {
    const body = JSON.stringify({ ...data, version: page.view.version });
    const answer = await (await fetch(command, { method: "POST", body })).json();
    say(answer.error ?? "");
    if (answer.error) await update(true);
    else hooks.show(answer);
    return !answer.error;
  } catch {
    showGone(true);
    return false;
  }
}

/**
 * Ask what there is to see, always or only if the page is behind.
 * @param {boolean} always
 */
export async function update(always) {
  let answer;
  try {
    answer = await fetch(`state?version=${always ? -1 : page.view.version}`);
  } catch {
    showGone(true);
    return;
  }
  showGone(false);
  const view = await answer.json();
  const isNew = always || view.version !== page.view.version; // a command may have shown it meanwhile
  if (!answer.ok) say(view.error);
  else if (isNew) hooks.show(view);
}

/** Say that the program is gone, or that it is there again. */
const showGone = (/** @type {boolean} */ gone) => {
  get("gone").hidden = !gone;
};
