import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { htmlPage } from "@beatmarket/http/html-page.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import { readerLocale } from "../../access/reader-locale.ts";
import { type ComponentId, components, type Incident, type StatusWatch } from "../../metrics/status-watch.ts";

interface StatusRouteParts {
  publicUrl: string;
  /** The operator's name of the site. */
  site: string;
  watch: Pick<StatusWatch, "check" | "checkedMs" | "incidents">;
}

const headers = { "cache-control": "no-store", "access-control-allow-origin": "*" };

/**
 * The public status of the service: /status as a page, /status.atom, and the documents of Statuspage's API below
 * /api/v2 (docs/status.md). They work even if the database is unreachable.
 */
export function statusRoutes({ publicUrl, site, watch }: StatusRouteParts): Route[] {
  const open = (path: string, respond: (view: StatusView, context: RequestContext) => HttpResponse): Route =>
    openRoute(
      path,
      async (context) => {
        await watch.check();
        return respond({ publicUrl, site, incidents: watch.incidents, checkedMs: watch.checkedMs }, context);
      },
      { isVital: true },
    );
  return [
    open("/status", (view, context) => statusPage(readerLocale(context), view)),
    open("/status.atom", (view) => ({
      status: 200,
      headers: { ...headers, "content-type": "application/atom+xml; charset=utf-8" },
      body: atomFeed(view),
    })),
    ...Object.entries(statusDocuments).map(([name, document]) =>
      open(`/api/v2/${name}`, (view) => ({
        status: 200,
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(document(view)),
      })),
    ),
  ];
}

/** The Atom feed of incidents (RFC 4287), newest first. */
function atomFeed({ publicUrl, site, incidents, checkedMs }: StatusView): string {
  const time = (ms: number): string => new Date(ms).toISOString();
  const page = `${escapeHtml(publicUrl)}/status`;
  const updatedMs = Math.max(...incidents.map(({ startedMs, resolvedMs }) => resolvedMs ?? startedMs));
  const entries = incidents.map(
    ({ key, name, startedMs, resolvedMs }) => `<entry>
<id>${page}#${key}</id>
<title>${escapeHtml(resolvedMs === null ? name : `Resolved: ${name}`)}</title>
<published>${time(startedMs)}</published>
<updated>${time(resolvedMs ?? startedMs)}</updated>
<link rel="alternate" type="text/html" href="${page}#${key}"/>
</entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${page}</id>
<title>Status of ${escapeHtml(site)}</title>
<updated>${time(incidents.length === 0 ? checkedMs : updatedMs)}</updated>
<author><name>${escapeHtml(site)}</name></author>
<link rel="self" type="application/atom+xml" href="${escapeHtml(publicUrl)}/status.atom"/>
<link rel="alternate" type="text/html" href="${page}"/>
${entries.join("\n")}
</feed>
`;
}

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
function statusPage(locale: Locale, view: StatusView): HttpResponse {
  const { incidents, checkedMs } = view;
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
<p class="dim">${locale.t("status.asOf", { time: moment(checkedMs) })}</p>
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

// The JSON of Statuspage's public API, version 2, which status boards and chat bots read.

interface StatusView {
  /** The operator's name of the site. */
  site: string;
  publicUrl: string;
  /** The incidents, newest first. */
  incidents: readonly Incident[];
  /** The time of the last check, in Unix milliseconds. */
  checkedMs: number;
}

const pageId = "beatmarket";
const time = (ms: number): string => new Date(ms).toISOString();

const isOpen = ({ resolvedMs }: Incident): boolean => resolvedMs === null;

/** The worst effect of open incidents on a component. */
function componentStatus(id: ComponentId, incidents: readonly Incident[]) {
  const levels = incidents.filter((each) => isOpen(each) && each.components.includes(id)).map(({ level }) => level);
  if (levels.includes("major_outage")) return "major_outage";
  return levels.includes("degraded_performance") ? "degraded_performance" : "operational";
}

/** The descriptions of Statuspage, by indicator. */
const descriptions = {
  none: "All Systems Operational",
  minor: "Minor Service Outage",
  major: "Partial System Outage",
  critical: "Major Service Outage",
} as const;

/** The state of all components in one sentence. */
function overall(incidents: readonly Incident[]): { indicator: keyof typeof descriptions; description: string } {
  const states = components.map(({ id }) => componentStatus(id, incidents));
  const indicator = indicatorOf(states);
  return { indicator, description: descriptions[indicator] };
}

function indicatorOf(states: readonly string[]): keyof typeof descriptions {
  if (states.every((state) => state === "major_outage")) return "critical";
  if (states.includes("major_outage")) return "major";
  return states.some((state) => state !== "operational") ? "minor" : "none";
}

const page = ({ publicUrl, site, checkedMs }: StatusView) => ({
  id: pageId,
  name: site,
  url: `${publicUrl}/status`,
  time_zone: "Etc/UTC",
  updated_at: time(checkedMs),
});

const componentsOf = ({ incidents, checkedMs }: StatusView) =>
  components.map(({ id, name }, index) => {
    const changes = incidents.filter((incident) => incident.components.includes(id));
    const changedMs = Math.max(0, ...changes.map(({ startedMs, resolvedMs }) => resolvedMs ?? startedMs));
    return {
      id,
      name,
      status: componentStatus(id, incidents),
      created_at: null,
      updated_at: time(changedMs === 0 ? checkedMs : changedMs),
      position: index + 1,
      description: null,
      showcase: true,
      start_date: null,
      group_id: null,
      page_id: pageId,
      group: false,
      only_show_if_degraded: false,
    };
  });

function impactOf(level: Incident["level"], affectedCount: number): "minor" | "major" | "critical" {
  if (level === "degraded_performance") return "minor";
  return affectedCount === components.length ? "critical" : "major";
}

const incidentOf =
  ({ publicUrl }: StatusView) =>
  (incident: Incident) => {
    const { key, name, level, startedMs, resolvedMs } = incident;
    const affected = components.filter(({ id }) => incident.components.includes(id)).map(({ name: each }) => each);
    const update = (status: string, body: string, ms: number) => ({
      id: `${key}-${status}`,
      status,
      body,
      incident_id: key,
      created_at: time(ms),
      updated_at: time(ms),
      display_at: time(ms),
    });
    return {
      id: key,
      name,
      status: resolvedMs === null ? "investigating" : "resolved",
      impact: impactOf(level, affected.length),
      shortlink: `${publicUrl}/status#${key}`,
      page_id: pageId,
      started_at: time(startedMs),
      created_at: time(startedMs),
      updated_at: time(resolvedMs ?? startedMs),
      monitoring_at: null,
      resolved_at: resolvedMs === null ? null : time(resolvedMs),
      incident_updates: [
        ...(resolvedMs === null ? [] : [update("resolved", "It is over.", resolvedMs)]),
        update("investigating", `${name}. Affected: ${affected.join(", ")}.`, startedMs),
      ],
    };
  };

/** The documents by their name below /api/v2. */
const statusDocuments = {
  "status.json": (view: StatusView) => ({ page: page(view), status: overall(view.incidents) }),
  "components.json": (view: StatusView) => ({ page: page(view), components: componentsOf(view) }),
  "incidents.json": (view: StatusView) => ({ page: page(view), incidents: view.incidents.map(incidentOf(view)) }),
  "summary.json": (view: StatusView) => ({
    page: page(view),
    status: overall(view.incidents),
    components: componentsOf(view),
    incidents: view.incidents.filter(isOpen).map(incidentOf(view)),
    scheduled_maintenances: [],
  }),
};
