"use strict";

let units = [];
let at = 0;
const done = new Map();
const edited = new Map();
const $ = (id) => document.getElementById(id);

async function post(path, body) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return await answer.json();
  } catch {
    const error = "That did not work: look at the terminal.";
    return { error };
  }
}

function show() {
  $("count").textContent = `${done.size} of ${units.length} done`;
  const unit = units[at];
  if (!unit) {
    $("said").textContent = "There is nothing to review.";
    return;
  }
  $("where").textContent = `${at + 1}. ${unit.document}`;
  $("note").textContent = unit.note + (done.has(unit.id) ? " (accepted)" : "");
  $("source").textContent = unit.source;
  $("translation").value = edited.get(unit.id) ?? unit.translation;
  $("match").hidden = !unit.suggestion;
  $("match").children[0].textContent = `Memory, ${unit.match} `;
  $("match").children[1].textContent = unit.suggestion;
  $("translation").focus();
}

function take() {
  if (units[at]?.suggestion) $("translation").value = units[at].suggestion;
  $("translation").focus();
}

function go(step) {
  if (units[at]) edited.set(units[at].id, $("translation").value);
  at = Math.min(Math.max(at + step, 0), Math.max(units.length - 1, 0));
  $("said").textContent = "";
  show();
}

async function accept() {
  const unit = units[at];
  const translation = $("translation").value.trim();
  if (!unit || !translation) {
    $("said").textContent = "A translation is missing.";
    return;
  }
  const { error } = await post("accept", { id: unit.id, translation });
  if (error) {
    $("said").textContent = error;
    return;
  }
  done.set(unit.id, translation);
  go(1);
}

async function finish() {
  $("said").textContent = "The documents are being written …";
  const { said, error } = await post("finish", {});
  $("said").textContent = said ?? error;
}

document.addEventListener("keydown", (event) => {
  const key = (event.ctrlKey && event.key === "Enter" && accept) ||
    (event.altKey && event.key === "m" && take) ||
    (event.altKey && event.key === "ArrowDown" && (() => go(1))) ||
    (event.altKey && event.key === "ArrowUp" && (() => go(-1)));
  if (key) {
    event.preventDefault();
    key();
  }
});
$("accept").addEventListener("click", accept);
$("take").addEventListener("click", take);
$("next").addEventListener("click", () => go(1));
$("previous").addEventListener("click", () => go(-1));
$("finish").addEventListener("click", finish);
fetch("units").then((answer) => answer.json()).then((found) => {
  units = found;
  show();
});
