// Wraps a compiled module in an object that sends requests to the engine. Runs in workers, and in tests under Node.

/** `tell` gets each answer that is ready, `tick` the positions and bytes so far and says whether to end. */
export async function start(module, { tell = () => {}, tick = () => false } = {}) {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let memory;
  let fault = "";
  const text = (at, length) => decoder.decode(new Uint8Array(memory.buffer, at >>> 0, length >>> 0));
  const page = {
    tell: (at, length) => tell(JSON.parse(text(at, length))),
    tick: (positions, bytes) => (tick(positions, bytes) ? 1 : 0),
    failed: (at, length) => {
      fault = text(at, length);
    },
  };
  const instance = await WebAssembly.instantiate(module, { page });
  const { input, run, output } = instance.exports;
  memory = instance.exports.memory;
  return {
    /** The answer as text. An engine that has thrown is not to be asked again. */
    ask(request) {
      const bytes = encoder.encode(JSON.stringify(request));
      const at = input(bytes.length) >>> 0;
      new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
      try {
        const length = run() >>> 0;
        return text(output(), length);
      } catch (e) {
        throw new Error(fault || String(e));
      }
    },
    bytes: () => memory.buffer.byteLength,
  };
}
