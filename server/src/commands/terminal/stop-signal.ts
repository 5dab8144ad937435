/** Under npm a Ctrl-C arrives twice: from the terminal and from npm. */
const echoMs = 3_000;

/** Resolves at the first SIGINT, SIGTERM or SIGHUP. A signal more than `echoMs` later exits at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstMs: number | undefined;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => {
        firstMs ??= performance.now();
        if (performance.now() - firstMs > echoMs) process.exit(1);
        resolve();
      });
  });
}
