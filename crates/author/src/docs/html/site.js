// Search, light and dark. Nothing here is needed to read the pages.
"use strict";
(() => {
  const root = document.body.dataset.root;
  const query = document.getElementById("query");
  const results = document.getElementById("results");
  const status = document.getElementById("found");
  const MOST = 30;

  // Light or dark: what was chosen, else what the system says.
  const remembered = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  const show = (theme) => { if (theme) document.documentElement.dataset.theme = theme; };
  show(remembered());
  document.getElementById("theme").addEventListener("click", () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const now = document.documentElement.dataset.theme || (dark ? "dark" : "light");
    const next = now === "dark" ? "light" : "dark";
    show(next);
    try { localStorage.setItem("theme", next); } catch { /* A file may have no memory. */ }
  });

  // The list of types is closed where it would push the page away.
  const list = document.querySelector("nav.types details");
  if (matchMedia("(max-width: 60rem)").matches) list.open = false;
  document.querySelector("nav.types [aria-current]")?.scrollIntoView({ block: "nearest" });

  // Every word must be found: best in a name, else in what is said.
  const score = ([type, kind, name, , , words], terms) => {
    let sum = kind === "type" ? 2 : 0;
    for (const term of terms) {
      if (name === term) sum += 20;
      else if (type === term) sum += 14;
      else if (name.startsWith(term)) sum += 10;
      else if (name.includes(term)) sum += 7;
      else if (type.startsWith(term)) sum += 6;
      else if (words.split(/[^a-z0-9_]+/).includes(term)) sum += 4;
      else if (words.includes(term)) sum += 2;
      else return 0;
    }
    return sum;
  };

  const find = (text) => {
    const terms = text.toLowerCase().split(/[\s.:,]+/).filter(Boolean);
    if (terms.length === 0) return [];
    return window.searchIndex
      .map((row) => [score(row, terms), row])
      .filter(([points]) => points > 0)
      .sort((a, b) => b[0] - a[0])
      .map(([, row]) => row);
  };

  const element = (tag, text, name) => {
    const made = document.createElement(tag);
    made.textContent = text;
    if (name) made.className = name;
    return made;
  };

  const close = () => {
    results.hidden = true;
    query.setAttribute("aria-expanded", "false");
    query.removeAttribute("aria-activedescendant");
  };

  const update = () => {
    const text = query.value.trim();
    if (!text) { close(); status.textContent = ""; return; }
    const found = find(text);
    results.replaceChildren(...found.slice(0, MOST).map(([type, kind, name, summary, address], place) => {
      const item = document.createElement("li");
      item.id = `result-${place}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      const link = document.createElement("a");
      link.href = root + address;
      link.tabIndex = -1;
      const head = document.createElement("span");
      head.append(element("strong", kind === "type" || !type ? name : `${type} › ${name}`), " ", element("small", kind));
      link.append(head, element("span", summary, "summary"));
      item.append(link);
      return item;
    }));
    if (found.length === 0) results.replaceChildren(element("li", `Nothing is called or said “${text}”.`, "none"));
    status.textContent = `${found.length} results`;
    results.hidden = false;
    query.setAttribute("aria-expanded", "true");
    query.removeAttribute("aria-activedescendant");
  };

  const options = () => [...results.querySelectorAll("[role=option]")];
  const choose = (step) => {
    const all = options();
    if (all.length === 0) return;
    const now = all.findIndex((option) => option.getAttribute("aria-selected") === "true");
    const next = (now + step + all.length + (now < 0 && step < 0 ? 1 : 0)) % all.length;
    all.forEach((option, place) => option.setAttribute("aria-selected", String(place === next)));
    all[next].scrollIntoView({ block: "nearest" });
    query.setAttribute("aria-activedescendant", all[next].id);
  };

  query.addEventListener("input", update);
  query.addEventListener("focus", update);
  query.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") { choose(1); event.preventDefault(); }
    else if (event.key === "ArrowUp") { choose(-1); event.preventDefault(); }
    else if (event.key === "Escape") { query.value = ""; close(); query.blur(); }
    else if (event.key === "Enter") {
      const all = options();
      const chosen = all.find((option) => option.getAttribute("aria-selected") === "true") || all[0];
      chosen?.querySelector("a").click();
      close();
      query.blur();
    }
  });
  results.addEventListener("click", () => { close(); query.blur(); });
  document.addEventListener("click", (event) => { if (!event.target.closest(".search")) close(); });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      query.focus();
      query.select();
    }
  });

  // Where on the page the reader is.
  const links = new Map([...document.querySelectorAll("aside.contents a")].map((a) => [a.hash.slice(1), a]));
  if (links.size > 0 && "IntersectionObserver" in window) {
    const seen = new Set();
    const watch = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) seen.add(target.id); else seen.delete(target.id);
      }
      const first = [...links.keys()].find((id) => seen.has(id));
      if (!first) return;
      links.forEach((link, id) => link.classList.toggle("here", id === first));
      // Only the list is moved, never the page.
      const [link, box] = [links.get(first), links.get(first).closest("aside")];
      if (link.offsetTop < box.scrollTop || link.offsetTop > box.scrollTop + box.clientHeight - 40) {
        box.scrollTop = link.offsetTop - box.clientHeight / 2;
      }
    }, { rootMargin: "-64px 0px -40% 0px" });
    links.forEach((_, id) => { const target = document.getElementById(id); if (target) watch.observe(target); });
  }
})();
