// The elements by which screen readers read the page. They are inside the canvas: there
// browsers draw nothing of them, but read them and let them have the focus, and their keys
// go on to the program.

const canvas = document.getElementById("table");
const said = document.getElementById("said");

/** How many of the last announcements can be read again. */
const KEPT = 8;

/** The elements, and what they show, by their numbers. */
const shown = new Map();

/** The number of the element that the program gave the focus. */
let focused;

/** Has `report` told which element is pressed (`true`) or has got the focus (`false`). */
export function listen(report) {
  const tell = ({ target }, isPress) => target !== canvas && report(target.dataset.id, isPress);
  canvas.addEventListener("click", (event) => tell(event, true));
  canvas.addEventListener("focusin", (event) => {
    if (event.target.dataset.id !== focused) tell(event, false);
    tellCanvas("focus", event);
  });
  canvas.addEventListener("focusout", (event) => tellCanvas("blur", event));
  // While one of the elements has the focus, the program has it.
  const keep = (event) => {
    if (event.target === canvas && isInside(event.relatedTarget)) event.stopImmediatePropagation();
  };
  for (const kind of ["focus", "blur"]) addEventListener(kind, keep, true);
}

function isInside(element) {
  return element !== canvas && canvas.contains(element);
}

/** Tells the program, which hears of the canvas alone, that an element has got or lost the focus. */
function tellCanvas(kind, { target, relatedTarget }) {
  if (target !== canvas && !canvas.contains(relatedTarget)) canvas.dispatchEvent(new FocusEvent(kind));
}

/** Shows what has changed in the program's tree. */
export function show(tree) {
  const { language, focus, elements } = JSON.parse(tree);
  const hadFocus = canvas.contains(document.activeElement);
  canvas.lang = language;
  said.lang = language;
  const left = new Set(shown.keys());
  const stay = (nodes) => {
    for (const { id, children } of nodes) {
      left.delete(id);
      stay(children);
    }
  };
  stay(elements);
  if (left.has(document.activeElement?.dataset.id)) canvas.focus();
  for (const id of left) {
    shown.get(id).element.remove();
    shown.delete(id);
  }
  place(canvas, elements);
  const isLost = !canvas.contains(document.activeElement);
  const moves = hadFocus && (isLost || focus !== focused);
  focused = focus;
  if (moves) (shown.get(focus)?.element ?? canvas).focus({ preventScroll: true });
}

/** Gives an element these children. */
function place(parent, nodes) {
  for (const [at, node] of nodes.entries()) {
    const element = write(node);
    const before = parent.children[at];
    if (before !== element) parent.insertBefore(element, before ?? null);
    place(element, node.children);
  }
}

/** The element of a node, as the node says. */
function write({ id, attributes, text, is_said: isSaid }) {
  let known = shown.get(id);
  if (!known) {
    known = { element: document.createElement("div"), attributes: {}, text: "" };
    known.element.dataset.id = id;
    shown.set(id, known);
  }
  const { element } = known;
  for (const name of Object.keys(known.attributes)) {
    if (!(name in attributes)) element.removeAttribute(name);
  }
  for (const [name, value] of Object.entries(attributes)) {
    if (known.attributes[name] !== value) element.setAttribute(name, value);
  }
  if (known.text !== text) {
    element.textContent = text;
    if (isSaid && text) say(text);
  }
  Object.assign(known, { attributes, text });
  return element;
}

/** Has a screen reader say a text. */
function say(text) {
  const line = document.createElement("p");
  line.textContent = text;
  said.append(line);
  while (said.children.length > KEPT) said.firstChild.remove();
}
