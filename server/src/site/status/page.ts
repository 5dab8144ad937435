import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { htmlPage } from "@beatmarket/http/html-page.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
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

const words = {
  operational: "Operational",
  degraded_performance: "Slower than usual",
  major_outage: "Out of order",
} as const;

/** The page needs neither the database nor the built portal. */
export function statusPage(view: StatusView): HttpResponse {
  const { incidents, lookedMs } = view;
  const state = overall(incidents);
  const rows = components.map(({ id, name }) => {
    const status = componentStatus(id, incidents);
    return `<li><span>${escapeHtml(name)}</span><span class="${status === "operational" ? "dim" : "bad"}">${words[status]}</span></li>`;
  });
  const response = show(200, {
    title: `${state.description} · ${view.site}`,
    body: `<h1>${escapeHtml(state.description)}</h1>
<p class="dim">As of ${moment(lookedMs)}. This page reloads every 10 seconds.</p>
<ul>${rows.join("\n")}</ul>
<h2>Incidents</h2>
${incidents.length === 0 ? `<p class="dim">None since this instance started.</p>` : `<ul>${incidents.map(incidentRow).join("\n")}</ul>`}
<p><a href="/status.atom">Atom feed</a> · <a href="/api/v2/summary.json">JSON</a></p>`,
  });
  return { ...response, headers: { ...response.headers, refresh: "10" } };
}

const incidentRow = ({ key, name, startedMs, resolvedMs }: Incident): string =>
  `<li id="${escapeHtml(key)}"><span>${escapeHtml(name)}</span><span class="${resolvedMs === null ? "bad" : "dim"}">${moment(startedMs)} ${
    resolvedMs === null ? "until now" : `to ${moment(resolvedMs)}`
  }</span></li>`;

const moment = (ms: number): string => {
  const iso = new Date(ms).toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 16).replace("T", " ")} UTC</time>`;
};
