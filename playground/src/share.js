// The texts in the fragment of the address, compressed. Browsers do not send fragments to servers.

const LIMIT = 1 << 20;

async function pass(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

export async function encode(texts) {
  const bytes = await pass(new TextEncoder().encode(JSON.stringify(texts)), new CompressionStream("deflate-raw"));
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return "1." + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Returns the texts of a fragment; null if it has none. */
export async function decode(fragment) {
  if (!fragment.startsWith("1.") || fragment.length > LIMIT) return null;
  try {
    const bytes = Uint8Array.from(atob(fragment.slice(2).replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const texts = JSON.parse(new TextDecoder().decode(await pass(bytes, new DecompressionStream("deflate-raw"))));
    const text = (name) => (typeof texts[name] === "string" ? texts[name].slice(0, LIMIT) : "");
    return { types: text("types"), resources: text("resources"), state: text("state") };
  } catch {
    return null;
  }
}

export async function inflate(base64) {
  return pass(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)), new DecompressionStream("gzip"));
}
