import type { components } from "../../api/paths.ts";
import { durationLabel } from "../../display/calls/labels.ts";
import { BarChart } from "../../display/charts/bar-chart.tsx";
import { ChartPanel } from "../../display/charts/chart-panel.tsx";
import { LineChart } from "../../display/charts/line-chart.tsx";
import type { BrushRange } from "../../display/charts/use-brush.ts";
import { barText, rangeText, useTimeZone } from "../../display/time-zone.tsx";

export type Analytics = components["schemas"]["Analytics"];

const count = new Intl.NumberFormat("en");
const heightPx = 220;

const outcomes = [
  { name: "successes", label: "2xx succeeded", tone: "quiet" },
  { name: "redirects", label: "3xx not modified", tone: "faint" },
  { name: "refusals", label: "4xx refused", tone: "refused" },
  { name: "failures", label: "5xx failed", tone: "failed" },
] as const;

interface ChartProps {
  analytics: Analytics;
  /** Narrows the page to a time range in ISO 8601. `to` is undefined if the last bar is incomplete. */
  onZoom: (from: string, to: string | undefined) => void;
}

/** Calls over time by outcome, drawn in front of the previous period. */
export function CallsChart({ analytics, onZoom }: ChartProps) {
  const { nameOf, shortOf, range, zoom } = useBars(analytics, onZoom);
  const before = analytics.before?.bars;
  return (
    <ChartPanel
      title="Calls"
      note={`Each bar is ${barWords(analytics.bar_seconds)}${before === undefined ? "" : "; the pale one behind it is of the previous period"}. Drag over bars to zoom in.`}
      columns={[
        "Time",
        ...outcomes.map(({ label }) => label),
        "All",
        ...(before === undefined ? [] : ["Previous period"]),
      ]}
      rows={analytics.bars.map((bar, place) => ({
        id: bar.start,
        name: nameOf(place),
        values: [
          ...outcomes.map(({ name }) => count.format(bar[name])),
          count.format(bar.calls),
          ...(before === undefined ? [] : [count.format(before[place]?.calls ?? 0)]),
        ],
      }))}
      legend={[
        ...outcomes.map(({ label, tone }) => ({ label, mark: tone })),
        ...(before === undefined ? [] : [{ label: "all calls, previous period", mark: "before" }]),
      ]}
    >
      <BarChart
        label="calls"
        heightPx={heightPx}
        series={outcomes}
        bars={analytics.bars.map((bar, place) => ({
          short: shortOf(place),
          name: nameOf(place),
          values: outcomes.map(({ name }) => bar[name]),
          before: before?.[place]?.calls,
        }))}
        rangeLabel={range}
        onBrush={zoom}
      />
    </ChartPanel>
  );
}

const percentiles = [
  { name: "p50_ms", label: "p50", line: "lineLow" },
  { name: "p95_ms", label: "p95", line: "lineMain" },
  { name: "p99_ms", label: "p99", line: "lineHigh" },
] as const;

/** Percentiles of the duration over time, and the p95 of the previous period. */
export function DurationsChart({ analytics, onZoom }: ChartProps) {
  const { nameOf, shortOf, range, zoom } = useBars(analytics, onZoom);
  const before = analytics.before?.bars;
  const series = [
    ...(before === undefined ? [] : [{ label: "p95, previous period", line: "lineBefore" } as const]),
    ...percentiles,
  ];
  const valuesOf = (place: number): (number | null)[] => [
    ...(before === undefined ? [] : [before[place]?.p95_ms ?? null]),
    ...percentiles.map(({ name }) => analytics.bars[place]?.[name] ?? null),
  ];
  return (
    <ChartPanel
      title="Duration"
      note={`Measured in the server, to ±${Math.round(analytics.percentile_error * 100)} %, without calls refused by a limit.`}
      columns={["Time", ...series.map(({ label }) => label)]}
      rows={analytics.bars.map((bar, place) => ({
        id: bar.start,
        name: nameOf(place),
        values: valuesOf(place).map(milliseconds),
      }))}
      legend={series.map(({ label, line }) => ({ label, mark: line }))}
    >
      <LineChart
        label="durations"
        heightPx={heightPx}
        series={series}
        places={analytics.bars.map((_, place) => ({
          short: shortOf(place),
          name: nameOf(place),
          values: valuesOf(place),
        }))}
        valueLabel={milliseconds}
        rangeLabel={range}
        onBrush={zoom}
      />
    </ChartPanel>
  );
}

/** The labels of bars, and a function that zooms to a range of bars. */
function useBars({ from, bar_seconds: barSeconds }: Analytics, onZoom: ChartProps["onZoom"]) {
  const [zone] = useTimeZone();
  const startMs = (place: number) => Date.parse(from) + place * barSeconds * 1000;
  return {
    shortOf: (place: number) => barText(startMs(place), barSeconds, zone),
    nameOf: (place: number) => rangeText(startMs(place), startMs(place + 1), zone),
    range: (range: BrushRange) => rangeText(startMs(range.from), startMs(range.to + 1), zone),
    zoom: (range: BrushRange) => {
      const endMs = startMs(range.to + 1);
      onZoom(
        new Date(startMs(range.from)).toISOString(),
        endMs > Date.now() ? undefined : new Date(endMs).toISOString(),
      );
    },
  };
}

export const milliseconds = (ms: number | null): string => (ms === null ? "–" : durationLabel(ms));

/** The duration of a bar. */
function barWords(seconds: number): string {
  const [length, unit] = seconds < 3_600 ? [seconds / 60, "minute"] : [seconds / 3_600, "hour"];
  if (seconds === 86_400) return "a day (UTC)";
  if (length > 1) return `${length} ${unit}s`;
  return unit === "hour" ? "an hour" : "a minute";
}
