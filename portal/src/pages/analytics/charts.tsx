import "@mantine/charts/styles.css";
import { Skeleton } from "@mantine/core";
import { lazy, Suspense } from "react";
import { loadChunk } from "../../api/load-chunk.ts";
import type { components } from "../../api/paths.ts";
import { durationLabel } from "../../display/calls/labels.ts";
import { ChartPanel } from "./chart-panel.tsx";

export type Analytics = components["schemas"]["Analytics"];

const count = new Intl.NumberFormat("en");
const chartHeight = 220;

// The chart library is as large as the rest of the page, so it loads afterwards, into a placeholder of the chart's size.
const loadCharts = () => loadChunk(() => import("@mantine/charts"));
const BarChart = lazy(async () => ({ default: (await loadCharts()).BarChart }));
const LineChart = lazy(async () => ({ default: (await loadCharts()).LineChart }));
const placeholder = <Skeleton h={chartHeight} />;

/** Keyboard users have the table, so the chart takes no focus. */
const chartProps = { accessibilityLayer: false };

const classes = [
  { name: "successes", label: "2xx succeeded", color: "teal.6" },
  { name: "redirects", label: "3xx not modified", color: "gray.5" },
  { name: "refusals", label: "4xx refused", color: "orange.5" },
  { name: "failures", label: "5xx failed", color: "red.7" },
] as const;

/** Calls over time by status class. */
export function CallsChart({ analytics }: { analytics: Analytics }) {
  return (
    <ChartPanel
      title="Calls"
      note={`Each bar is ${barWords[analytics.bar_seconds]}; the last one is not complete.`}
      columns={["Start", ...classes.map(({ label }) => label), "All"]}
      rows={analytics.bars.map((bar) => ({
        id: bar.start,
        name: barName(bar.start, analytics.bar_seconds),
        values: [...classes.map(({ name }) => count.format(bar[name])), count.format(bar.calls)],
      }))}
      legend={classes}
    >
      <Suspense fallback={placeholder}>
        <BarChart
          h={chartHeight}
          data={analytics.bars.map((bar) => ({ ...bar, start: barName(bar.start, analytics.bar_seconds) }))}
          dataKey="start"
          type="stacked"
          series={[...classes]}
          valueFormatter={(value) => count.format(value)}
          xAxisProps={{ minTickGap: 40 }}
          yAxisProps={{ allowDecimals: false, width: 48 }}
          barChartProps={chartProps}
          barProps={{ isAnimationActive: false }}
        />
      </Suspense>
    </ChartPanel>
  );
}

const percentiles = [
  { name: "p50_ms", label: "p50", color: "teal.6" },
  { name: "p95_ms", label: "p95", color: "violet.5", strokeDasharray: "6 3" },
  { name: "p99_ms", label: "p99", color: "orange.5", strokeDasharray: "2 2" },
] as const;

/** Percentiles of the duration over time. */
export function DurationsChart({ analytics }: { analytics: Analytics }) {
  const error = Math.round(analytics.percentile_error * 100);
  return (
    <ChartPanel
      title="Duration"
      note={`Measured in the server, to ±${error} %, without calls refused by a limit.`}
      columns={["Start", ...percentiles.map(({ label }) => label)]}
      rows={analytics.bars.map((bar) => ({
        id: bar.start,
        name: barName(bar.start, analytics.bar_seconds),
        values: percentiles.map(({ name }) => milliseconds(bar[name])),
      }))}
      legend={percentiles}
    >
      <Suspense fallback={placeholder}>
        <LineChart
          h={chartHeight}
          data={analytics.bars.map((bar) => ({ ...bar, start: barName(bar.start, analytics.bar_seconds) }))}
          dataKey="start"
          series={[...percentiles]}
          valueFormatter={(value) => milliseconds(value)}
          xAxisProps={{ minTickGap: 40 }}
          yAxisProps={{ width: 64 }}
          curveType="linear"
          connectNulls={false}
          withDots
          dotProps={{ r: 2 }}
          lineChartProps={chartProps}
          lineProps={{ isAnimationActive: false }}
        />
      </Suspense>
    </ChartPanel>
  );
}

export const milliseconds = (ms: number | null): string => (ms === null ? "–" : durationLabel(ms));

const barWords: Record<number, string> = { 60: "a minute", 3600: "an hour", 21600: "six hours", 86400: "a day (UTC)" };

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const dayAndClock = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
const utcDay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** The label of a bar's start: days in UTC, shorter bars in the browser's time zone. */
function barName(start: string, barSeconds: number): string {
  const format = barSeconds < 3_600 ? clock : barSeconds < 86_400 ? dayAndClock : utcDay;
  return format.format(new Date(start));
}
