import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Analytics, dayQuery } from "../../api/home.ts";
import { durationLabel } from "../../display/calls/labels.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Figures } from "../../display/figures.tsx";
import { RowsSkeleton } from "../../display/page.tsx";
import { Section } from "../../display/section.tsx";
import classes from "./home.module.css";

const count = new Intl.NumberFormat("en");
const hour = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/** The calls of the last 24 hours as a waveform, a bar per hour. */
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

function Wave({ analytics: { bars, total } }: { analytics: Analytics }) {
  const most = Math.max(1, ...bars.map(({ calls }) => calls));
  const label = `${count.format(total.calls)} calls in 24 hours, at most ${count.format(most)} in one. Analytics has all figures.`;
  return (
    <>
      <div className={classes.wave} role="img" aria-label={label}>
        {bars.map(({ start, calls, refusals, failures }) => {
          const failed = refusals + failures;
          return (
            <div
              key={start}
              className={classes.slot}
              title={`${hour.format(new Date(start))}: ${count.format(calls)} calls, ${count.format(failed)} refused or failed`}
            >
              <div className={classes.bar} data-empty={calls === 0} style={{ height: `${(100 * calls) / most}%` }}>
                {failed > 0 && <div className={classes.failed} style={{ height: `${(100 * failed) / calls}%` }} />}
              </div>
            </div>
          );
        })}
      </div>
      <div className={classes.axis} aria-hidden>
        <span>{bars[0] === undefined ? "" : hour.format(new Date(bars[0].start))}</span>
        <span>now</span>
      </div>
    </>
  );
}
