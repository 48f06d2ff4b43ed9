// Converts the state of the page to the fragment of a link, and back. A link begins with the version of its format: `1` is
// JSON, compressed with deflate-raw and encoded in base64url. Old versions will always be read. The state consists of a text,
// its name, and the files that it uses, if any.

/** The longest state that a link may hold, unpacked: a small link must not fill the memory. */
const LONGEST = 1 << 20;

async function through(bytes, stream, most = Infinity) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new Error("the link holds too much");
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

export async function pack(state) {
  const packed = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  return `1.${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** The state; throws with a sentence for the reader where the link is broken. */
export async function unpack(fragment) {
  const dot = fragment.indexOf(".");
  const version = fragment.slice(0, dot);
  if (version !== "1") throw new Error(`this page reads links of version 1, and this one has version ${version.slice(0, 8) || "none"}`);
  let state;
  try {
    const text = atob(fragment.slice(dot + 1).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
    state = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(await through(bytes, new DecompressionStream("deflate-raw"), LONGEST)));
  } catch (e) {
    throw new Error(e.message === "the link holds too much" ? e.message : "the link is incomplete: copy it whole");
  }
  if (typeof state?.text !== "string") throw new Error("the link holds no rules");
  const files = Object.entries(state.files ?? {}).filter(([, text]) => typeof text === "string");
  return { text: state.text, name: typeof state.name === "string" ? state.name : "", files: Object.fromEntries(files) };
}
