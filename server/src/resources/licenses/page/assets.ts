/** Of the public page, beside the style of all pages. */
export const pageStyle = `
dt { color: var(--faint); font-size: 13px; letter-spacing: .06em; text-transform: uppercase }
h2 { margin: 28px 0 8px; color: var(--accent); font-size: 19px }
h3 { margin: 16px 0 4px; font-size: 16px }
ul { margin: 4px 0; padding-inline-start: 20px }
.lead { color: var(--accent); font-weight: 600 }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: 16px 24px; margin: 20px 0 }
.files { padding: 0; list-style: none } .files li { padding: 8px 0; border-bottom: 1px solid var(--line) }
.match { background: var(--good-ground) }
code { font: 12.5px/1.4 ui-monospace, monospace }
#check { margin: 16px 0 } #check label { display: block; margin-bottom: 8px }
`;

/** Compares a file with the licensed ones. It is read on the device, whole, so only up to a size that phones hold. */
export const hashScript = `
(() => {
  const check = document.getElementById("check"), answer = document.getElementById("answer");
  if (!globalThis.crypto?.subtle) return;
  check.hidden = false;
  document.getElementById("file").addEventListener("change", async ({ target }) => {
    const items = [...document.querySelectorAll("[data-sha256]")];
    for (const item of items) item.classList.remove("match");
    const file = target.files[0];
    if (!file) { answer.textContent = ""; return; }
    if (file.size > 512 * 1024 * 1024) {
      answer.textContent = "This file is too large to check here; use sha256sum, or certutil -hashfile on Windows.";
      return;
    }
    answer.textContent = "Reading the file …";
    try {
      const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
      const sha256 = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
      const found = items.find((item) => item.dataset.sha256 === sha256);
      if (found) found.classList.add("match");
      answer.textContent = found ? "\\u2713 This is a licensed file, unchanged." : "\\u2715 This is none of the licensed files, or it was changed.";
    } catch {
      answer.textContent = "The file could not be read.";
    }
  });
})();
`;
