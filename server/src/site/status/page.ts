import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { htmlPage } from "@beatmarket/http/html-page.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import { components, type Incident } from "../../metrics/status-watch.ts";
import { componentStatus, overall, type StatusView } from "./statuspage.ts";

const show = htmlPage({
  name: "Status",
  style: `
ul { list-style: none; padding: 0 } li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 4px 16px; padding: 10px 0; border-bottom: 1px solid var(--line) }
h2 { margin: 28px 0 4px; font-size: 18px }
.bad { color: var(--accent); font-weight: 600 } .dim { color: var(--faint) }
`,
});

const states = {
  operational: "status.operational",
  degraded_performance: "status.degraded",
  major_outage: "status.outage",
} as const;

/** The page needs neither the database nor the built portal. Names of components and incidents are in English. */
export function statusPage(locale: Locale, view: StatusView): HttpResponse {
  const { incidents, lookedMs } = view;
  const state = locale.t(`status.${overall(incidents).indicator}`);
  const rows = components.map(({ id, name }) => {
    const status = componentStatus(id, incidents);
    return `<li><span lang="en">${escapeHtml(name)}</span><span class="${status === "operational" ? "dim" : "bad"}">${locale.t(states[status])}</span></li>`;
  });
  const response = show(200, {
    language: locale.language,
    kind: locale.t("status.name"),
    title: `${state} · ${view.site}`,
    body: `<h1>${state}</h1>
<p class="dim">${locale.t("status.asOf", { time: moment(lookedMs) })}</p>
<ul>${rows.join("\n")}</ul>
<h2>${locale.t("status.incidents")}</h2>
${incidents.length === 0 ? `<p class="dim">${locale.t("status.noIncidents")}</p>` : `<ul>${incidents.map((incident) => incidentRow(locale, incident)).join("\n")}</ul>`}
<p><a href="/status.atom">${locale.t("status.feed")}</a> · <a href="/api/v2/summary.json">JSON</a></p>`,
  });
  return { ...response, headers: { ...response.headers, refresh: "10" } };
}

function incidentRow(locale: Locale, { key, name, startedMs, resolvedMs }: Incident): string {
  const from = moment(startedMs);
  const span =
    resolvedMs === null
      ? locale.t("status.untilNow", { from })
      : locale.t("status.until", { from, until: moment(resolvedMs) });
  return `<li id="${escapeHtml(key)}"><span lang="en">${escapeHtml(name)}</span><span class="${resolvedMs === null ? "bad" : "dim"}">${span}</span></li>`;
}

const moment = (ms: number): string => {
  const iso = new Date(ms).toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 16).replace("T", " ")} UTC</time>`;
};
