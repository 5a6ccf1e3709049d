// A browser compiles each function of a module when it is first called, which takes most of the time of the first check. All threads share
// what is compiled: one in the background calls the functions first, while the page makes its editors.

const PATIENCE = 500;

// The interface of crates/wasm/src/abi.rs.
const WORKER = `onmessage = ({ data: { module, requests } }) => {
  const { memory, rtype_request, rtype_call } = new WebAssembly.Instance(module, {}).exports;
  for (const request of requests) {
    const bytes = new TextEncoder().encode(request);
    const at = rtype_request(bytes.length) >>> 0;
    new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
    rtype_call();
  }
  postMessage(null);
};`;

/** Checks and declares the texts on another thread. Without one, the first check takes longer. */
export async function warmUp(module, { types, resources, state, profile }) {
  const requests = [{ method: "check", profile }, { method: "declare" }].map((request) => JSON.stringify({ ...request, types, resources, state }));
  const address = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
  let worker;
  try {
    await new Promise((resolve) => {
      setTimeout(resolve, PATIENCE);
      worker = new Worker(address);
      worker.onmessage = worker.onerror = resolve;
      worker.postMessage({ module, requests });
    });
  } catch { /* Not every browser lets a page that was opened as a file start one. */ }
  worker?.terminate();
  URL.revokeObjectURL(address);
}
