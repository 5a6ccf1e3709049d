// Tests links of the playground in Node.js: texts are restored unchanged, and reading a link stops when its texts exceed the limit.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { deflateRawSync } from "node:zlib";
import { LIMIT, decode, encode } from "../../playground/src/share.js";

const texts = { types: "type t {}\n# ünïcödé 😀\n", resources: "t { 'a': }\n", state: "" };
assert.deepEqual(await decode(await encode(texts)), texts);
assert.equal(await decode("section"), null);

const link = (json) => `1.${deflateRawSync(json, { level: 9 }).toString("base64url")}`;
const refused = async (fragment, reason) => {
  const { types, resources, state } = await decode(fragment);
  assert.match(types, reason);
  assert.deepEqual([resources, state], ["", ""]);
};
await refused("1.!", /^# The link cannot be read: it is damaged\.\n$/);
await refused(link("{"), /damaged/);
await refused(`1.${"A".repeat(LIMIT)}`, /longer than 1048576 characters/);
await refused(link(JSON.stringify({ types: "x".repeat(LIMIT) })), /longer than 1048576 bytes/);

// A link of 0.9 MB with 700 MB of text. Another process creates the link, because the test measures the memory of this process.
const make = 'process.stdout.write(require("node:zlib").deflateRawSync(Buffer.alloc(700 << 20, " "), { level: 9 }).toString("base64url"))';
const bomb = `1.${execFileSync(process.execPath, ["-e", make], { encoding: "utf8", maxBuffer: LIMIT })}`;
assert.ok(bomb.length < LIMIT, `${bomb.length}`);
const before = process.resourceUsage().maxRSS;
await refused(bomb, /longer than 1048576 bytes/);
const grown = (process.resourceUsage().maxRSS - before) >> 10;
assert.ok(grown < 100, `a link of ${bomb.length >> 10} KB takes ${grown} MB`);
console.log(`a link of ${bomb.length >> 10} KB takes ${grown} MB`);
