"use strict";
// Texts are set by textContent only; nothing here reads HTML.
const data = JSON.parse(document.getElementById("data").textContent);
const [view, world, lines, panel, legend, tools, find] =
  ["view", "world", "lines", "panel", "legend", "tools", "find"].map((id) => document.getElementById(id));
const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = data.card;
const above = data.nodes.map(() => []), below = data.nodes.map(() => []), near = data.nodes.map(() => []);
const hidden = new Set();
let chosen = null, scale = 1, left = 0, top_ = 0;
document.documentElement.classList.add("js");

function make(name, className, text) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function colour(element, name) { element.style.setProperty("--of", `var(--${name})`); }

function tagOf(node) {
  if (node.facts.outcome) return [node.facts.outcome, node.facts.rule].filter(Boolean).join(" ");
  return node.state === "active" ? "" : node.state;
}

// ---- draw
const cards = data.nodes.map((node, index) => {
  const card = make("button", `node ${node.label} ${node.state}`);
  if (node.id === data.root) card.classList.add("root");
  const outcome = node.facts.outcome;
  if (["Allow", "Block", "Reverify", "Redact", "AskUser"].includes(outcome)) card.classList.add(outcome);
  card.type = "button";
  card.dataset.index = index;
  colour(card, node.label);
  Object.assign(card.style, { left: `${node.at[0]}px`, top: `${node.at[1]}px`, width: `${WIDTH}px`, height: `${HEIGHT}px` });
  const tag = tagOf(node);
  card.append(make("span", "id", node.id), make("span", "text", node.caption));
  if (tag) { card.append(make("span", "tag", tag)); card.classList.add("tagged"); }
  card.title = hover(node);
  return card;
});

function hover(node) {
  const facts = Object.entries(node.facts).map(([name, value]) => `${name}: ${[value].flat().join(", ")}`);
  return [`${node.label} ${node.id} (${node.state})`, node.caption, ...facts].join("\n");
}

function curve(a, b) {
  const [ax, ay] = data.nodes[a].at, [bx, by] = data.nodes[b].at;
  const y1 = ay + HEIGHT / 2, y2 = by + HEIGHT / 2;
  if (bx >= ax + WIDTH) {
    const bend = Math.min(120, (bx - ax - WIDTH) / 2 + 24);
    return [`M${ax + WIDTH} ${y1}C${ax + WIDTH + bend} ${y1} ${bx - bend} ${y2} ${bx} ${y2}`, (ax + WIDTH + bx) / 2, (y1 + y2) / 2];
  }
  const x1 = ax + WIDTH / 2, x2 = bx + WIDTH / 2, down = by > ay;
  const s = ay + (down ? HEIGHT : 0), e = by + (down ? 0 : HEIGHT), reach = down ? 48 : -48;
  return [`M${x1} ${s}C${x1} ${s + reach} ${x2} ${e - reach} ${x2} ${e}`, (x1 + x2) / 2, (s + e) / 2];
}

function stroke(className, shape) {
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("class", className);
  path.setAttribute("d", shape);
  return path;
}

const halos = document.createElementNS(SVG, "g"), strokes = document.createElementNS(SVG, "g"), words = document.createElementNS(SVG, "g");
const edges = data.edges.map(([type, from, to, detail, flows]) => {
  const [shape, x, y] = curve(from, to);
  const path = stroke(`${type}${flows ? "" : " aside"}`, shape);
  colour(path, type);
  strokes.append(path);
  const parts = [path];
  if (flows && data.nodes[from].state !== "active") {
    const halo = stroke("halo", shape);
    halos.append(halo);
    parts.push(halo);
  }
  const word = document.createElementNS(SVG, "text");
  word.setAttribute("x", x); word.setAttribute("y", y + 3);
  word.textContent = detail && detail !== "host" ? `${type} (${detail})` : type;
  words.append(word);
  parts.push(word);
  const edge = { type, from, to, detail, flows, parts };
  if (flows) { below[from].push(edge); above[to].push(edge); }
  else { near[from].push(edge); near[to].push(edge); }
  return edge;
});
lines.setAttribute("width", data.size[0]); lines.setAttribute("height", data.size[1]);
lines.append(halos, strokes, words);
world.append(...cards);

// ---- move
function move() {
  world.style.transform = `translate(${left}px, ${top_}px) scale(${scale})`;
  world.classList.toggle("far", scale < 0.28);
}
function zoom(factor, x = view.clientWidth / 2, y = view.clientHeight / 2) {
  const next = Math.min(2.5, Math.max(0.01, scale * factor));
  left = x - (x - left) * (next / scale); top_ = y - (y - top_) * (next / scale); scale = next;
  move();
}
function fit() {
  const [w, h] = data.size, bottom = legend.offsetHeight + 24;
  scale = Math.min(1.1, (view.clientWidth - 48) / w, (view.clientHeight - 32 - bottom) / h);
  left = (view.clientWidth - w * scale) / 2;
  top_ = Math.max(20, (view.clientHeight - bottom - h * scale) / 2);
  move();
}
function show(index) {
  scale = Math.max(scale, 0.8);
  const [x, y] = data.nodes[index].at;
  left = view.clientWidth / 2 - (x + WIDTH / 2) * scale; top_ = view.clientHeight / 2 - (y + HEIGHT / 2) * scale;
  move();
}
view.addEventListener("wheel", (event) => {
  event.preventDefault();
  const box = view.getBoundingClientRect();
  zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.clientX - box.left, event.clientY - box.top);
}, { passive: false });
let grip = null, moved = false;
view.addEventListener("pointerdown", (event) => { grip = [event.clientX, event.clientY]; moved = false; });
addEventListener("pointermove", (event) => {
  if (!grip || !(event.buttons & 1)) { grip = null; view.classList.remove("drag"); return; }
  const [dx, dy] = [event.clientX - grip[0], event.clientY - grip[1]];
  if (!moved && Math.hypot(dx, dy) < 4) return;
  moved = true; view.classList.add("drag");
  left += dx; top_ += dy; grip = [event.clientX, event.clientY];
  move();
});
addEventListener("pointerup", () => { grip = null; view.classList.remove("drag"); });
view.addEventListener("dblclick", (event) => { if (!event.target.closest(".node")) fit(); });

// ---- light up what a node came from and what came from it
function reach(start, links, end, nodes, used) {
  const queue = [start], seen = new Set([start]);
  for (const index of queue) {
    for (const edge of links[index]) {
      used.add(edge);
      if (!seen.has(edge[end])) { seen.add(edge[end]); queue.push(edge[end]); }
    }
  }
  for (const index of seen) nodes.add(index);
}
let lit = [];
function light(index) {
  for (const element of lit) element.classList.remove("on");
  lit = [];
  world.classList.toggle("dim", index !== null);
  if (index === null) return;
  const nodes = new Set(), used = new Set(near[index]);
  reach(index, above, "from", nodes, used);
  reach(index, below, "to", nodes, used);
  for (const edge of near[index]) { nodes.add(edge.from); nodes.add(edge.to); }
  for (const node of nodes) lit.push(cards[node]);
  for (const edge of used) lit.push(...edge.parts);
  for (const element of lit) element.classList.add("on");
}
world.addEventListener("pointerover", (event) => {
  const card = event.target.closest(".node");
  if (card && !grip) light(Number(card.dataset.index));
});
world.addEventListener("pointerout", (event) => { if (event.target.closest(".node")) light(chosen); });
view.addEventListener("click", (event) => {
  if (moved) return;
  const card = event.target.closest(".node");
  choose(card ? Number(card.dataset.index) : null);
});

// ---- the panel
function choose(index) {
  if (chosen !== null) cards[chosen].classList.remove("chosen");
  chosen = index;
  if (index !== null) cards[index].classList.add("chosen");
  light(index);
  tell(index === null ? data.nodes.findIndex((node) => node.id === data.root) : index);
}
function tell(index) {
  panel.replaceChildren();
  if (index < 0) return;
  const node = data.nodes[index];
  const kind = make("span", "kind", node.label);
  colour(kind, node.label);
  const facts = make("dl");
  for (const [name, value] of Object.entries(node.facts)) {
    facts.append(make("dt", "", name.replaceAll("_", " ")), make("dd", "", [value].flat().join(", ") || "(empty)"));
  }
  panel.append(make("h2", "", node.id), kind, make("span", `state ${node.state}`, node.state), make("p", "text", node.caption), facts);
  list("Came from", above[index].map((edge) => [edge, edge.from]));
  list("Led to", below[index].map((edge) => [edge, edge.to]));
  list("Beside", near[index].map((edge) => [edge, edge.from === index ? edge.to : edge.from]));
  if (chosen === null) panel.append(make("p", "hint", "This is the root. Point at a card to see its path; click it to stay there. Drag to move, wheel to zoom, Esc to let go."));
}
function list(heading, rows) {
  if (!rows.length) return;
  const items = make("ul");
  for (const [edge, other] of rows.slice(0, 200)) {
    const button = make("button", "", `${data.nodes[other].id}`);
    button.type = "button";
    colour(button, data.nodes[other].label);
    button.append(make("small", "", edge.detail ? `${edge.type} (${edge.detail})` : edge.type));
    button.addEventListener("click", () => { choose(other); show(other); });
    const item = make("li");
    item.append(button);
    items.append(item);
  }
  panel.append(make("h3", "", `${heading} (${rows.length})`), items);
  if (rows.length > 200) panel.append(make("p", "hint", `and ${rows.length - 200} more; see the table`));
}

// ---- legend, tools, search
function filter() {
  cards.forEach((card, index) => card.classList.toggle("off", hidden.has(data.nodes[index].label)));
  for (const edge of edges) {
    const off = hidden.has(edge.type) || [edge.from, edge.to].some((end) => hidden.has(data.nodes[end].label));
    for (const part of edge.parts) part.classList.toggle("off", off);
  }
}
function key(name, count, mark) {
  const button = make("button");
  button.type = "button";
  button.setAttribute("aria-pressed", "true");
  button.title = "Click to hide or show";
  button.append(mark, `${name} ${count}`);
  button.addEventListener("click", () => {
    if (!hidden.delete(name)) hidden.add(name);
    button.setAttribute("aria-pressed", String(!hidden.has(name)));
    filter();
  });
  legend.append(button);
}
function counted(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
for (const [name, count] of counted(data.nodes.map((node) => node.label))) {
  const mark = make("i");
  colour(mark, name);
  key(name, count, mark);
}
legend.append(make("hr"));
for (const [name, count] of counted(data.edges.map((edge) => edge[0]))) {
  const mark = document.createElementNS(SVG, "svg");
  mark.append(stroke(name, "M0 4H26"));
  colour(mark, name);
  key(name, count, mark);
}
if (halos.childElementCount) {
  const mark = document.createElementNS(SVG, "svg");
  mark.append(stroke("", "M0 4H26"));
  mark.style.cssText = "--of: var(--bad); opacity: .4";
  const word = make("span", "", "shaded red: came from what was revoked");
  word.prepend(mark);
  legend.append(make("hr"), word);
}
function tool(name, title, act) {
  const button = make("button", "", name);
  button.type = "button"; button.title = title;
  button.addEventListener("click", () => act(button));
  tools.append(button);
}
function toggle(button, target, className) {
  button.setAttribute("aria-pressed", String(target.classList.toggle(className)));
}
tool("+", "Nearer", () => zoom(1.3));
tool("−", "Farther", () => zoom(1 / 1.3));
tool("Fit", "Show all  ( 0 )", fit);
if (edges.some((edge) => edge.type === "WRITTEN_BY")) tool("Writers", "Show who wrote what", (button) => toggle(button, world, "all"));
tool("Table", "Show as a table", (button) => toggle(button, document.documentElement, "tabled"));
function search() {
  const wanted = find.value.trim().toLowerCase();
  let first = null;
  data.nodes.forEach((node, index) => {
    const hit = wanted !== "" && `${node.id} ${node.caption}`.toLowerCase().includes(wanted);
    cards[index].classList.toggle("found", hit);
    if (hit && first === null) first = index;
  });
  return first;
}
find.addEventListener("input", search);
find.addEventListener("keydown", (event) => {
  const first = event.key === "Enter" ? search() : null;
  if (first !== null) { choose(first); show(first); }
});
addEventListener("keydown", (event) => {
  if (event.key === "Escape") { find.value = ""; search(); find.blur(); choose(null); }
  else if (event.target === find) return;
  else if (event.key === "/") { event.preventDefault(); find.focus(); }
  else if (event.key === "0") fit();
  else if (event.key === "+") zoom(1.3);
  else if (event.key === "-") zoom(1 / 1.3);
});
addEventListener("resize", fit);
let linked = -1;
try { linked = data.nodes.findIndex((node) => node.id === decodeURIComponent(location.hash.slice(1))); } catch { /* no id */ }
choose(linked < 0 ? null : linked);
fit();
