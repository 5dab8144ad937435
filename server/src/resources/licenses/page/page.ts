import { formatBytes } from "@beatmarket/foundation/text/bytes.ts";
import { formatDate } from "@beatmarket/foundation/text/date.ts";
import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { type HtmlPage, htmlPage } from "@beatmarket/http/html-page.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { isolated } from "../pdf/printable.ts";
import type { PublicLicense } from "../queries.ts";
import { type Block, readBlocks, withNames } from "../terms/blocks.ts";
import { hashScript, pageStyle } from "./assets.ts";

const page: HtmlPage = htmlPage({ name: "License certificate", style: pageStyle, scripts: [hashScript] });

/** The page of a license, for people: without who bought it and for how much. */
export function licensePage({ id, claims, terms, refundedAt }: PublicLicense): HttpResponse {
  const { beat, producer, files } = claims;
  const names = { beat: isolated(beat.title), producer: isolated(producer.name) };
  const isValid = refundedAt === null;
  const verdict = isValid
    ? "This license is valid."
    : `This license is not valid any more: the order was refunded on ${formatDate(refundedAt)}.`;
  return page(200, {
    title: `License of ${beat.title}`,
    body: `<p class="state ${isValid ? "good" : "bad"}"><span aria-hidden="true">${isValid ? "✓" : "✕"}</span> ${escapeHtml(verdict)}</p>
<h1><bdi>${escapeHtml(beat.title)}</bdi></h1>
<p class="lead">${escapeHtml(terms.title)} · Prod. by <bdi>${escapeHtml(producer.name)}</bdi></p>
<dl>
${fact("Producer", producer.name)}
${fact("License", terms.title)}
${fact("Date of the order", formatDate(new Date(claims.purchased_at)))}
${fact("Terms", `Version ${terms.version}`)}
</dl>
${files.length === 0 ? "" : filesSection(files)}
<section><h2>Terms of the license</h2>
${termsHtml(readBlocks(terms.text), (text) => escapeHtml(withNames(text, names)))}
<p class="faint">This page shows what was agreed. It is no legal advice.</p></section>
<p class="faint">License ${escapeHtml(id)}</p>`,
  });
}

/** The page of an id that no license has. */
export const unknownPage = (): HttpResponse =>
  page(404, {
    title: "Unknown license",
    body: `<p class="state bad"><span aria-hidden="true">✕</span> No license has this address.</p>
<h1>Unknown license</h1>
<p>Compare the address with the one on the certificate, or scan its code again. If they are the same, this marketplace did not issue the certificate.</p>`,
  });

const fact = (label: string, value: string): string =>
  `<div><dt>${label}</dt><dd><bdi>${escapeHtml(value)}</bdi></dd></div>`;

const filesSection = (files: PublicLicense["claims"]["files"]): string => `<section><h2>Files</h2>
<ul class="files">
${files
  .map(
    ({ kind, filename, bytes, sha256 }) =>
      `<li data-sha256="${escapeHtml(sha256)}"><b>${escapeHtml(kind.toUpperCase())}</b> <bdi>${escapeHtml(filename)}</bdi> <span class="faint">${formatBytes(bytes)}</span><br><code>${escapeHtml(sha256)}</code></li>`,
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
