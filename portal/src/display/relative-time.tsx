import { Text } from "@mantine/core";
import { useEffect, useReducer } from "react";
import { locale, t } from "../api/locale.ts";

const steps = [
  { unit: "second", ms: 1_000, until: 60_000 },
  { unit: "minute", ms: 60_000, until: 3_600_000 },
  { unit: "hour", ms: 3_600_000, until: 86_400_000 },
  { unit: "day", ms: 86_400_000, until: 30 * 86_400_000 },
  { unit: "month", ms: 30 * 86_400_000, until: 365 * 86_400_000 },
  { unit: "year", ms: 365 * 86_400_000, until: Number.POSITIVE_INFINITY },
] as const;

const relative = new Intl.RelativeTimeFormat(locale.language, { numeric: "auto" });
const absolute = new Intl.DateTimeFormat(locale.region, { dateStyle: "medium", timeStyle: "medium" });

/** The time relative to now: "3 minutes ago", "in 2 days". */
export function relativeTime(at: Date, nowMs: number): string {
  const distanceMs = at.getTime() - nowMs;
  const step = steps.find(({ until }) => Math.abs(distanceMs) < until) ?? steps[5];
  if (step.unit === "second" && Math.abs(distanceMs) < 10_000)
    return t(distanceMs > 0 ? "ui.inAFewSeconds" : "ui.justNow");
  return relative.format(Math.round(distanceMs / step.ms), step.unit);
}

/** The relative time of a past event. It is never in the future, even if this clock is behind the server's. */
export const relativePast = (at: Date, nowMs: number): string =>
  relativeTime(new Date(Math.min(at.getTime(), nowMs)), nowMs);

const refreshMs = 10_000;

/** A time relative to now, updated every ten seconds, with the exact time in a tooltip and in `datetime`. */
function Relative({ at, inWords }: { at: string; inWords: typeof relativeTime }) {
  const [, refresh] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(refresh, refreshMs);
    return () => clearInterval(timer);
  }, []);
  const date = new Date(at);
  return (
    <Text component="time" dateTime={at} title={absolute.format(date)} inherit style={{ whiteSpace: "nowrap" }}>
      {/* Uses the current time, because `at` may be newer than the last refresh. */}
      {inWords(date, Date.now())}
    </Text>
  );
}

/** The time of a past event. */
export const RelativeTime = ({ at }: { at: string }) => <Relative at={at} inWords={relativePast} />;

/** The time of a future event. */
export const FutureTime = ({ at }: { at: string }) => <Relative at={at} inWords={relativeTime} />;
