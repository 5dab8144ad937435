import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { ApiDocument, Group } from "../document.ts";
import { operationSection } from "./operation.ts";
import { prose } from "./prose.ts";

/** `/explorer`: what holds for every call, and a list of all of them. */
export const overviewMain = (document: ApiDocument, groups: readonly Group[]): string => `<div class="lead">
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

/** `/explorer/{group}`: every operation of a group. */
export const groupMain = (
  document: ApiDocument,
  { name, description, kind, operations }: Group,
): string => `<div class="lead">
<h1>${escapeHtml(name)}</h1>
${prose(description)}
${
  kind === "webhooks"
    ? `<p>How to write a receiver: <a href="/portal/docs/webhooks">Webhooks</a>. What each event has: <a href="/portal/docs/api/events">Events</a>.</p>`
    : ""
}
</div>
${operations.map((operation) => operationSection(document, operation, kind)).join("\n")}`;
