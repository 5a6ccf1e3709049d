// The interface of rtype.wasm: three functions, requests and responses are JSON (src/abi.rs).

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An error of rtype itself. Mistakes in texts are diagnostics. */
export class RtypeError extends Error {
  name = "RtypeError";
}

export class Rtype {
  #module;
  #instance;

  constructor(module) {
    this.#module = module;
  }

  check(texts, options = {}) {
    return this.#call("check", { ...pick(texts), profile: options.profile }).diagnostics;
  }

  declare(texts) {
    return this.#call("declare", pick(texts));
  }

  format(text, options = {}) {
    return this.#call("format", { text, language: options.language ?? "types", width: options.width });
  }

  complete(texts, pane, offset) {
    return this.#call("complete", { ...pick(texts), pane, offset });
  }

  hover(texts, pane, offset) {
    return this.#call("hover", { ...pick(texts), pane, offset });
  }

  version() {
    return this.#call("version", {});
  }

  #call(method, parameters) {
    const request = encoder.encode(JSON.stringify({ method, ...parameters }));
    let response;
    try {
      this.#instance ??= new WebAssembly.Instance(this.#module, {});
      const { memory, rtype_request, rtype_call, rtype_response } = this.#instance.exports;
      const at = rtype_request(request.length) >>> 0;
      new Uint8Array(memory.buffer, at, request.length).set(request);
      const length = rtype_call() >>> 0;
      response = decoder.decode(new Uint8Array(memory.buffer, rtype_response() >>> 0, length));
    } catch (error) {
      // The memory of an instance that was interrupted cannot be trusted: the next call gets another one.
      this.#instance = undefined;
      throw new RtypeError(`internal error: ${error.message}`, { cause: error });
    }
    const { ok, error } = JSON.parse(response);
    if (error !== undefined) throw new RtypeError(error);
    return ok;
  }
}

/**
 * Compiles the module. `source` is its bytes, a `WebAssembly.Module`, a `Response` or a URL; by default the file next to this one.
 */
export async function load(source) {
  return new Rtype(await compile(await source));
}

async function compile(source) {
  if (source === undefined) return beside();
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof URL || typeof source === "string") return WebAssembly.compile(await (await fetch(source)).arrayBuffer());
  if (typeof Response !== "undefined" && source instanceof Response) return WebAssembly.compile(await source.arrayBuffer());
  return WebAssembly.compile(source);
}

async function beside() {
  const url = new URL("./rtype.wasm", import.meta.url);
  if (url.protocol !== "file:") return WebAssembly.compile(await (await fetch(url)).arrayBuffer());
  const { readFile } = await import("node:fs/promises");
  return WebAssembly.compile(await readFile(url));
}

function pick({ types = "", resources = "", state = "" }) {
  return { types, resources, state };
}
