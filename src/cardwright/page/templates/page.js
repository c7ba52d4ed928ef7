"use strict";
// Copies the text before a button, and filters a list. Without scripts, neither is shown.
for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const source = button.previousElementSibling;
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = "Copied";
    } catch {
      // Only pages of https and of this machine may write to the clipboard.
      getSelection().selectAllChildren(source);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
}
const filter = document.querySelector("input.filter");
if (filter) {
  const entries = [...document.querySelectorAll(".entries > li")];
  const count = document.querySelector(".found");
  const apply = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const entry of entries) {
      const text = entry.textContent.toLowerCase();
      entry.hidden = !words.every((word) => text.includes(word));
      found += entry.hidden ? 0 : 1;
    }
    count.textContent = words.length ? `${found} of ${entries.length}` : "";
  };
  filter.closest(".find").hidden = false;
  filter.addEventListener("input", apply);
  apply();
}
