// The service worker: caches the files of the page, so that it works offline. `build.mjs` inserts their names.
const FILES = /* FILES */;
const NAME = /* NAME */;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((all) => Promise.all(all.filter((n) => n.startsWith("cgdsl-") && n !== NAME).map((n) => caches.delete(n))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  event.respondWith(caches.match(event.request, { ignoreSearch: true, cacheName: NAME }).then((kept) => kept ?? fetch(event.request)));
});
