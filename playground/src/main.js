import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { load, RtypeError } from "../../crates/wasm/npm/index.js";
import EXAMPLES from "examples";
import * as languages from "./languages.js";
import { decode, encode, inflate } from "./share.js";
import { warmUp } from "./warm.js";
import { element, markdown, problem, table } from "./view.js";

const PANES = ["types", "resources", "state"];
const DELAY = 120;
const editors = {};
let rtype;
let timer;
// What the tests wait for.
const shown = { version: 0, milliseconds: null };
window.playground = shown;

const byId = (id) => document.getElementById(id);
const texts = () => Object.fromEntries(PANES.map((pane) => [pane, editors[pane].state.doc.toString()]));

const theme = EditorView.theme({
  "&": { backgroundColor: "var(--back)", color: "var(--text)", fontSize: "13px" },
  ".cm-scroller": { fontFamily: 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace' },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--muted)", border: "none" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-selectionBackground, &.cm-focused .cm-selectionBackground": { backgroundColor: "var(--selection) !important" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-tooltip-autocomplete ul li[aria-selected] .cm-completionDetail": { color: "var(--on-accent)" },
  ".cm-completionDetail": { color: "var(--muted)" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)" },
  ".cm-diagnosticAction": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--selection)" },
});

function editor(pane, label) {
  const complete = (context) => {
    if (!rtype || (!context.explicit && !context.matchBefore(/[\w.]$/))) return null;
    const found = rtype.complete(texts(), pane, context.pos);
    const option = (item) => ({ ...item, detail: item.detail === item.label ? "" : item.detail, info: item.info ? () => markdown(item.info) : undefined });
    return found.options.length ? { from: found.from, options: found.options.map(option), validFor: /^\w*[?]?$/ } : null;
  };
  const hover = (view, position) => {
    const found = rtype?.hover(texts(), pane, position);
    return found ? { pos: found.from, end: found.to, above: true, create: () => ({ dom: markdown(found.markdown) }) } : null;
  };
  return new EditorView({
    parent: document.querySelector(`#${pane} .editor`),
    extensions: [
      lineNumbers(), history(), drawSelection(), bracketMatching(), closeBrackets(), lintGutter(), indentUnit.of("  "), EditorState.tabSize.of(2),
      autocompletion({ override: [complete] }), hoverTooltip(hover), syntaxHighlighting(classHighlighter),
      pane === "types" ? languages.types() : languages.resources(), theme,
      keymap.of([{ key: "Alt-Shift-f", run: () => (format(), true) }, ...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
      EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off" }),
      EditorView.updateListener.of((update) => update.docChanged && schedule()),
    ],
  });
}

function schedule() {
  clearTimeout(timer);
  timer = setTimeout(update, DELAY);
}

function update() {
  if (!rtype) return;
  const now = texts();
  const begun = performance.now();
  let found, declared;
  try {
    found = rtype.check(now, { profile: byId("profile").value });
    declared = rtype.declare(now);
  } catch (error) {
    if (!(error instanceof RtypeError)) throw error;
    byId("status").textContent = error.message;
    shown.version += 1;
    return;
  }
  shown.milliseconds = performance.now() - begun;
  const key = (d) => `${d.code} ${d.labels[0]?.pane} ${d.labels[0]?.from}`;
  const known = new Set(found.map(key));
  const all = [...found, ...declared.diagnostics.filter((d) => !known.has(key(d)))];
  mark(all);
  byId("status").textContent = summary(all);
  document.querySelector("#problems ol").replaceChildren(...all.map((d) => problem(d, goTo, apply)));
  showResources(declared.resources);
  shown.version += 1;
}

function showResources(resources) {
  const tables = resources.flatMap(table);
  const nothing = element("p", {}, "No resource is declared.");
  document.querySelector("#result .tables").replaceChildren(...(tables.length ? tables : [nothing]));
  document.querySelector("#trace pre").textContent = resources.map((resource) => resource.trace).join("\n");
}

function summary(all) {
  const count = (severity, word) => {
    const number = all.filter((d) => d.severity === severity).length;
    return number ? [`${number} ${word}${number === 1 ? "" : "s"}`] : [];
  };
  const parts = [...count("error", "error"), ...count("warning", "warning"), ...count("note", "note")];
  return `${parts.join(", ") || "Nothing found"} (${shown.milliseconds.toFixed(0)} ms)`;
}

/** Underlines the problems in the editors. */
function mark(all) {
  for (const pane of PANES) {
    const view = editors[pane];
    const end = view.state.doc.length;
    const here = all.filter((d) => d.labels[0]?.pane === pane).map((d) => ({
      from: Math.min(d.labels[0].from, end), to: Math.min(d.labels[0].to, end), severity: d.severity === "note" ? "info" : d.severity,
      source: d.code, message: d.help ? `${d.message}\nhelp: ${d.help}` : d.message,
      actions: d.fix ? [{ name: "Fix", apply: () => apply(d.fix) }] : [],
    }));
    view.dispatch(setDiagnostics(view.state, here));
  }
}

function goTo(place) {
  const view = editors[place.pane];
  view.dispatch({ selection: { anchor: Math.min(place.from, view.state.doc.length) }, scrollIntoView: true });
  view.focus();
}

function apply(fix) {
  for (const pane of PANES) {
    const changes = fix.edits.filter((edit) => edit.pane === pane).map(({ from, to, text }) => ({ from, to, insert: text }));
    if (changes.length) {
      editors[pane].dispatch({ changes });
      editors[pane].focus();
    }
  }
}

function format() {
  if (!rtype) return;
  for (const pane of PANES) {
    const view = editors[pane];
    const before = view.state.doc.toString();
    if (!before.trim()) continue;
    const { text } = rtype.format(before, { language: pane });
    if (text === undefined || text === before) continue;
    const anchor = Math.min(view.state.selection.main.head, text.length);
    view.dispatch({ changes: { from: 0, to: before.length, insert: text }, selection: { anchor } });
  }
}

function fill(given) {
  for (const pane of PANES) {
    const view = editors[pane];
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: given[pane] }, selection: { anchor: 0 } });
  }
}

async function share() {
  setFragment(await encode(texts()));
  let said = "The address bar has the link";
  try {
    await navigator.clipboard.writeText(location.href);
    said = "The link is copied";
  } catch { /* Without the permission the address bar is enough. */ }
  byId("status").textContent = said;
}

function setFragment(fragment) {
  window.history.replaceState(null, "", `#${fragment}`);
}

function chooseTheme(name) {
  document.documentElement.dataset.theme = name;
  byId("theme").setAttribute("aria-pressed", String(name === "dark"));
  byId("theme").textContent = name === "dark" ? "Light" : "Dark";
}

function rememberedTheme() {
  try { return localStorage.getItem("rtype-theme"); } catch { return null; }
}

function setUpTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => rememberedTheme() ?? (system.matches ? "dark" : "light");
  chooseTheme(chosen());
  system.addEventListener("change", () => chooseTheme(chosen()));
  byId("theme").addEventListener("click", () => {
    const name = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    chooseTheme(name);
    try { localStorage.setItem("rtype-theme", name); } catch { /* It counts until the page is closed. */ }
  });
}

async function start() {
  setUpTheme();
  // Other threads compile while the editors are made.
  const loading = inflate(window.RTYPE_WASM).then((bytes) => WebAssembly.compile(bytes));
  delete window.RTYPE_WASM;
  const warm = loading.then((module) => warmUp(module, { ...EXAMPLES[0], profile: "default" }));
  editors.types = editor("types", "Type definition");
  editors.resources = editor("resources", "Resources");
  editors.state = editor("state", "Current state");
  byId("example").append(...EXAMPLES.map((example, index) => element("option", { value: index }, example.name)));
  byId("example").addEventListener("change", (event) => fill(EXAMPLES[event.target.value]));
  byId("profile").addEventListener("change", schedule);
  byId("format").addEventListener("click", format);
  byId("share").addEventListener("click", share);
  const read = async () => decode(location.hash.slice(1));
  window.addEventListener("hashchange", async () => { const given = await read(); if (given) fill(given); });
  fill((await read()) ?? EXAMPLES[0]);
  await warm;
  rtype = await load(loading);
  clearTimeout(timer);
  update();
}

start().catch((error) => { byId("status").textContent = `The page could not start: ${error.message}`; throw error; });
