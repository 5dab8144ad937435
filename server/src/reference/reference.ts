import { type ApiDocument, type Group, groupsOf } from "@beatmarket/api-reference/document.ts";
import { prose } from "@beatmarket/api-reference/field-list.ts";
import { operationSection, type ReferenceSite } from "@beatmarket/api-reference/operation-section.ts";
import { notFound } from "@beatmarket/foundation/errors.ts";
import { onFirstUse } from "@beatmarket/foundation/first-use.ts";
import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { hashSource } from "@beatmarket/http/hash-source.ts";
import { Representation } from "@beatmarket/http/negotiation/representation.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { CodeLanguage } from "../../../contract/snippets/tokens.ts";
import { locales } from "../../../contract/texts/locales.ts";
import { assetsOf } from "../site/assets.ts";
import { legalLinks, logoPath, type SiteBrand } from "../site/brand.ts";
import { highlighted, installation } from "../site/html/call.ts";
import { brandMark, colorSchemeScript, scriptTexts } from "../site/html/document.ts";

interface ReferencePage {
  title: string;
  groups: readonly Group[];
  /** The group that the page shows; null for the overview. */
  shown: Group | null;
  /** HTML. */
  main: string;
}

interface ReferenceAssets {
  script: string;
  styles: readonly string[];
  brand: SiteBrand;
}

/**
 * Allows inline only the script of the color scheme and the style of the brand. The portal embeds the page in a frame.
 */
const policyOf = ({ style }: SiteBrand): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${hashSource(colorSchemeScript)}`,
    `style-src 'self'${style === "" ? "" : ` ${hashSource(style)}`}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join("; ");

/** A page of the reference as HTML. It is complete without its script. */
const referenceDocument = (
  { script, styles, brand }: ReferenceAssets,
  { title, groups, shown, main }: ReferencePage,
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(`${shown?.description ?? "Every operation, field and refusal"} Reference of the API of ${brand.name}, a pre-release demo.`)}">
<link rel="icon" href="${logoPath}">
<script>${colorSchemeScript}</script>
${scriptTexts(locales.en)}
${styles.map((address) => `<link rel="stylesheet" href="${escapeHtml(address)}">`).join("\n")}${brand.style === "" ? "" : `\n<style>${brand.style}</style>`}
<script type="module" src="${escapeHtml(script)}"></script>
</head>
<body class="reference">
<a class="skip" href="#main">Skip to content</a>
<header class="top"><div class="page">
<a class="brand" href="/">${brandMark(brand)}<span class="name">${escapeHtml(brand.name)}</span></a><span class="badge">Pre-release demo</span>
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
<footer class="foot"><nav class="page" aria-label="More">
${legalLinks(locales.en)}
</nav></footer>
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

/** The main part of `/explorer`: the rules for all calls, and a list of the calls. */
const overviewMain = (document: ApiDocument, groups: readonly Group[]): string => `<div class="lead">
<h1>${escapeHtml(document.info.title)}</h1>
${prose(document.info.description ?? "")}
<p class="ways"><a class="button primary" href="/portal/docs">Read the guides</a>
<a class="button" href="/portal/explorer">Try a call</a>
<a class="button" href="/explorer/openapi.json">OpenAPI 3.1</a></p>
</div>
${groups
  .map(
    ({ slug, name, description, operations }) => `<section class="group" aria-labelledby="group-${slug}">
<h2 id="group-${slug}"><a class="anchor" href="/explorer/${slug}">${escapeHtml(name)}</a></h2>
<p class="dim">${escapeHtml(description)}</p>
<ul class="calls">
${operations
  .map(
    ({ operationId, method, path, summary = operationId }) =>
      `<li id="${escapeHtml(operationId)}"><a href="/explorer/${slug}#${escapeHtml(operationId)}" data-call="${slug}/${method}${escapeHtml(path)}"><span class="method ${method.toLowerCase()}">${method}</span><code>${escapeHtml(path)}</code><span class="summary">${escapeHtml(summary)}</span></a></li>`,
  )
  .join("\n")}
</ul>
</section>`,
  )
  .join("\n")}`;

/** The main part of `/explorer/{group}`: every operation of a group. */
const groupMain = (document: ApiDocument, { name, description, kind, operations }: Group): string => `<div class="lead">
<h1>${escapeHtml(name)}</h1>
${prose(description)}
${
  kind === "webhooks"
    ? `<p>How to write a receiver: <a href="/portal/docs/webhooks">Webhooks</a>. What each event has: <a href="/portal/docs/api/events">Events</a>.</p>`
    : ""
}
</div>
${operations.map((operation) => operationSection(site, document, operation, kind)).join("\n")}`;

const site: ReferenceSite = {
  highlighted: (code, language) => highlighted(code, language as CodeLanguage),
  installation,
  formNames: {
    "application/json": "Reference form",
    "application/vnd.beatmarket.console+json": "Console form",
    "text/event-stream": "Event stream",
  },
  explorerUrl: (operationId) => `/portal/explorer?operation=${encodeURIComponent(operationId)}`,
  errorUrl: (status) => `/portal/docs/api/errors#${status}`,
};

const entry = "src/site/reference.ts";

const headersOf = (brand: SiteBrand) => ({
  "content-security-policy": policyOf(brand),
  "x-frame-options": "SAMEORIGIN",
  "referrer-policy": "no-referrer",
  "cache-control": "no-cache",
  vary: "Accept-Encoding",
});

/**
 * The API reference for an OpenAPI document, which is read on the first request. `/explorer` lists every call;
 * `/explorer/{group}` has the calls of a tag, or the webhooks. Each page is rendered once. `folder` is the built
 * portal, which has the style and the script of the pages. Each operation links to the portal's explorer, which sends
 * calls.
 */
export function referenceRoutes(readDocument: () => Promise<object>, folder: string, brand: SiteBrand): Route[] {
  const headers = headersOf(brand);
  const readPages = onFirstUse(async () => {
    const document = (await readDocument()) as ApiDocument;
    const groups = groupsOf(document);
    return new Map(
      [null, ...groups].map((group) => [
        group?.slug ?? "",
        onFirstUse(async () => render(document, groups, group, { ...(await assetsOf(folder, entry)), brand })),
      ]),
    );
  });
  const page = (address: string) =>
    openRoute(
      address,
      async ({ params }) => {
        const readPage = (await readPages()).get(params.group ?? "");
        if (readPage === undefined)
          throw notFound(`There is no ${quoted(params.group ?? "")} here. The reference is at /explorer.`);
        return readPage();
      },
      { headers },
    );
  return [page("/explorer"), page("/explorer/:group")];
}

/** The page of a group, or the overview. */
function render(
  document: ApiDocument,
  groups: readonly Group[],
  group: Group | null,
  assets: ReferenceAssets,
): Representation {
  const { title } = document.info;
  const html = referenceDocument(assets, {
    title: group === null ? title : `${group.name} · ${title}`,
    groups,
    shown: group,
    main: group === null ? overviewMain(document, groups) : groupMain(document, group),
  });
  return new Representation(html, "text/html; charset=utf-8");
}
