import { type ComponentId, components, type Incident } from "../../metrics/status-watch.ts";

// The JSON of Statuspage's public API, version 2, which status boards and chat bots read.

export interface StatusView {
  /** The operator's name of the site. */
  site: string;
  publicUrl: string;
  /** The incidents, newest first. */
  incidents: readonly Incident[];
  /** The time of the last look, in Unix milliseconds. */
  checkedMs: number;
}

const pageId = "beatmarket";
const time = (ms: number): string => new Date(ms).toISOString();

const isOpen = ({ resolvedMs }: Incident): boolean => resolvedMs === null;

/** The worst effect of open incidents on a component. */
export function componentStatus(id: ComponentId, incidents: readonly Incident[]) {
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
export function overall(incidents: readonly Incident[]): { indicator: keyof typeof descriptions; description: string } {
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
export const statusDocuments = {
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
