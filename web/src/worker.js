// One engine in a thread of its own. The first message contains the compiled module; every other one is a request with a
// number.
import { start } from "./engine.js";

let number = 0;
let until = Infinity;
let told = 0;
const engine = new Promise((ready) => {
  addEventListener(
    "message",
    (event) => {
      const tell = (item) => postMessage({ number, item });
      const tick = (positions, bytes) => {
        const now = performance.now();
        if (positions > 0 && now - told > 100) {
          told = now;
          postMessage({ number, positions, bytes });
        }
        return now > until;
      };
      ready(start(event.data, { tell, tick }));
      addEventListener("message", answer);
    },
    { once: true },
  );
});

async function answer(event) {
  if (event.data instanceof WebAssembly.Module) return;
  const { number: asked, request, time } = event.data;
  const ready = await engine;
  number = asked;
  until = time ? performance.now() + time : Infinity;
  try {
    postMessage({ number, answer: ready.ask(request), heap: ready.bytes() });
  } catch (e) {
    postMessage({ number, error: e.message });
  }
}
