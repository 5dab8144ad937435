import { disableAfterFailingMs, pauseMs } from "../delivery/retry-schedule.ts";

/** How an endpoint is doing, as its row keeps it. */
export interface Health {
  state: "enabled" | "disabled";
  disabledReason: string | null;
  disabledAt: Date | null;
  /** The first failed attempt since the last success. */
  failingSince: Date | null;
  consecutiveFailures: number;
  lastError: string | null;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  /** Requests that may be in flight. */
  concurrency: number;
  /** Nothing is sent before then. */
  resumeAt: Date | null;
  mailDue: "failing" | "disabled" | null;
  failingMailAt: Date | null;
}

/** What came of one attempt, as far as the endpoint's health goes. */
export interface Reading {
  at: Date;
  /** Null when it succeeded. */
  error: string | null;
  /** Null when no answer came. */
  status: number | null;
  timedOut: boolean;
}

/** Requests that may be in flight to an endpoint that answers. */
export const maxConcurrency = 16;

const gone = 410;
const dayMs = 86_400_000;
const successNotedEveryMs = 60_000;

/** Whether another success would change nothing worth a write. */
export const isSteady = (health: Health, now: Date): boolean =>
  health.failingSince === null &&
  health.consecutiveFailures === 0 &&
  health.concurrency === maxConcurrency &&
  health.lastSuccessAt !== null &&
  now.getTime() - health.lastSuccessAt.getTime() < successNotedEveryMs;

/**
 * The health after an attempt. A success clears everything and lets one more request be in flight; a receiver that let
 * us wait in vain gets one at a time, as does one that has failed ten times in a row. 410 disables at once, and so does
 * a failure after five days of nothing else. The account gets a mail when an endpoint begins to fail (once a day at
 * most) and when it is disabled.
 */
export function healthAfter(before: Health, reading: Reading): Health {
  const { at, error, status, timedOut } = reading;
  if (error === null)
    return {
      ...before,
      failingSince: null,
      consecutiveFailures: 0,
      lastSuccessAt: at,
      concurrency: Math.min(before.concurrency + 1, maxConcurrency),
      resumeAt: null,
    };
  const consecutiveFailures = before.consecutiveFailures + 1;
  const failingSince = before.failingSince ?? at;
  const pause = pauseMs(consecutiveFailures);
  const failing: Health = {
    ...before,
    failingSince,
    consecutiveFailures,
    lastError: error,
    lastFailureAt: at,
    concurrency: timedOut || pause > 0 ? 1 : before.concurrency,
    resumeAt: pause > 0 ? new Date(at.getTime() + pause) : null,
  };
  const reason = reasonToDisable(status, failingSince, at);
  if (reason !== null && before.state === "enabled")
    return { ...failing, state: "disabled", disabledReason: reason, disabledAt: at, mailDue: "disabled" };
  if (before.failingSince === null && isMailWelcome(before, at))
    return { ...failing, mailDue: "failing", failingMailAt: at };
  return failing;
}

function reasonToDisable(status: number | null, failingSince: Date, at: Date): string | null {
  if (status === gone) return "The receiver answered 410 Gone, which asks for no more deliveries.";
  if (at.getTime() - failingSince.getTime() >= disableAfterFailingMs)
    return "Every attempt of the last five days failed.";
  return null;
}

const isMailWelcome = ({ failingMailAt, mailDue }: Health, at: Date): boolean =>
  mailDue === null && (failingMailAt === null || at.getTime() - failingMailAt.getTime() >= dayMs);
