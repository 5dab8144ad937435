/** A Ctrl-C comes twice under npm: from the terminal, and passed on by npm. */
const echoMs = 3_000;

/** Resolves at the first SIGINT, SIGTERM or SIGHUP; one that comes later than its echo ends the process at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let askedMs: number | undefined;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => {
        askedMs ??= performance.now();
        if (performance.now() - askedMs > echoMs) process.exit(1);
        resolve();
      });
  });
}
