import type { Forwarded } from "./listen-by-key.ts";

/** Whether an event is a test event: its id has `TEST` after the time (docs/api/events.md, Test events). */
const isTest = ({ event }: Forwarded): boolean => event.id.startsWith("TEST", 14);

/** Formats a forwarded event as a line of JSON. */
export const forwardedJson = (forwarded: Forwarded): string => {
  const { event, outcome, startedAt } = forwarded;
  return JSON.stringify({
    time: startedAt.toISOString(),
    event: event.id,
    type: event.type,
    test: isTest(forwarded),
    status: outcome.status,
    duration_ms: Math.round(outcome.durationMs),
    error: outcome.error,
  });
};

/** Formats a forwarded event as a line for people. */
export const forwardedText = (forwarded: Forwarded): string => {
  const { event, outcome, startedAt } = forwarded;
  const result = outcome.error ?? `${outcome.status} in ${Math.round(outcome.durationMs)} ms`;
  return `${startedAt.toISOString().slice(11, 19)}  ${event.type.padEnd(15)}  ${event.id}  ${isTest(forwarded) ? "(test)  " : ""}${result}`;
};
