/** Of the public page. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #1b1a22; --faint: #5d5a6b; --rule: #d9d6e6; --paper: #fff; --back: #f3f1f9;
  --accent: #5b3fd6; --good: #0b6b3a; --good-back: #e2f5ea; --bad: #9c1f1f; --bad-back: #fdeaea }
@media (prefers-color-scheme: dark) { :root { --ink: #eeecf6; --faint: #b1adc2; --rule: #3a3748; --paper: #1c1a25;
  --back: #121118; --accent: #b7a6ff; --good: #7ee0a8; --good-back: #12301f; --bad: #ffa4a4; --bad-back: #3b1717 } }
* { box-sizing: border-box }
body { margin: 0; padding: 0 12px; background: var(--back); color: var(--ink); font: 16px/1.55 system-ui, sans-serif;
  overflow-wrap: anywhere }
main { max-width: 720px; margin: 24px auto; padding: 24px clamp(16px, 5vw, 44px) 32px; background: var(--paper);
  border: 1px solid var(--rule); border-top: 6px solid var(--accent); border-radius: 10px }
.kind, dt { margin: 0; color: var(--faint); font-size: 13px; letter-spacing: .06em; text-transform: uppercase }
.state { margin: 14px 0; padding: 10px 14px; border-radius: 8px; font-weight: 600 }
.valid { color: var(--good); background: var(--good-back) }
.ended { color: var(--bad); background: var(--bad-back) }
h1 { margin: 0; font: 600 clamp(26px, 7vw, 40px)/1.2 Georgia, "Times New Roman", serif }
h2 { margin: 28px 0 8px; color: var(--accent); font-size: 19px }
h3 { margin: 18px 0 4px; font-size: 16px }
p { margin: 8px 0 } ul { margin: 4px 0; padding-inline-start: 20px }
.lead { color: var(--accent); font-weight: 600 }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: 14px 24px; margin: 20px 0 }
dd { margin: 0 }
.files { padding: 0; list-style: none } .files li { padding: 8px 0; border-bottom: 1px solid var(--rule) }
.match { background: var(--good-back) }
code { font: 12.5px/1.4 ui-monospace, monospace }
.faint { color: var(--faint); font-size: 14px }
#check { margin: 14px 0 } #check label { display: block; margin-bottom: 6px }
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
