import type { Certificate } from "./certificate.ts";

const dayMs = 86_400_000;

/**
 * Loads the certificate once a day, and calls `use` if it has changed, so that a renewal needs no restart. If `load`
 * fails, logs a warning and keeps the current certificate. Returns a function that stops the daily check.
 */
export function renewDaily(
  inUse: Certificate,
  load: () => Promise<Certificate>,
  log: { info(message: string): void; warn(message: string): void },
  use: (certificate: Certificate) => void,
): () => void {
  let current = inUse;
  const renew = async (): Promise<void> => {
    try {
      const { key, cert } = await load();
      if (cert === current.cert && key === current.key) return;
      use({ key, cert });
      current = { key, cert };
      log.info("The TLS certificate was renewed.");
    } catch (error) {
      log.warn(`The TLS certificate stays as it is: ${(error as Error).message}`);
    }
  };
  const timer = setInterval(renew, dayMs).unref();
  return () => clearInterval(timer);
}
