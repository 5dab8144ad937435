import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Analytics, dayQuery } from "../../api/home.ts";
import { durationLabel } from "../../display/calls/labels.ts";
import { ChartNumbers } from "../../display/charts/chart-numbers.tsx";
import { outcomes } from "../../display/charts/outcomes.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Figures } from "../../display/figures.tsx";
import { RowsSkeleton } from "../../display/page.tsx";
import { Section } from "../../display/section.tsx";
import { barText, rangeText, useTimeZone } from "../../display/time-zone.tsx";
import classes from "./home.module.css";

const count = new Intl.NumberFormat("en");

/** The calls of the last 24 hours as a waveform with one bar per hour. */
export function Traffic() {
  const { data, error, isPending, refetch } = useQuery(dayQuery);
  return (
    <Section
      title="Last 24 hours"
      actions={
        <Anchor size="sm" renderRoot={(props) => <Link to="/analytics" {...props} />}>
          Analytics
        </Anchor>
      }
    >
      {isPending && <RowsSkeleton rows={1} height={176} />}
      {error !== null && data === undefined && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <>
          <Figures
            label="Calls of the last 24 hours"
            figures={[
              { name: "Calls", value: count.format(data.total.calls) },
              { name: "Refused (4xx)", value: count.format(data.total.refusals) },
              { name: "Failed (5xx)", value: count.format(data.total.failures) },
              { name: "p95", value: data.total.p95_ms === null ? "–" : durationLabel(data.total.p95_ms) },
            ]}
          />
          <Wave analytics={data} />
        </>
      )}
    </Section>
  );
}

function Wave({ analytics }: { analytics: Analytics }) {
  const [zone] = useTimeZone();
  const busiest = Math.max(0, ...analytics.bars.map(({ calls }) => calls));
  const bars = analytics.bars.map((bar) => {
    const startMs = Date.parse(bar.start);
    return {
      name: rangeText(startMs, startMs + analytics.bar_seconds * 1000, zone),
      calls: bar.calls,
      values: outcomes.map(({ name }) => bar[name]),
    };
  });
  const label = `${count.format(analytics.total.calls)} calls in the last 24 hours; the busiest hour had ${count.format(busiest)}.`;
  return (
    <>
      <div className={classes.wave} role="img" aria-label={label}>
        {bars.map(({ name, calls, values }) => (
          <div key={name} className={classes.slot} title={`${name}: ${count.format(calls)} calls`}>
            <div
              className={classes.bar}
              data-empty={calls === 0}
              style={{ height: `${(100 * calls) / Math.max(1, busiest)}%` }}
            >
              {outcomes.map(({ tone }, index) => {
                const value = values[index] ?? 0;
                return value === 0 ? null : <div key={tone} className={classes[tone]} style={{ flexGrow: value }} />;
              })}
            </div>
          </div>
        ))}
      </div>
      <div className={classes.axis} aria-hidden>
        <span>{barText(Date.parse(analytics.from), analytics.bar_seconds, zone)}</span>
        <span>now</span>
      </div>
      <ChartNumbers title="Calls of the last 24 hours" bars={bars} />
    </>
  );
}
