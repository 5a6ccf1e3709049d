// Builds the page into target/playground: four files that work from any directory, without a server and without network.
import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const here = new URL(".", import.meta.url);
const dist = new URL("../target/playground/", here);
const root = new URL("../", here);
const LIMIT = 1.65e6;

/** The examples: a type, resources and a current state from the repository. */
async function examples() {
  const list = JSON.parse(await readFile(new URL("examples/examples.json", here), "utf8"));
  const read = (path) => (path ? readFile(new URL(path, root), "utf8") : "");
  return Promise.all(list.map(async ({ name, types, resources, state }) => ({
    name, types: await read(types), resources: await read(resources), state: await read(state),
  })));
}

const EXAMPLES = {
  name: "examples",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^examples$/ }, () => ({ path: "examples", namespace: "examples" }));
    onLoad({ filter: /.*/, namespace: "examples" }, async () => ({ contents: JSON.stringify(await examples()), loader: "json" }));
  },
};

/** A file, compressed. */
function zopfli(path, limit) {
  try {
    return execFileSync("zopfli", ["-c", path], { maxBuffer: limit });
  } catch (error) {
    if (error.code === "ENOENT") throw new Error("zopfli is not there: install Debian's package `zopfli`", { cause: error });
    throw error;
  }
}

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await build({
  entryPoints: [new URL("src/main.js", here).pathname], outfile: new URL("playground.js", dist).pathname,
  // Pages that are opened as files cannot load modules.
  bundle: true, format: "iife", minify: true, target: "es2022", legalComments: "none", plugins: [EXAMPLES], external: ["node:fs/promises"],
  define: { "import.meta.url": "''" }, logLevel: "warning",
});
await cp(new URL("index.html", here), new URL("index.html", dist));
await cp(new URL("src/style.css", here), new URL("style.css", dist));
const module = new URL("crates/wasm/npm/rtype.wasm", root);
const wasm = await readFile(module);
// Browsers read what zopfli writes as they read what gzip writes; it is 5 % smaller.
const packed = zopfli(module.pathname, wasm.length);
await writeFile(new URL("rtype.wasm.js", dist), `window.RTYPE_WASM="${packed.toString("base64")}"\n`);

let total = 0;
for (const name of ["index.html", "style.css", "playground.js", "rtype.wasm.js"]) {
  const size = gzipSync(await readFile(new URL(name, dist)), { level: 9 }).length;
  total += size;
  console.log(`${name}: ${size} bytes compressed`);
}
console.log(`all: ${total} bytes compressed, rtype.wasm: ${wasm.length} bytes`);
if (total > LIMIT) throw new Error(`the page is larger than ${LIMIT} bytes`);
