"use strict";

let file = null;
const SHOWN = 500;
const $ = (id) => document.getElementById(id);

async function post(path) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/octet-stream", "X-File-Name": encodeURIComponent(file.name) },
    body: file,
  });
  if (!answer.ok) throw new Error((await answer.json()).error);
  return answer;
}

async function attempt(doing, work) {
  $("said").textContent = doing;
  document.body.inert = true;
  try {
    $("said").textContent = await work();
  } catch (error) {
    $("said").textContent = error.message || "That did not work: look at the terminal.";
  }
  document.body.inert = false;
}

function row(sentence) {
  const cells = [sentence.text, sentence.sent || sentence.handling].map((text) => {
    const cell = document.createElement("td");
    cell.textContent = text;
    return cell;
  });
  cells[1].className = sentence.sent ? "" : "stays";
  const made = document.createElement("tr");
  made.append(...cells);
  return made;
}

async function preview() {
  const { sentences, receivers } = await (await post("preview")).json();
  const sent = sentences.filter((sentence) => sentence.sent).length;
  $("leaves").textContent = sent
    ? `Encoded text would go to ${receivers.join(", ")}`
    : "Nothing would leave this machine";
  $("counts").textContent = `${sentences.length} different sentences, ${sent} of them sent encoded.` +
    (sentences.length > SHOWN ? ` The first ${SHOWN} are shown.` : "") +
    (sent ? " If an answer loses a word, that word is replaced anew and the sentence sent again." : "");
  $("sentences").replaceChildren(...sentences.slice(0, SHOWN).map(row));
  $("plan").hidden = false;
  return "";
}

async function translate() {
  const answer = await post("translate");
  URL.revokeObjectURL($("save").href);
  $("save").href = URL.createObjectURL(await answer.blob());
  $("save").download = file.name;
  $("save").textContent = `Save ${file.name}`;
  $("save").hidden = false;
  const left = Number(answer.headers.get("X-Prism-Left"));
  const check = Number(answer.headers.get("X-Prism-To-Look-At"));
  return `Translated. Sentences left in the source language: ${left}; to look at: ${check}.`;
}

function choose(chosen) {
  if (!chosen) return;
  file = chosen;
  $("plan").hidden = $("save").hidden = true;
  attempt(`Reading ${file.name}; nothing is sent …`, preview);
}

$("file").addEventListener("change", (event) => choose(event.target.files[0]));
$("translate").addEventListener("click", () => attempt("Translating …", translate));
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  choose(event.dataTransfer.files[0]);
});
