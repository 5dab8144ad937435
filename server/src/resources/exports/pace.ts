/** Below this share the server has time to spare. */
const idleShare = 0.25;
/** So an export goes on, at an eighth of its speed, whatever the server does. */
const maxPauses = 7;
const maxPauseMs = 2_000;

/**
 * How long to pause after work of `workMs` beside a server whose event loop is busy for a share of the time. Priorities do
 * not do it alone: schedulers that group processes by session or container ignore them between groups.
 */
export const pauseMs = (workMs: number, busyShare: number): number =>
  busyShare < idleShare ? 0 : Math.min(maxPauseMs, workMs * Math.min(maxPauses, busyShare / (1 - busyShare)));
