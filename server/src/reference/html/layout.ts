import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { hashSource } from "@beatmarket/http/hash-source.ts";
import { colorSchemeScript } from "../../site/html/color-scheme.ts";
import { mark } from "../../site/html/icons.ts";
import type { Group } from "../document.ts";

export interface ReferencePage {
  title: string;
  groups: readonly Group[];
  /** The group that the page shows; null for the overview. */
  shown: Group | null;
  /** HTML. */
  main: string;
}

export interface ReferenceAssets {
  script: string;
  styles: readonly string[];
}

/** Nothing inline is styled or runs, but for the color scheme, and only our own origin is called. The portal embeds the page in a frame. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src 'self' ${hashSource(colorSchemeScript)}`,
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");

/** A page of the reference as HTML. It is whole without a script. */
export const referenceDocument = (
  { script, styles }: ReferenceAssets,
  { title, groups, shown, main }: ReferencePage,
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(`${shown?.description ?? "Every operation, field and refusal"} Reference of the Beat Marketplace API, a pre-release demo.`)}">
<link rel="icon" href="/portal/icon.svg" type="image/svg+xml">
<script>${colorSchemeScript}</script>
${styles.map((address) => `<link rel="stylesheet" href="${escapeHtml(address)}">`).join("\n")}
<script type="module" src="${escapeHtml(script)}"></script>
</head>
<body class="reference">
<a class="skip" href="#main">Skip to content</a>
<header class="top"><div class="page">
<a class="brand" href="/">${mark}Beat Marketplace</a><span class="badge">Pre-release demo</span>
<nav aria-label="Site">
<button class="search-button" type="button" data-search hidden>Search <kbd>Ctrl K</kbd></button>
<a class="link wide" href="/portal/docs">Docs</a>
<a class="link wide" href="/explorer" aria-current="true">Reference</a>
<a class="link wide" href="/portal/explorer">Explorer</a>
<a class="link" href="/portal">Portal</a>
</nav>
</div></header>
<div class="page columns">
<nav class="contents" aria-label="Reference">
<details class="menu"><summary>${escapeHtml(shown?.name ?? "All calls")}</summary>
<ul>
<li><a href="/explorer"${shown === null ? ` aria-current="page"` : ""}>All calls</a></li>
${groups.map((group) => groupItem(group, group === shown)).join("\n")}
</ul></details>
</nav>
<main id="main" tabindex="-1">
${main}
</main>
</div>
</body>
</html>
`;

const groupItem = ({ slug, name, operations }: Group, isShown: boolean): string =>
  isShown
    ? `<li><a href="/explorer/${slug}" aria-current="page">${escapeHtml(name)}</a>
<ul>${operations
        .map(
          ({ operationId, summary = operationId }) =>
            `<li><a href="#${escapeHtml(operationId)}" data-place="${escapeHtml(operationId)}">${escapeHtml(summary)}</a></li>`,
        )
        .join("")}</ul></li>`
    : `<li><a href="/explorer/${slug}">${escapeHtml(name)}</a></li>`;
