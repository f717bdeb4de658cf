/**
 * What the words of the game mean, where one points at them or taps them: those of the list with the id "words".
 */
import { get, make } from "./picture.js";

const BESIDE = 12; // pixels between the pointer and the box

/**
 * Return a text as the list of words has it: "Event: two farmers (winter rice -3)" is "two farmers".
 * @param {string} text
 */
const wordOf = text =>
  text
    .replace(/^event: /i, "")
    .replace(/ ?[(:,.].*$/, "")
    .trim()
    .toLowerCase();

/** Show the meaning of words of the picture, and of throws into the tower. */
export function showTips() {
  const terms = [...get("words").querySelectorAll("dt")];
  const meanings = new Map(terms.map(term => [wordOf(term.textContent ?? ""), term]));
  const box = make("p", { id: "tip", hidden: true, role: "tooltip" });
  document.body.append(box);
  const show = (/** @type {PointerEvent | MouseEvent} */ event) => {
    const at = event.target instanceof Element ? event.target : null;
    const word = at?.closest("[data-word]")?.getAttribute("data-word") ?? at?.closest("text")?.textContent;
    const term = meanings.get(wordOf(word ?? ""));
    box.hidden = !term;
    if (!term) return;
    box.replaceChildren(make("b", term.textContent ?? ""), ` ${term.nextElementSibling?.textContent}`);
    const { offsetWidth, offsetHeight } = box;
    const below = event.clientY + BESIDE + offsetHeight < innerHeight;
    box.style.left = `${Math.max(0, Math.min(event.clientX, innerWidth - offsetWidth))}px`;
    box.style.top = `${below ? event.clientY + BESIDE : event.clientY - BESIDE - offsetHeight}px`;
  };
  const hide = () => {
    box.hidden = true;
  };
  const watch = (/** @type {GlobalEventHandlers} */ shown) => {
    shown.addEventListener("pointerover", event => event.pointerType === "mouse" && show(event));
    shown.addEventListener("click", show);
    shown.addEventListener("pointerleave", hide);
  };
  watch(get("picture", SVGSVGElement));
  watch(get("tower", HTMLElement));
  addEventListener("scroll", hide, { capture: true });
  addEventListener("keydown", event => event.key === "Escape" && hide());
}
