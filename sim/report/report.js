"use strict";
// Text from a run is only ever set as text, never as markup.
(() => {
  const form = document.getElementById("form");
  if (!form) return;
  const field = document.getElementById("words");
  const status = document.getElementById("status");
  const hits = document.getElementById("hits");
  const more = document.getElementById("more");
  const STEP = 20;
  let visits = null;
  let haystacks = null;
  let found = [];
  let shown = 0;

  function load() {
    if (visits) return;
    visits = JSON.parse(document.getElementById("dialogues").textContent);
    haystacks = visits.map((one) =>
      [one.v, one.c, one.t, one.a, ...one.l.flat()].join("\n").toLowerCase());
  }

  function add(parent, name, text) {
    const child = document.createElement(name);
    if (text !== undefined) child.textContent = text;
    parent.appendChild(child);
    return child;
  }

  function marked(parent, text, words) {
    const low = text.toLowerCase();
    // Some letters change their length with their case; then nothing is marked rather than the wrong part.
    const exact = low.length === text.length;
    let at = 0;
    while (exact && at < text.length) {
      let next = -1;
      let size = 0;
      for (const word of words) {
        const place = low.indexOf(word, at);
        if (place >= 0 && (next < 0 || place < next)) [next, size] = [place, word.length];
      }
      if (next < 0) break;
      parent.append(text.slice(at, next));
      add(parent, "mark", text.slice(next, next + size));
      at = next + size;
    }
    parent.append(text.slice(at));
  }

  function show(visit, words, open) {
    const box = add(add(hits, "li"), "details");
    box.open = open;
    const where = visit.a ? `, ${visit.a}` : "";
    add(box, "summary", `${visit.t}, ${visit.c}, visit ${visit.v}${where}`);
    const turns = add(box, "ol");
    turns.className = "turns";
    for (const [who, text] of visit.l) {
      const line = add(turns, "li");
      add(line, "b", who);
      line.append(": ");
      marked(add(line, "q"), text, words);
    }
  }

  function step(words) {
    const next = found.slice(shown, shown + STEP);
    next.forEach((visit, place) => show(visit, words, shown + place < 3));
    shown += next.length;
    more.hidden = shown >= found.length;
    const count = found.length === 1 ? "1 visit" : `${found.length} visits`;
    status.textContent = found.length ? `${count} found, ${shown} shown` : "Nothing found.";
  }

  function asked() {
    return field.value.toLowerCase().split(/\s+/).filter(Boolean);
  }

  function search() {
    load();
    const words = asked();
    hits.replaceChildren();
    shown = 0;
    found = words.length ? visits.filter((_, n) => words.every((word) => haystacks[n].includes(word))) : [];
    if (words.length) return step(words);
    more.hidden = true;
    status.textContent = "Give at least one word.";
  }

  form.addEventListener("submit", (event) => { event.preventDefault(); search(); });
  more.addEventListener("click", () => {
    const before = hits.children.length;
    step(asked());
    // The button may be gone now: who uses the keyboard goes on at the first new visit.
    hits.children[before]?.querySelector("summary").focus();
  });
})();
