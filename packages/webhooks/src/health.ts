import type { Outcome } from "./sender.ts";

/** The health of an endpoint, as its row stores it. */
export interface Health {
  state: "enabled" | "disabled";
  /** A sentence; null unless disabled. */
  disabledReason: string | null;
  disabledAt: Date | null;
  /** The time of the first failed attempt since the last success; null for a healthy endpoint. */
  failingSince: Date | null;
  consecutiveFailures: number;
  /** The error of the last failed attempt, as a sentence. */
  lastError: string | null;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  /** The maximum number of concurrent requests. */
  concurrency: number;
  /** The time until which the circuit is open and nothing is sent. */
  resumeAt: Date | null;
  mailDue: "failing" | "disabled" | null;
  failingMailAt: Date | null;
}

/** The part of an attempt's outcome that changes an endpoint's health. */
export interface HealthSignal extends Pick<Outcome, "error" | "status" | "timedOut"> {
  at: Date;
}

/** The concurrency limit of a healthy endpoint. */
export const maxConcurrency = 16;

const statusGone = 410;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const successWriteIntervalMs = minuteMs;
const disableAfterFailingMs = 5 * dayMs;
const failureThreshold = 10;
const maxCircuitOpenMs = minuteMs;

export type SteadyState = Pick<Health, "failingSince" | "consecutiveFailures" | "concurrency" | "lastSuccessAt">;

/**
 * Whether a further success need not be stored: the endpoint is healthy, has the maximum concurrency limit, and
 * succeeded less than a minute ago.
 */
export const isSteady = (health: SteadyState, now: Date): boolean =>
  health.failingSince === null &&
  health.consecutiveFailures === 0 &&
  health.concurrency === maxConcurrency &&
  health.lastSuccessAt !== null &&
  now.getTime() - health.lastSuccessAt.getTime() < successWriteIntervalMs;

/**
 * The health after an attempt. A success closes the circuit and raises the concurrency limit by one. A time-out lowers
 * the limit to one. Ten consecutive failures lower it too, and open the circuit. Status 410 disables the endpoint, and
 * so does a failure five days or more after the first of a series of failures. A mail becomes due when the endpoint
 * starts to fail (at most once a day) and when it is disabled.
 */
export function healthAfter(before: Health, { at, error, status, timedOut }: HealthSignal): Health {
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
  const openMs = circuitOpenMs(consecutiveFailures);
  const failing: Health = {
    ...before,
    failingSince,
    consecutiveFailures,
    lastError: error,
    lastFailureAt: at,
    concurrency: timedOut || openMs > 0 ? 1 : before.concurrency,
    resumeAt: openMs > 0 ? new Date(at.getTime() + openMs) : null,
  };
  const reason = status === statusGone ? error : longFailureReason(failingSince, at);
  if (reason !== null && before.state === "enabled")
    return { ...failing, state: "disabled", disabledReason: reason, disabledAt: at, mailDue: "disabled" };
  if (before.failingSince === null && mayMail(before, at)) return { ...failing, mailDue: "failing", failingMailAt: at };
  return failing;
}

/**
 * How long an endpoint's circuit stays open after a number of consecutive failures: 0 before the tenth, then 1 s,
 * doubled up to a minute. A receiver that never responds gets at most one request a minute.
 */
export function circuitOpenMs(consecutiveFailures: number): number {
  if (consecutiveFailures < failureThreshold) return 0;
  const doublings = Math.min(consecutiveFailures - failureThreshold, 10);
  return Math.min(1_000 * 2 ** doublings, maxCircuitOpenMs);
}

const longFailureReason = (failingSince: Date, time: Date): string | null =>
  time.getTime() - failingSince.getTime() >= disableAfterFailingMs
    ? "Every attempt of the last five days failed."
    : null;

const mayMail = ({ failingMailAt, mailDue }: Health, time: Date): boolean =>
  mailDue === null && (failingMailAt === null || time.getTime() - failingMailAt.getTime() >= dayMs);
