"use strict";

const $ = (id) => document.getElementById(id);
const edited = new Map();
let unit = null;

async function ask(path, body) {
  const sent = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  try {
    const answer = await fetch(path, body && sent);
    return await answer.json();
  } catch {
    return { error: "That did not work: look at the terminal." };
  }
}

function say(text) {
  $("said").textContent = text ?? "";
}

function option(value, text) {
  const made = document.createElement("option");
  [made.value, made.textContent] = [value, text];
  return made;
}

async function list() {
  const wanted = { query: $("query").value, document: $("document").value, all: $("all").checked ? "1" : "" };
  const shown = $("list").value;
  const { units, found, count, documents, error } = await ask(`units?${new URLSearchParams(wanted)}`);
  if (error) return say(error);
  if ($("document").options.length === 1) $("document").append(...documents.map((name) => option(name, name)));
  $("count").textContent = count;
  $("found").textContent = found;
  $("list").replaceChildren(...units.map((one) => option(one.id, one.label)));
  $("list").value = shown;
}

async function search() {
  await list();
  if ($("list").selectedIndex < 0) await go(0);
}

function keep() {
  if (unit && $("translation").value !== unit.translation) edited.set(unit.id, $("translation").value);
}

function cell(parts) {
  const made = document.createElement("td");
  for (const [text, is_cause] of parts) {
    const part = document.createElement(is_cause ? "mark" : "span");
    part.textContent = text;
    made.append(part);
  }
  return made;
}

function preview() {
  const typed = $("translation").value;
  $("preview").replaceChildren(...unit.around.map((one) => {
    const row = document.createElement("tr");
    const is_changed = one.id === unit.id && typed !== unit.translation;
    row.append(cell(one.source), cell(is_changed ? [[typed, false]] : one.translation));
    if (one.id === unit.id) row.setAttribute("aria-current", "true");
    return row;
  }));
}

async function show(id) {
  keep();
  const found = await ask(`unit?${new URLSearchParams({ id })}`);
  if (found.error) return say(found.error);
  unit = found;
  $("where").textContent = unit.document;
  $("note").textContent = unit.note;
  $("translation").value = edited.get(unit.id) ?? unit.translation;
  $("match").hidden = !unit.suggestion;
  $("match").children[0].textContent = `Memory, ${unit.match} `;
  $("match").children[1].textContent = unit.suggestion;
  preview();
}

function take() {
  if (!unit?.suggestion) return;
  $("translation").value = unit.suggestion;
  preview();
  $("translation").focus();
}

async function go(step) {
  const last = $("list").options.length - 1;
  if (last < 0) return say("There is nothing to review here.");
  const at = Math.min(Math.max($("list").selectedIndex + step, 0), last);
  $("list").selectedIndex = at;
  say("");
  await show($("list").value);
  $("list").options[at].scrollIntoView?.({ block: "nearest" });
}

async function edit(step) {
  await go(step);
  $("translation").focus();
}

async function accept() {
  const translation = $("translation").value.trim();
  if (!unit || !translation) return say("A translation is missing.");
  const { error } = await ask("accept", { id: unit.id, translation });
  if (error) return say(error);
  edited.delete(unit.id);
  unit.translation = $("translation").value;
  await list();
  await edit(1);
}

async function finish() {
  say("The documents are being written …");
  const { said, error } = await ask("finish", {});
  say(said ?? error);
}

document.addEventListener("keydown", (event) => {
  const key = (event.ctrlKey && event.key === "Enter" && accept) ||
    (event.altKey && event.key === "m" && take) ||
    (event.altKey && event.key === "ArrowDown" && (() => edit(1))) ||
    (event.altKey && event.key === "ArrowUp" && (() => edit(-1))) ||
    (event.altKey && event.key === "s" && (() => $("query").focus())) ||
    (event.key === "Enter" && event.target === $("list") && (() => $("translation").focus()));
  if (key) {
    event.preventDefault();
    key();
  }
});
let waiting;
$("query").addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(search, 150);
});
$("document").addEventListener("change", search);
$("all").addEventListener("change", search);
$("list").addEventListener("change", () => go(0));
$("translation").addEventListener("input", preview);
$("accept").addEventListener("click", accept);
$("take").addEventListener("click", take);
$("next").addEventListener("click", () => edit(1));
$("previous").addEventListener("click", () => edit(-1));
$("finish").addEventListener("click", finish);
search().then(() => $("translation").focus());
