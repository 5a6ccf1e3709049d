// Asks language servers for YAML and JSON what an editor asks them about a resource file with rtype's schema.
//
//   node check.mjs SCHEMA
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const schema = pathToFileURL(process.argv[2]).href;
const PATIENCE = 60_000;

/** A language server, and what it published. */
class Server {
  constructor(program, settings) {
    this.child = spawn(process.execPath, [`node_modules/.bin/${program}`, "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
    this.settings = settings;
    this.answers = new Map();
    this.published = new Map();
    this.last = 0;
    let buffer = Buffer.alloc(0);
    this.child.stdout.on("data", (chunk) => {
      buffer = Buffer.concat([buffer, chunk]);
      for (;;) {
        const head = buffer.indexOf("\r\n\r\n");
        if (head < 0) return;
        const begin = head + 4;
        const length = Number(/Content-Length: (\d+)/i.exec(buffer.subarray(0, head).toString())[1]);
        if (buffer.length < begin + length) return;
        this.receive(JSON.parse(buffer.subarray(begin, begin + length)));
        buffer = buffer.subarray(begin + length);
      }
    });
  }

  receive(message) {
    if (message.method === "textDocument/publishDiagnostics") {
      this.published.get(message.params.uri)?.(message.params.diagnostics);
    } else if (message.method && message.id !== undefined) {
      this.send({ id: message.id, result: this.answer(message) });
    } else if (message.id !== undefined) {
      this.answers.get(message.id)?.(message);
    }
  }

  /** What a client answers. */
  answer({ method, params }) {
    if (method === "workspace/configuration") return params.items.map((item) => this.settings[item.section] ?? null);
    if (method === "vscode/content") return readFileSync(new URL(params), "utf8");
    return null;
  }

  send(message) {
    const text = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.child.stdin.write(`Content-Length: ${text.length}\r\n\r\n`);
    this.child.stdin.write(text);
  }

  async request(method, params) {
    const id = ++this.last;
    const answer = new Promise((resolve) => this.answers.set(id, resolve));
    this.send({ id, method, params });
    const { result, error } = await within(answer, method);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  async start() {
    await this.request("initialize", {
      processId: process.pid,
      rootUri: null,
      initializationOptions: { provideFormatter: false, handledSchemaProtocols: ["file"] },
      capabilities: {
        workspace: { configuration: true, didChangeConfiguration: { dynamicRegistration: true } },
        textDocument: { completion: { completionItem: { snippetSupport: false } }, publishDiagnostics: {} },
      },
    });
    this.send({ method: "initialized", params: {} });
    this.send({ method: "workspace/didChangeConfiguration", params: { settings: this.settings } });
  }

  /** Opens a text and returns the diagnostics about it. */
  async open(uri, languageId, text) {
    const published = new Promise((resolve) => this.published.set(uri, resolve));
    this.send({ method: "textDocument/didOpen", params: { textDocument: { uri, languageId, version: 1, text } } });
    return within(published, `diagnostics of ${uri}`);
  }

  /** The labels of the completions. */
  async complete(uri, position) {
    const result = await this.request("textDocument/completion", { textDocument: { uri }, position });
    return (result?.items ?? result ?? []).map((item) => item.label.replace(/^"(.*)"$/, "$1"));
  }
}

function within(promise, what) {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`no answer: ${what}`)), PATIENCE)));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Removes `|` from a text and returns where it was. */
function cursor(marked) {
  const before = marked.slice(0, marked.indexOf("|")).split("\n");
  return { text: marked.replace("|", ""), position: { line: before.length - 1, character: before.at(-1).length } };
}

let failed = 0;
function expect(what, holds, actual) {
  if (holds) return;
  failed++;
  console.error(`${what}: ${JSON.stringify(actual)}`);
}

/** Each case: a text with `|` at the cursor, completions that must be there, and some that must not. */
async function check(server, language, { completions, wrong, right }) {
  await server.start();
  let number = 0;
  const uri = (text) => `file:///resources/${++number}.${text.includes("$schema=") ? "other" : "resources"}.${language}`;
  for (const { at, has, lacks = [] } of completions) {
    const { text, position } = cursor(at);
    const file = uri(text);
    await server.open(file, language, text);
    const labels = await server.complete(file, position);
    for (const label of has) expect(`${language}: completions of\n${at}\nlack ${label}`, labels.includes(label), labels.slice(0, 20));
    for (const label of lacks) expect(`${language}: completions of\n${at}\nhave ${label}`, !labels.includes(label), labels.slice(0, 20));
  }
  for (const [text, line] of wrong) {
    const found = await server.open(uri(text), language, text);
    expect(`${language}: no error in line ${line} of\n${text}`, found.some((d) => d.range.start.line === line), found);
  }
  for (const text of right) {
    const found = await server.open(uri(text), language, text);
    expect(`${language}: errors in\n${text}`, found.length === 0, found);
  }
  server.child.kill();
}

await check(
  new Server("yaml-language-server", {
    yaml: { schemas: { [schema]: "*.resources.yaml" }, validate: true, completion: true, schemaStore: { enable: false } },
  }),
  "yaml",
  {
    completions: [
      { at: "|", has: ["user", "file"] },
      { at: "user:\n  bob:\n    ensure: present\n    |", has: ["uid", "shell", "require"], lacks: ["ensure", "ip"] },
      { at: "user:\n  bob:\n    ensure: |", has: ["present", "absent", "role"] },
      { at: "service:\n  ssh:\n    enable: |", has: ["mask", "delayed"] },
      { at: "- type: user\n  title: bob\n  parameters:\n    ensure: present\n    |", has: ["uid"], lacks: ["ip"] },
      { at: "- type: user\n  title: bob\n  parameters:\n    ensure: |", has: ["role"] },
      { at: "- type: |", has: ["user", "file"] },
      { at: `# yaml-language-server: $schema=${schema}\nuser:\n  bob:\n    ensure: |`, has: ["role"] },
    ],
    wrong: [
      ["user:\n  bob:\n    ensure: present\n    uidd: 1001\n", 3],
      ["user:\n  bob:\n    ensure: instaled\n", 2],
      ["uesr:\n  bob: {}\n", 0],
      ["- type: user\n  title: bob\n  parameters:\n    uidd: 1001\n", 3],
    ],
    right: ["user:\n  bob:\n    uid: 1001\n", "- type: user\n  title: bob\n  parameters: {ensure: absent}\n", "", "User: {bob: {}}\n"],
  },
);

await check(
  new Server("vscode-json-language-server", {
    json: { schemas: [{ fileMatch: ["*.resources.json"], url: schema }], validate: { enable: true } },
  }),
  "json",
  {
    completions: [
      { at: '{\n  "|"\n}', has: ["user", "file"] },
      { at: '{"user": {"bob": {\n  "ensure": "present",\n  "|"\n}}}', has: ["uid", "shell", "require"], lacks: ["ensure", "ip"] },
      { at: '{"user": {"bob": {"ensure": |}}}', has: ["present", "absent", "role"] },
      { at: '{"service": {"ssh": {"enable": |}}}', has: ["mask", "delayed"] },
      { at: '[{"type": "user", "title": "bob", "parameters": {"ensure": "present", "|"}}]', has: ["uid"], lacks: ["ip"] },
      { at: '[{"type": "user", "title": "bob", "parameters": {"ensure": |}}]', has: ["role"] },
      { at: '[{"type": |}]', has: ["user", "file"] },
    ],
    wrong: [
      ['{"user": {"bob": {\n  "uidd": 1001\n}}}', 1],
      ['{"user": {"bob": {\n  "ensure": "instaled"\n}}}', 1],
      ['{\n  "uesr": {"bob": {}}\n}', 1],
      ['[{"type": "user", "title": "bob", "parameters": {\n  "uidd": 1001\n}}]', 1],
    ],
    right: ['{"user": {"bob": {"uid": 1001}}}', '[{"type": "user", "title": "bob", "parameters": {"ensure": "absent"}}]', "{}", '{"User": {"bob": {}}}'],
  },
);

if (failed > 0) {
  console.error(`${failed} failed`);
  process.exit(1);
}
console.log("schemas: completions and errors as expected in YAML and JSON");
