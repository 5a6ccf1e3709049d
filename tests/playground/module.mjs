// Tests rtype.wasm in Node.js: as a package that is installed in a new directory, with sizes, times, and input that nests too deeply.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = new URL("../../", import.meta.url).pathname;
const read = (path) => readFileSync(join(root, path), "utf8");

// The package, as `npm publish` would send it.
const work = mkdtempSync(join(tmpdir(), "rtype-wasm-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
const npm = (directory, ...words) => execFileSync("npm", words, { cwd: directory, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
const packed = npm(join(root, "crates/wasm/npm"), "pack", "--silent", "--pack-destination", work).trim().split("\n").pop();
const contents = execFileSync("tar", ["tzf", join(work, packed)], { encoding: "utf8" }).trim().split("\n").sort();
assert.deepEqual(contents, ["index.d.ts", "index.js", "package.json", "rtype.wasm"].map((name) => `package/${name}`));
writeFileSync(join(work, "package.json"), '{ "type": "module", "private": true }');
npm(work, "install", "--offline", "--no-audit", "--no-fund", "--no-save", join(work, packed));
const { load, Rtype, RtypeError } = await import(pathToFileURL(join(work, "node_modules/@rtype/wasm/index.js")));

// The declarations name what there is.
const declared = read("crates/wasm/npm/index.d.ts").match(/export declare class Rtype \{[^]*?\n\}/)[0];
const methods = [...declared.matchAll(/^ {2}(\w+)\(/gm)].map((match) => match[1]).sort();
assert.deepEqual(methods, Object.getOwnPropertyNames(Rtype.prototype).sort());

const types = read("examples/guide/types/backup.rtype");
const resources = read("examples/guide/site.pp");
const rtype = await load();
const timed = (run) => { const begun = performance.now(); run(); return performance.now() - begun; };
assert.deepEqual(rtype.check({ types, resources }), []);
const again = Math.min(...Array.from({ length: 5 }, () => timed(() => rtype.check({ types, resources }))));

assert.match(rtype.version(), /^\d+\.\d+\.\d+$/);
const wrong = rtype.check({ types: types.replace("aliasvalue gz, gzip", "aliasvalue gz, gizp") });
assert.equal(wrong.length, 1);
assert.equal(wrong[0].code, "RT018");
assert.match(wrong[0].rendered, /did you mean `gzip`\?/);
const [{ from, to, text }] = wrong[0].fix.edits;
assert.equal(types.replace("aliasvalue gz, gzip", "aliasvalue gz, gizp").slice(from, to), "gizp");
assert.equal(text, "gzip");

const state = "backup { 'home': source => '/home', compression => none, keep => 7 }";
const { resources: [home] } = rtype.declare({ types, resources, state });
assert.equal(home.reference, "Backup[Home]");
assert.equal(home.inSync, false);
assert.deepEqual(home.plan, ["compression"]);
assert.match(home.trace, /accepted: `gz` is an alias of `gzip`/);
assert.deepEqual(rtype.format("type a{newparam name{isnamevar}}"), { text: "type a { newparam name { isnamevar } }\n" });
assert.ok(rtype.complete({ types: "type a {\n  newp" }, "types", 15).options.some((option) => option.label === "newparam"));
assert.match(rtype.hover({ types }, "types", types.indexOf("defaultto") + 1).markdown, /defaultto/);
assert.throws(() => rtype.format("", { language: "ruby" }), RtypeError);

// Nesting is a diagnostic at any depth, and never ends the instance.
const NESTS = ["a ? ", "1 ? ", "a ?\n", "(", "[", "{ x: ", "!", "-", "if ", "unless ", "match ", "f(", "a[", "f(a => ", '"#{', "a.b { |x| ", "1 + ", "a && ", "2 ** ", "Array["];
const BODIES = [
  (deep) => `type t { newparam name { isnamevar; munge { |v| ${deep} v } } }`,
  (deep) => `fn f() { ${deep}`,
  (deep) => `const C = ${deep}1`,
  (deep) => `type t { newparam name { isnamevar; type ${deep}String`,
];
const closed = { "(": ")", "[": "]", "f(": ")", "Array[": "]", "{ x: ": " }" };
let tooDeep = 0;
let calls = 0;
for (const nest of NESTS) {
  for (const count of [8, 20, 24, 25, 64, 200, 1000, 30000]) {
    for (const body of BODIES) {
      for (const end of new Set(["", (closed[nest] ?? "").repeat(count)])) {
        const text = body(nest.repeat(count) + "1" + end);
        const found = rtype.check({ types: text, resources: text });
        rtype.format(text);
        rtype.declare({ types: text, resources: `file { 'x': content => ${nest.repeat(count)}1${end} }`, state: text });
        tooDeep += found.some((d) => /nest/.test(d.message)) ? 1 : 0;
        calls += 3;
      }
    }
  }
}
assert.ok(tooDeep > 200, `${tooDeep}`);
// Blocks that call themselves, and values that contain themselves.
for (const code of ["fn f(n) { f(n + 1) + 1 }", "fn f(n) { [1].map { |x| f([n]) } }", "fn f(n) { [f([n])] }"]) {
  const found = rtype.declare({ types: `${code}\ntype t { newparam name { isnamevar; munge { |v| f(v) } } }`, resources: "t { 'a': }" });
  assert.ok(found.diagnostics.length > 0, code);
}
const chain = Array.from({ length: 60 }, (_, i) => `  newparam p${i} { munge { |v| self.p${i + 1} = v\n v } }`).join("\n");
rtype.declare({ types: `type t {\n  newparam name { isnamevar }\n${chain}\n  newparam p60\n}`, resources: "t { 'a': p0 => 1 }" });
assert.deepEqual(rtype.check({ types, resources }), []);

// What a check costs, as processor time: the machine may be busy. V8 compiles each function when it is first called, which costs several
// times as much; both are shown.
const TIMED = `import { load } from "@rtype/wasm";
  const rtype = await load();
  const begun = process.cpuUsage();
  rtype.check(JSON.parse(process.argv[2]));
  const { user, system } = process.cpuUsage(begun);
  console.log((user + system) / 1000);`;
writeFileSync(join(work, "timed.mjs"), TIMED);
const cost = (...flags) => {
  const once = () => Number(execFileSync("node", [...flags, "timed.mjs", JSON.stringify({ types, resources })], { cwd: work, encoding: "utf8" }));
  return Math.min(once(), once(), once());
};
const compiled = cost("--no-wasm-lazy-compilation", "--no-wasm-tier-up");
const lazily = cost();
console.log(`module: ok; first check ${compiled.toFixed(0)} ms, with the compilation of its functions ${lazily.toFixed(0)} ms, then ${again.toFixed(1)} ms`);
console.log(`module: ${calls} calls with deeply nested texts, ${tooDeep} with diagnostics about nesting, none trapped`);
