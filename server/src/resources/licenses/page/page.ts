import { isolated } from "@beatmarket/documents/printable.ts";
import { formatBytes } from "@beatmarket/foundation/text/bytes.ts";
import { formatDate, formatDay } from "@beatmarket/foundation/text/date.ts";
import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import { timestamp } from "@beatmarket/http/formats.ts";
import { type HtmlPage, htmlPage } from "@beatmarket/http/html-page.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { lastDayOf } from "@beatmarket/license-terms/judge.ts";
import type { LicenseType } from "@beatmarket/license-terms/license-types.ts";
import { dayOf } from "@beatmarket/license-terms/question.ts";
import { statusEntry } from "@beatmarket/license-terms/status-entry.ts";
import { termsSha256 } from "@beatmarket/license-terms/terms.ts";
import { type Block, readBlocks, withNames } from "@beatmarket/license-terms/terms-text.ts";
import { grantOf, statusOf } from "../answers/ask.ts";
import { licenseUrl } from "../certificate.ts";
import type { SalesAround } from "../log/leaves.ts";
import type { SaleProof } from "../log/proof.ts";
import type { PublicLicense } from "../queries.ts";

/** The facts on the page in addition to the license. */
export interface PageFacts {
  proof: SaleProof | null;
  /** The licenses of the beat that were sold before and after this one; null if its sale is not in the log. */
  sales: SalesAround | null;
  now: Date;
}

/** The upgrades and renewals that the holder can buy. */
export interface HolderOffers {
  offers: readonly { licenseType: LicenseType; isRenewal: boolean; amountCents: number }[];
  currency: string;
}

/** The public page as JSON (docs/licenses.md, As JSON). */
export function licenseJson(license: PublicLicense, { proof, sales, now }: PageFacts, publicUrl: string) {
  const { id, claims, terms, issuedAt, refundedAt, replaces, replaced, statusIndex } = license;
  const url = licenseUrl(publicUrl, id);
  return {
    status: "success",
    data: {
      license: {
        id,
        status: statusOf(license, dayOf(now)),
        type: claims.license_type,
        beat: claims.beat,
        producer: claims.producer,
        purchased_at: claims.purchased_at,
        issued_at: timestamp(issuedAt),
        valid_until: lastDayOf(grantOf(license)),
        refunded_at: refundedAt === null ? null : timestamp(refundedAt),
        replaces,
        replaced_by: replaced?.licenseId ?? null,
        replaced_at: replaced === null ? null : timestamp(replaced.at),
        files: claims.files,
        terms: { version: terms.version, title: terms.title, sha256: termsSha256(terms), text: terms.text },
        credential_status: statusEntry(statusIndex, publicUrl),
        sales_of_beat: sales,
        log: proof,
        url,
        odrl_url: `${url}/odrl`,
        may_url: `${publicUrl}/v1/licenses/${id}/may`,
      },
    },
  };
}

/** The style of the public page, in addition to the style of all pages. */
const pageStyle = `
dt { color: var(--faint); font-size: 13px; letter-spacing: .06em; text-transform: uppercase }
h2 { margin: 28px 0 8px; color: var(--accent); font-size: 19px }
h3 { margin: 16px 0 4px; font-size: 16px }
ul { margin: 4px 0; padding-inline-start: 20px }
.lead { color: var(--accent); font-weight: 600 }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: 16px 24px; margin: 20px 0 }
.files { padding: 0; list-style: none } .files li { padding: 8px 0; border-bottom: 1px solid var(--line) }
a { color: var(--accent); font-weight: 600 }
.match { background: var(--good-ground) }
code { font: 12.5px/1.4 ui-monospace, monospace }
#check { margin: 16px 0 } #check label { display: block; margin-bottom: 8px }
`;

/**
 * Compares a file with the licensed files. The browser reads the whole file into memory, so phones need a maximum size.
 */
const hashScript = `
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

const upgradeStyle = `
.offers { display: flex; flex-wrap: wrap; gap: 12px; margin: 12px 0 }
.button { min-height: 44px; padding: 10px 16px; border: 1px solid #6a4fe0; border-radius: 8px; background: #5b3fd6; color: #fff; font: inherit;
  font-weight: 600; cursor: pointer }
.button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
`;

const kind = { name: "License certificate", style: pageStyle + upgradeStyle, scripts: [hashScript] };
const page: HtmlPage = htmlPage(kind);
const holdersPage: HtmlPage = htmlPage({ ...kind, hasForms: true });

/** The page of a license for people, without buyer and price. `offers`: the offers for its holder; null for others. */
export function licensePage(
  license: PublicLicense,
  { proof, sales, now }: PageFacts,
  offers: HolderOffers | null = null,
): HttpResponse {
  const { id, claims, terms, refundedAt, replaces, replaced } = license;
  const { beat, producer, files } = claims;
  const names = { beat: isolated(beat.title), producer: isolated(producer.name) };
  const status = statusOf(license, dayOf(now));
  const isValid = status === "valid";
  const lastDay = lastDayOf(grantOf(license));
  const sentences: Record<typeof status, string> = {
    valid: "This license is valid.",
    expired: `This license is not valid any more: its last day was ${lastDay === null ? "" : formatDay(lastDay)}.`,
    replaced: `This license was replaced by another one on ${formatDate(replaced?.at ?? new Date(0))}.`,
    refunded: `This license is not valid any more: the order was refunded on ${formatDate(refundedAt ?? new Date(0))}.`,
  };
  return (offers === null ? page : holdersPage)(200, {
    title: `License of ${beat.title}`,
    body: `<p class="state ${isValid ? "good" : "bad"}"><span aria-hidden="true">${isValid ? "✓" : "✕"}</span> ${escapeHtml(sentences[status])}</p>
${refundedAt === null && replaced?.licenseId != null ? `<p>${licenseLink(replaced.licenseId, "See the new license")}</p>` : ""}
<h1><bdi>${escapeHtml(beat.title)}</bdi></h1>
<p class="lead">${escapeHtml(terms.title)} · Prod. by <bdi>${escapeHtml(producer.name)}</bdi></p>
<dl>
${fact("Producer", producer.name)}
${fact("License", terms.title)}
${fact("Date of the order", formatDate(new Date(claims.purchased_at)))}
${fact("Last day", lastDay === null ? "None: without end" : formatDay(lastDay))}
${fact("Terms", `Version ${terms.version}`)}
</dl>
<p><a href="/beats/${beat.id}">Listen to this beat</a></p>
${offers === null ? "" : upgradeSection(license, offers)}
${files.length === 0 ? "" : filesSection(files)}
<section><h2>Terms of the license</h2>
${termsHtml(readBlocks(terms.text), (text) => escapeHtml(withNames(text, names)))}
<p class="faint">This page shows what was agreed. It is no legal advice.</p></section>
${proof === null && sales === null ? "" : logSection(proof, sales)}
${machinesSection(id)}
${replaces === null ? "" : `<p>It replaces ${licenseLink(replaces, `license ${replaces}`)}.</p>`}
<p class="faint">License ${escapeHtml(id)}</p>`,
  });
}

const licenseLink = (id: string, text: string): string =>
  `<a href="/licenses/${escapeHtml(id)}">${escapeHtml(text)}</a>`;

function licenses(count: number): string {
  if (count === 0) return "no license";
  return count === 1 ? "1 license" : `${count} licenses`;
}

const logSection = (proof: SaleProof | null, sales: SalesAround | null): string => `<section><h2>License log</h2>
${proof === null ? "" : `<p>This license is leaf ${proof.index} of ${proof.size} in the log <code>${escapeHtml(proof.origin)}</code>, which the marketplace cannot change later. <a href="/portal/docs/license-log">How to check it</a></p>`}
${sales === null ? "" : `<p>Of this beat, ${licenses(sales.before)} ${sales.before > 1 ? "were" : "was"} sold before this one, and ${licenses(sales.after)} after it.</p>`}</section>`;

/** The section with the forms for programs, and other ways to check the license. */
const machinesSection = (id: string): string => `<section><h2>For programs</h2>
<ul>
<li><a href="/licenses/${escapeHtml(id)}/odrl">The license as a policy</a> (ODRL, JSON-LD); with <code>Accept: application/json</code> this page is JSON</li>
<li><a href="/portal/docs/licenses#checking-many-at-once">Check many licenses without a network</a>, by a signed list of those that are refunded, replaced or expired</li>
<li><a href="/portal/docs/clauses#asking-a-license">Ask the license</a> whether it allows a use</li>
</ul></section>`;

/** The page of an unknown id. */
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

/** The section with upgrades and renewal. Each button adds its license to the basket. */
function upgradeSection({ id, claims }: PublicLicense, { offers, currency }: HolderOffers): string {
  if (offers.length === 0) return "";
  const isOnlyRenewal = offers.every(({ isRenewal }) => isRenewal);
  return `<section id="upgrade"><h2>${isOnlyRenewal ? "Renew" : "Upgrade"}</h2>
<p class="faint">This is your license.${isOnlyRenewal ? "" : " A higher one costs the difference: what you paid for this one counts."}</p>
<div class="offers">
${offers
  .map(
    ({ licenseType, isRenewal, amountCents }) => `<form method="post" action="/basket">
<input type="hidden" name="beat_id" value="${claims.beat.id}"><input type="hidden" name="license_type" value="${licenseType}"><input type="hidden" name="price" value="${amountCents}"><input type="hidden" name="upgrades" value="${escapeHtml(id)}">
<button class="button">${isRenewal ? "Renew" : `Upgrade to ${licenseType}`}: pay ${escapeHtml(formatAmount(amountCents, currency))}${isRenewal ? "" : " more"}</button>
</form>`,
  )
  .join("\n")}
</div></section>`;
}
