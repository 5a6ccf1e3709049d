// Checks the site as rendered by a browser. Runs in a separate page; errors are written to #report.
"use strict";
(async () => {
  const wrong = [];
  const check = (holds, what) => { if (!holds) wrong.push(what); };
  const frame = document.createElement("iframe");
  document.body.append(frame);

  const open = (address, width = 1280) => new Promise((done) => {
    frame.style.cssText = `border: 0; width: ${width}px; height: 900px`;
    frame.onload = () => done(frame.contentDocument);
    // The same address again would only be scrolled.
    frame.src = "about:blank";
    frame.onload = () => { frame.onload = () => setTimeout(() => done(frame.contentDocument), 20); frame.src = address; };
  });
  const type = (page, text) => {
    const query = page.getElementById("query");
    query.value = text;
    query.dispatchEvent(new Event("input"));
    return [...page.querySelectorAll("#results [role=option] strong")].map((name) => name.textContent);
  };
  const key = (target, name) =>
    target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));

  // Contrast as WCAG counts it.
  const numbers = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const color = numbers(frame.contentWindow.getComputedStyle(e).backgroundColor);
      if (color.length === 3 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  const contrasts = (page, name) => {
    const seen = new Set();
    for (const element of page.querySelectorAll("body *")) {
      const style = frame.contentWindow.getComputedStyle(element);
      const says = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
      if (!says || style.opacity === "0" || element.offsetParent === null) continue;
      const [a, b] = [luminance(numbers(style.color)), luminance(behind(element))];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      const what = `${name}: contrast ${ratio.toFixed(2)} of <${element.tagName.toLowerCase()} class="${element.className}">`;
      if (ratio < 4.5 && !seen.has(what)) { seen.add(what); wrong.push(what); }
    }
  };

  const pages = ["index.html", "metaparameters.html", ...window.searchIndex.filter((r) => r[1] === "type").map((r) => r[4])];
  for (const address of pages) {
    const page = await open(address);
    check(page.querySelectorAll("h1").length === 1, `${address}: one h1`);
    for (const part of ["header", "nav", "main", "footer"]) check(page.querySelector(`body > ${part}, .columns > ${part}`), `${address}: ${part}`);
    for (const element of page.querySelectorAll("[src], link[href]")) {
      check(!/^https?:/.test(element.getAttribute("src") || element.getAttribute("href")), `${address}: loads from elsewhere`);
    }
    const root = page.documentElement;
    check(root.scrollWidth <= root.clientWidth, `${address}: wider than 1280`);
    contrasts(page, address);
    const narrow = await open(address, 360);
    check(narrow.documentElement.scrollWidth <= 360, `${address}: ${narrow.documentElement.scrollWidth} wide in 360`);
  }

  for (const [query, expected] of [
    ["mount options", "mount › options"],
    ["mount", "mount"],
    ["user shell", "user › shell"],
    ["loglevel", "loglevel"],
    ["dpkg", "alternatives › dpkg"],
  ]) {
    const page = await open("types/user.html");
    const found = type(page, query);
    check(found.slice(0, 3).includes(expected), `searching "${query}" finds ${found.slice(0, 5).join(", ") || "nothing"}`);
  }
  {
    const page = await open("index.html");
    check(type(page, "no such thing at all").length === 0 && page.querySelector("#results .none"), "nothing found is said");
    type(page, "");
    check(page.getElementById("results").hidden, "an empty search shows nothing");
    page.getElementById("query").blur();
    key(page.body, "/");
    check(page.activeElement === page.getElementById("query"), "/ leads to the search");
    type(page, "mount");
    key(page.getElementById("query"), "ArrowDown");
    check(page.querySelectorAll("#results [aria-selected=true]").length === 1, "arrows choose");
    await new Promise((done) => { frame.onload = done; key(page.getElementById("query"), "Enter"); });
    check(frame.contentDocument.querySelector("h1").textContent === "mount", "Enter opens what is chosen");
    key(frame.contentDocument.getElementById("query"), "Escape");
  }
  for (const address of pages) {
    const page = await open(address);
    const color = () => frame.contentWindow.getComputedStyle(page.body).backgroundColor;
    const before = color();
    page.getElementById("theme").click();
    check(color() !== before, `${address}: the button changes the colours`);
    contrasts(page, `${address}, other colours`);
    page.getElementById("theme").click();
    check(color() === before, `${address}: and back`);
  }
  const report = document.createElement("pre");
  report.id = "report";
  report.textContent = wrong.length ? wrong.join("\n") : `all well: ${pages.length} pages on ${frame.contentWindow.getComputedStyle(frame.contentDocument.body).backgroundColor}`;
  document.body.append(report);
  document.title = "done";
})();
