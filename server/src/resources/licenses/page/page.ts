import { createHash } from "node:crypto";
import { escapeHtml } from "../../../text/html.ts";
import { dateText, sizeText } from "../pdf/layout.ts";
import { isolated } from "../pdf/printable.ts";
import type { PublicLicense } from "../queries.ts";
import { type Block, readBlocks, withNames } from "../terms/blocks.ts";
import { hashScript, pageStyle } from "./assets.ts";

const hashSource = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Nothing is loaded, sent or framed; the one style and the one script are known by their hashes. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${hashSource(pageStyle)}`,
  `script-src ${hashSource(hashScript)}`,
  // The icon, which is empty.
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The page of a license, for people: without who bought it and for how much. */
export function licensePage({ id, claims, terms, refundedAt }: PublicLicense): string {
  const { beat, producer, files } = claims;
  const names = { beat: isolated(beat.title), producer: isolated(producer.name) };
  const isValid = refundedAt === null;
  const verdict = isValid
    ? "This license is valid."
    : `This license is not valid any more: the order was refunded on ${dateText(refundedAt)}.`;
  return document(
    `License of ${beat.title}`,
    `<p class="state ${isValid ? "valid" : "ended"}"><span aria-hidden="true">${isValid ? "✓" : "✕"}</span> ${escapeHtml(verdict)}</p>
<h1><bdi>${escapeHtml(beat.title)}</bdi></h1>
<p class="lead">${escapeHtml(terms.title)} · Prod. by <bdi>${escapeHtml(producer.name)}</bdi></p>
<dl>
${fact("Producer", producer.name)}
${fact("License", terms.title)}
${fact("Date of the order", dateText(new Date(claims.purchased_at)))}
${fact("Terms", `Version ${terms.version}`)}
</dl>
${files.length === 0 ? "" : filesSection(files)}
<section><h2>Terms of the license</h2>
${termsHtml(readBlocks(terms.text), (text) => escapeHtml(withNames(text, names)))}
<p class="faint">This page shows what was agreed. It is no legal advice.</p></section>
<p class="faint id">License ${escapeHtml(id)}</p>`,
  );
}

/** The page of an id that no license has. */
export const unknownPage = (): string =>
  document(
    "Unknown license",
    `<p class="state ended"><span aria-hidden="true">✕</span> No license has this address.</p>
<h1>Unknown license</h1>
<p>Compare the address with the one on the certificate, or scan its code again. If they are the same, this marketplace did not issue the certificate.</p>`,
  );

const document = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
</head>
<body>
<main>
<p class="kind">License certificate</p>
${body}
</main>
</body>
</html>
`;

const fact = (label: string, value: string): string =>
  `<div><dt>${label}</dt><dd><bdi>${escapeHtml(value)}</bdi></dd></div>`;

const filesSection = (files: PublicLicense["claims"]["files"]): string => `<section><h2>Files</h2>
<ul class="files">
${files
  .map(
    ({ kind, filename, bytes, sha256 }) =>
      `<li data-sha256="${escapeHtml(sha256)}"><b>${escapeHtml(kind.toUpperCase())}</b> <bdi>${escapeHtml(filename)}</bdi> <span class="faint">${sizeText(bytes)}</span><br><code>${escapeHtml(sha256)}</code></li>`,
  )
  .join("\n")}
</ul>
<div id="check" hidden>
<label for="file">Is a file of yours the licensed one? It stays on your device.</label>
<input type="file" id="file">
<p id="answer" role="status"></p>
</div>
<script>${hashScript}</script></section>`;

function termsHtml(blocks: readonly Block[], html: (text: string) => string): string {
  const parts: string[] = [];
  blocks.forEach(({ kind, text }, index) => {
    if (kind === "heading") parts.push(`<h3>${html(text)}</h3>`);
    else if (kind === "paragraph") parts.push(`<p>${html(text)}</p>`);
    else {
      if (blocks[index - 1]?.kind !== "item") parts.push("<ul>");
      parts.push(`<li>${html(text)}</li>`);
      if (blocks[index + 1]?.kind !== "item") parts.push("</ul>");
    }
  });
  return parts.join("\n");
}
