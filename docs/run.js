// Listings of the book come in. A click on "Edit and run" puts the page of rules (`web/`) in the place of its listing, in a frame of its own. The files of the page
// lie in the folder `page` beside the book: `cgdsl page --out docs/book/page` writes them. Nothing is loaded before the first click, and nothing from elsewhere.
"use strict";
(() => {
  const words = {
    run: "Edit and run",
    runs: (name) => `Edit and run ${name}`,
    close: "Back to the listing",
    frame: (name) => `${name}: rules and answers`,
    loading: "loading …",
    file: "A browser runs the engine only from a server of files. Hand the book out with one, such as: python3 -m http.server -d docs/book",
    missing: "The files of the page are not beside this book. Where the program is installed, this writes them: cgdsl page --out docs/book/page",
    other: (name) => `Without them, save the listing as ${name} and run: cgdsl eval ${name}`,
  };

  const page = new URL(`${path_to_root}page/`, location.href);
  const listings = [...document.querySelectorAll("pre > code.language-rules")].map((code) => {
    const text = code.textContent;
    // The documents name a file on its first line; the commands below use the name.
    const [, name] = /^\/\/ ([^\s/\\]+\.rules)$/m.exec(text.split("\n", 1)[0]) ?? [];
    return { code, text, name };
  });

  const el = (tag, attributes, ...children) => {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) typeof value === "function" ? (node[key] = value) : node.setAttribute(key, value);
    node.append(...children);
    return node;
  };
  const follows = (one, other) => Boolean(one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);

  /** What the commands of the page ask of a listing, as queries: the `-e` of `cgdsl eval NAME`, up to the next listing of that name. */
  function queries(listing) {
    const next = listings.find((l) => l !== listing && l.name === listing.name && follows(listing.code, l.code));
    const found = [];
    for (const console of document.querySelectorAll("pre > code.language-console")) {
      if (!listing.name || !follows(listing.code, console) || (next && follows(next.code, console))) continue;
      for (const line of console.textContent.split("\n"))
        if (line.startsWith(`$ cgdsl eval ${listing.name} `)) for (const [, one, two] of line.matchAll(/ -e (?:'([^']*)'|"([^"]*)")/g)) found.push(`eval ${one ?? two}\n`);
    }
    return found;
  }

  /** The text as it stands: in its frame, if that is open. */
  const current = (l) => l.frame?.contentWindow?.cgdsl?.text?.() ?? l.text;

  function state(listing) {
    const asked = queries(listing);
    const before = listings.filter((l) => l.name && l.name !== listing.name && follows(l.code, listing.code));
    return {
      name: listing.name ?? "listing.rules",
      text: asked.length ? `${listing.text.trimEnd()}\n\n${asked.join("")}` : listing.text,
      files: Object.fromEntries(before.map((l) => [l.name, current(l)])),
    };
  }

  const dark = () => ["navy", "coal", "ayu"].some((theme) => document.documentElement.classList.contains(theme));
  function colour(frame) {
    const root = frame.contentDocument?.documentElement;
    if (root) root.dataset.theme = dark() ? "dark" : "light";
  }
  new MutationObserver(() => listings.forEach((l) => l.frame && colour(l.frame))).observe(document.documentElement, { attributeFilter: ["class"] });

  async function open(listing) {
    const { button, said } = listing;
    const name = listing.name ?? "listing.rules";
    const refuse = (why) => (said.textContent = `${why}\n${words.other(name)}`);
    if (location.protocol === "file:") return refuse(words.file);
    button.disabled = true;
    said.textContent = words.loading;
    try {
      const { pack } = await import(new URL("share.js", page));
      const frame = el("iframe", { class: "rules-frame", title: words.frame(name), src: `${page}index.html?embed=flow#${await pack(state(listing))}` });
      frame.onload = () => {
        colour(frame);
        // The frame is as high as what it shows.
        const body = frame.contentDocument.body;
        new ResizeObserver(() => (frame.style.height = `${body.offsetHeight + 2}px`)).observe(body);
      };
      listing.frame = frame;
      listing.code.parentElement.after(frame);
      listing.code.parentElement.hidden = true;
      said.textContent = "";
      button.textContent = words.close;
    } catch {
      refuse(words.missing);
    }
    button.disabled = false;
  }

  function close(listing) {
    listing.frame.remove();
    listing.frame = undefined;
    listing.code.parentElement.hidden = false;
    listing.button.textContent = words.run;
  }

  for (const listing of listings) {
    listing.button = el("button", { type: "button", onclick: () => (listing.frame ? close(listing) : open(listing)), "aria-label": words.runs(listing.name ?? "this listing") }, words.run);
    listing.said = el("span", { role: "status" });
    listing.code.parentElement.after(el("div", { class: "rules-run" }, listing.button, listing.said));
  }
})();
