// Keys, the switches and the live stream's bounds. Everything here has a button or a link that works without it.
(() => {
  "use strict";
  const root = document.documentElement;
  const stored = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
  const store = (name, value) => { try { localStorage.setItem(name, value); } catch { /* a browser that keeps nothing */ } };
  const MOST_ROWS = 200; // in a live list: the page stays as small after a day as after a minute
  root.classList.add("scripts");
  if (stored("theme")) root.dataset.theme = stored("theme");
  let keysOn = stored("keys") !== "off";
  let waiting = ""; // "g", after which a second key goes somewhere

  const rows = () => [...document.querySelectorAll("[data-list] .row, .rows .row")];
  const here = () => document.querySelector(".row.here"); // that j and k are at; a list that is renewed has none
  const typing = (target) => target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]");
  const press = (key) => { const found = document.querySelector(`[data-key="${key}"]`); if (found) found.click(); return found; };

  function move(by) {
    const all = rows();
    if (!all.length) return;
    const next = all[Math.min(all.length - 1, Math.max(0, all.indexOf(here()) + by))];
    all.forEach((row) => row.classList.toggle("here", row === next));
    next.querySelector("[data-open], button")?.focus(); // what is in the trash has nothing to open
    next.scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape" && typing(event.target)) {
      if (event.target.type === "search") event.preventDefault(); // a browser would empty it, over what it found
      event.target.blur();
      return;
    }
    if (event.repeat && !["j", "k"].includes(event.key)) return; // a key that is held decides once
    if (!keysOn || typing(event.target) || document.querySelector("dialog[open]")) return;
    if (waiting) {
      const link = [...document.querySelectorAll("[data-go]")].find((each) => each.dataset.go === event.key);
      waiting = "";
      if (link) { event.preventDefault(); link.click(); }
      return;
    }
    const act = {
      "/": () => document.querySelector("[data-search]")?.focus(),
      j: () => move(1),
      k: () => move(-1),
      Escape: () => history.back(),
      x: () => here()?.querySelector("[data-select]")?.click(),
      g: () => { waiting = "g"; },
      "?": () => document.getElementById("keys")?.showModal(),
    }[event.key];
    if (act) { event.preventDefault(); act(); return; }
    const record = here()?.querySelector('[data-open][href^="/record?"]');
    if (event.key === "e" && record) { event.preventDefault(); location.href = `${record.href}&edit=1`; return; }
    const name = event.key === " " ? "space" : event.key;
    if (event.target.closest("a, button, summary") && (name === "space" || name === "Enter")) return;
    if (/^[a-z]+$/.test(name) && press(name)) event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-keys-help]")) document.getElementById("keys").showModal();
    if (event.target.closest("[data-theme-switch]")) {
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      store("theme", root.dataset.theme);
    }
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-submit]")) {
      const now = new URLSearchParams(location.search); // the question may have changed since the page was loaded
      for (const kept of event.target.form.querySelectorAll("[data-kept]")) {
        kept.value = now.get(kept.name) ?? "";
        kept.disabled = !kept.value;
      }
      event.target.form.submit();
    }
    if (event.target.matches(".filters [name=project]")) document.getElementById("project").value = event.target.value;
    if (event.target.matches("[data-keys-on]")) { keysOn = event.target.checked; store("keys", keysOn ? "on" : "off"); }
  });
  const box = document.querySelector("[data-keys-on]");
  if (box) box.checked = keysOn;

  document.addEventListener("htmx:configRequest", (event) => { // an address has only the filters that are set
    const given = event.detail.formData;
    for (const [name, value] of [...given.entries()]) if (value === "") given.delete(name);
  });

  document.addEventListener("htmx:beforeSwap", (event) => { // a refusal is shown where the results would be
    const { xhr: { status, responseText } } = event.detail;
    if (status === 401) location.reload(); // the log-in
    else if (status >= 400 && responseText.includes("<main")) {
      Object.assign(event.detail, { shouldSwap: true, selectOverride: "main > *", swapOverride: "innerHTML" });
    } else if (status >= 400) lost(true); // of something between
  });

  // --- The live stream, and a server that does not answer ---
  const lost = (is) => { const note = document.getElementById("lost"); if (note) note.hidden = !is; };
  document.addEventListener("htmx:sseOpen", () => lost(false));
  document.addEventListener("htmx:sseError", () => lost(true));
  document.addEventListener("htmx:sendError", () => lost(true));
  document.addEventListener("htmx:afterRequest", (event) => { if (event.detail.successful) lost(false); });
  document.addEventListener("htmx:sseMessage", (event) => {
    const list = event.target.closest("[data-live]");
    if (!list) return;
    list.querySelector(".empty")?.remove();
    list.firstElementChild?.classList.add("new");
    const known = new Set();
    for (const row of [...list.children]) { // a record that changed comes again: its newest row stays
      const link = row.querySelector("[data-open]")?.getAttribute("href");
      if (link && known.has(link)) row.remove(); else known.add(link);
    }
    while (list.children.length > MOST_ROWS) list.lastElementChild.remove();
  });
})();
