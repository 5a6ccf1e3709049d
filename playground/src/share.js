// The texts in the fragment of the address, compressed. Browsers do not send fragments to servers.

/** The longest fragment in characters, and the longest texts in bytes. A small fragment can be decompressed to a thousand times its size. */
export const LIMIT = 1 << 20;

/** Returns what a stream makes of bytes. Stops reading when the result is longer than `limit`. */
async function pass(bytes, stream, limit = Infinity) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks = [];
  let length = 0;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    length += chunk.value.length;
    if (length > limit) {
      // The decompressor may have failed meanwhile.
      reader.cancel().catch(() => {});
      throw new RangeError(`its texts are longer than ${limit} bytes`);
    }
    chunks.push(chunk.value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

export async function encode(texts) {
  const bytes = await pass(new TextEncoder().encode(JSON.stringify(texts)), new CompressionStream("deflate-raw"));
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return "1." + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Returns the texts of a fragment; null if it has none. If they cannot be read, the first text is a comment with the reason. */
export async function decode(fragment) {
  if (!fragment.startsWith("1.")) return null;
  try {
    if (fragment.length > LIMIT) throw new RangeError(`it is longer than ${LIMIT} characters`);
    const bytes = Uint8Array.from(atob(fragment.slice(2).replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const texts = JSON.parse(new TextDecoder().decode(await pass(bytes, new DecompressionStream("deflate-raw"), LIMIT)));
    const text = (name) => (typeof texts[name] === "string" ? texts[name] : "");
    return { types: text("types"), resources: text("resources"), state: text("state") };
  } catch (error) {
    const reason = error instanceof RangeError ? error.message : "it is damaged";
    return { types: `# The link cannot be read: ${reason}.\n`, resources: "", state: "" };
  }
}

export async function inflate(base64) {
  return pass(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)), new DecompressionStream("gzip"));
}
