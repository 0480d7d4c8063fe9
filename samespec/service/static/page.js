// Sends the two texts to /check and shows the answer. Everything that comes back is shown as text.
"use strict";

const at = (id) => document.getElementById(id);
const SIGN = { true: "✓", false: "✗", null: "?" };
const TONE = { true: "good", false: "bad", null: "open" };

function element(name, text, tone) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (tone) made.className = tone;
  return made;
}

function values(example) {
  const table = element("table");
  const head = element("tr");
  for (const title of ["name", "value"]) {
    const cell = element("th", title);
    cell.scope = "col";
    head.append(cell);
  }
  table.append(head);
  for (const { name, value } of example.bindings) {
    const row = element("tr");
    row.append(element("td", name), element("td", value));
    table.append(row);
  }
  return table;
}

function shown(answer) {
  const parts = [];
  if (answer.error) return [element("p", answer.error.message, "bad")];
  const said = { true: "kept", false: "not kept", null: "undecided" }[answer.kept];
  parts.push(element("h2", `${SIGN[answer.kept]} ${said}`, TONE[answer.kept]));
  for (const t of answer.targets) {
    parts.push(element("h2", `${SIGN[t.kept]} ${t.target}: ${t.verdict}`, TONE[t.kept]));
    if (t.reason) parts.push(element("p", t.reason.message));
    if (t.counterexample) {
      if (t.counterexample.bindings.length) parts.push(values(t.counterexample));
      const list = element("ul");
      for (const line of t.counterexample.trace) list.append(element("li", line));
      list.append(element("li", `${t.counterexample.replayed ? "replayed" : "not replayed"}: ${t.counterexample.replay}`, "faint"));
      parts.push(list);
    }
  }
  for (const change of answer.code_changes ?? []) parts.push(element("p", `code changed: ${change.path}: ${change.what}`, "bad"));
  for (const closure of answer.audit ?? []) {
    for (const f of closure.findings) parts.push(element("p", `${closure.target} leans on ${f.node}: ${f.name} (${f.class}): ${f.what}`, "bad"));
    if (closure.clean) parts.push(element("p", `${closure.target}: nothing in its closure is taken on trust that was not before`, "good"));
  }
  return parts;
}

at("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = at("answer");
  answer.replaceChildren(element("p", "checking…", "faint"));
  const request = {
    original: at("original").value,
    submitted: at("submitted").value,
    strict: at("strict").checked,
    audit: at("audit").checked,
    mode: at("proof").checked ? "proof" : "contract",
  };
  try {
    const response = await fetch("check", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
    });
    const body = await response.json();
    if (response.ok) answer.replaceChildren(...shown(body));
    else {
      const said = Array.isArray(body.detail) ? body.detail.map((p) => `${p.field}: ${p.message}`).join("; ") : body.detail;
      answer.replaceChildren(element("p", `${response.status}: ${said}`, "bad"));
    }
  } catch (error) {
    answer.replaceChildren(element("p", `the service did not answer: ${error.message}`, "bad"));
  }
});
