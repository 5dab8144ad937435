/** Statuses of an outage of the server or its database, also if a proxy sends them. */
const outageStatuses = [502, 503, 504];
const retryMs = 1_000;

export interface ConnectionWatchOptions {
  /** The interval between probes on a page without traffic. */
  idleMs: number;
  /** The time limit of a probe, which would otherwise wait for minutes on a broken connection. */
  probeTimeoutMs: number;
  isLost: () => boolean;
  /** Called after each check, even if the state has not changed. */
  onProbe: (isThere: boolean) => void;
}

/** Detects whether the server and its database respond, even on a page that sends nothing. */
export class ConnectionWatch {
  readonly #options: ConnectionWatchOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #probing: Promise<boolean> | null = null;

  constructor(options: ConnectionWatchOptions) {
    this.#options = options;
  }

  /** Starts the probes. Call this function once. */
  start(): void {
    // A server on the same machine is reachable without a network, so check instead of trusting the event.
    for (const event of ["online", "offline"]) addEventListener(event, () => void this.check());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) void this.check();
    });
    this.#checkAfter(this.#options.idleMs);
  }

  /** Checks whether the server and its database respond, and returns the result. If not, checks again until they do. */
  check(): Promise<boolean> {
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = null;
    });
    return this.#probing;
  }

  /**
   * Records a response. One that reveals an outage starts a check. Any other postpones the next probe, unless the
   * connection is lost.
   */
  recordResponse({ status }: Response): void {
    if (outageStatuses.includes(status)) void this.check();
    else if (!this.#options.isLost()) this.#checkAfter(this.#options.idleMs);
  }

  async #probe(): Promise<boolean> {
    const { probeTimeoutMs, idleMs, onProbe } = this.#options;
    const isThere = await fetch("/readyz", { cache: "no-store", signal: AbortSignal.timeout(probeTimeoutMs) }).then(
      ({ status }) => !outageStatuses.includes(status),
      () => false,
    );
    onProbe(isThere);
    // A random delay spreads the retries of pages that lost the connection at the same time.
    this.#checkAfter(isThere ? idleMs : retryMs * (1 + Math.random()));
    return isThere;
  }

  #checkAfter(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // Unless the connection is lost, a hidden page checks only when it becomes visible.
      if (document.hidden && !this.#options.isLost()) this.#checkAfter(this.#options.idleMs);
      else void this.check();
    }, delayMs);
  }
}
