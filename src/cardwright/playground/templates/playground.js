"use strict";
// Validates the card as the visitor types. Every text of a result becomes a text node.
(() => {
  const form = document.getElementById("playground");
  const [text, other, dialect, to, guesses, result, file] = ["text", "other", "dialect", "to", "guesses", "result", "file"].map((id) =>
    document.getElementById(id));
  let latest = 0, timer = 0;

  const element = (tag, className, content) => {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (content !== undefined) made.textContent = content;
    return made;
  };
  const place = (one) => one.pointer || "the whole document";

  // Selects the line of a finding, from its column on.
  const go = (line, column) => {
    const lines = text.value.split("\n");
    const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    // Columns count code points, the selection counts UTF-16 units.
    const before = [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
    text.focus();
    text.setSelectionRange(start + before, start + (lines[line - 1] ?? "").length);
    const height = parseFloat(getComputedStyle(text).lineHeight) || 20;
    text.scrollTop = Math.max(0, (line - 4) * height);
  };
  const jump = (line, column, className) => {
    if (!line) return element("span", className, "");
    const button = element("button", `${className} jump`, `${line}:${column}`);
    button.type = "button";
    button.setAttribute("aria-label", `Go to line ${line}, column ${column}`);
    button.addEventListener("click", () => go(line, column));
    return button;
  };
  const rows = (label, list, row) => {
    if (!list?.length) return [];
    const made = element("ul", "places");
    for (const one of list) made.append(row(one));
    return label ? [element("p", "label", label), made] : [made];
  };
  const change = (pointer, why, strong) => {
    const item = element("li");
    if (strong) item.append(element("strong", "", strong), " ");
    item.append(element("code", "", pointer), " ", why);
    return item;
  };
  // The places of a fixed or converted card are not those of the text in the editor.
  const finding = (one, inEditor) => {
    const item = element("li");
    const colour = one.severity === "error" ? "bad" : "doubtful";
    item.append(inEditor ? jump(one.line, one.column, colour) : element("strong", colour, `${one.line}:${one.column}`), " ",
      element("code", "", one.rule), " ", one.message);
    if (one.fix) item.append(" ", element("span", "quiet", `Fix: ${one.fix}`));
    return item;
  };

  const show = (action, answer) => {
    result.replaceChildren();
    if (answer.error || !answer.dialect) {
      const fault = answer.error ?? {};
      const line = element("p", "bad");
      line.append(jump(fault.line, fault.column, "bad"), " ", fault.message ?? answer.message ?? "the request was refused");
      result.append(line);
      return;
    }
    const head = element("p");
    head.append(element("strong", answer.valid ? "good" : "bad", answer.valid ? "valid" : "invalid"), ` ${answer.dialect}`);
    if (answer.evidence.length) head.append(" ", element("span", "quiet", answer.evidence.join("; ")));
    result.append(head);
    if (action === "diff") {
      const count = answer.changes.length;
      result.append(element("p", "", `${count} ${count === 1 ? "change" : "changes"}; the version needs a bump of: ${answer.bump}.`));
      result.append(...rows("", answer.changes, (one) => change(place(one), one.why, one.severity)));
    }
    result.append(
      ...rows("fixed", answer.fixes, (one) => change(place(one), one.description)),
      ...rows("lost", answer.losses, (one) => change(place(one), one.why)),
      ...rows("assumed", answer.assumptions, (one) => change(place(one), one.why)),
      ...rows("", answer.violations, (one) => finding(one, (answer.card ?? text.value) === text.value)),
    );
    if (answer.card !== undefined && answer.card !== text.value) {
      const use = element("button", "", "Use this card");
      use.type = "button";
      use.addEventListener("click", () => {
        text.value = answer.card;
        ask("check");
      });
      const line = element("p", "buttons");
      line.append(use);
      result.append(line, element("pre", "", answer.card));
    }
  };

  const ask = async (action) => {
    const number = ++latest;
    const body = JSON.stringify({ action, text: text.value, other: other.value, dialect: dialect.value, to: to.value, guesses: guesses.checked });
    try {
      const response = await fetch(location.pathname, {
        method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json" }, body, credentials: "omit",
      });
      const answer = await response.json();
      if (number === latest) show(action, answer);
    } catch (error) {
      if (number === latest) show(action, { error: { message: `The server did not answer: ${error.message}` } });
    }
  };

  form.addEventListener("submit", (event) => {
    const action = event.submitter?.value ?? "check";
    // The page of the card opens in a window of its own.
    if (action === "page") return;
    event.preventDefault();
    clearTimeout(timer);
    ask(action);
  });
  text.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 300, "check");
  });
  dialect.addEventListener("change", () => ask("check"));
  file.closest(".files").hidden = false;
  file.addEventListener("change", async () => {
    const chosen = file.files[0];
    if (!chosen) return;
    if (chosen.size > Number(form.dataset.max)) {
      show("check", { error: { message: `${chosen.name} is larger than ${Number(form.dataset.max).toLocaleString("en")} bytes.` } });
      return;
    }
    text.value = await chosen.text();
    ask("check");
  });
  if (!result.childElementCount) ask("check");
})();
