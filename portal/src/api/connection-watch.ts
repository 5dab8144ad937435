/** The server, or its database, is unreachable: also what a proxy says in its place. */
const outageStatuses = [502, 503, 504];
const retryMs = 1_000;

export interface ConnectionWatchOptions {
  /** How often a page that sends nothing asks. */
  idleMs: number;
  /** Over a cut connection a probe would wait for minutes. */
  probeTimeoutMs: number;
  isLost: () => boolean;
  /** Called with each finding, whether it is new or not. */
  onProbe: (isThere: boolean) => void;
}

/** Finds out whether the server and its database respond, in a page that sends nothing, too. */
export class ConnectionWatch {
  readonly #options: ConnectionWatchOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #probing: Promise<boolean> | null = null;

  constructor(options: ConnectionWatchOptions) {
    this.#options = options;
  }

  /** Call it once. */
  start(): void {
    // Without a network there may still be a server: on this machine.
    for (const event of ["online", "offline"]) addEventListener(event, () => void this.check());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) void this.check();
    });
    this.#checkAfter(this.#options.idleMs);
  }

  /** Asks the server whether it and its database respond, and returns that. Tries again by itself until they do. */
  check(): Promise<boolean> {
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = null;
    });
    return this.#probing;
  }

  /** Takes notice of a response: one of an outage, or one that makes asking needless for a while. */
  saw({ status }: Response): void {
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
    // Pages that lost the connection together do not come back together.
    this.#checkAfter(isThere ? idleMs : retryMs * (1 + Math.random()));
    return isThere;
  }

  #checkAfter(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // A hidden page is checked when it is looked at.
      if (document.hidden && !this.#options.isLost()) this.#checkAfter(this.#options.idleMs);
      else void this.check();
    }, delayMs);
  }
}
