import type { Server } from "node:tls";
import type { Certificate } from "./certificate.ts";
import { tlsOptions } from "./options.ts";

const dayMs = 86_400_000;

/**
 * Reloads the certificate once a day and uses a new one for new connections, so that a renewal needs no restart.
 * `onRenewed` gets the new certificate. If `load` fails, logs a warning and keeps the current certificate. Returns a
 * function that stops the reloading.
 */
export function renewDaily(
  server: Server,
  inUse: Certificate,
  load: () => Promise<Certificate>,
  log: { info(message: string): void; warn(message: string): void },
  onRenewed: (certificate: Certificate) => void = () => {},
): () => void {
  let current = inUse;
  const renew = async (): Promise<void> => {
    try {
      const { key, cert } = await load();
      if (cert === current.cert && key === current.key) return;
      server.setSecureContext(tlsOptions({ key, cert }));
      current = { key, cert };
      onRenewed(current);
      log.info("The TLS certificate was renewed.");
    } catch (error) {
      log.warn(`The TLS certificate stays as it is: ${(error as Error).message}`);
    }
  };
  const timer = setInterval(renew, dayMs).unref();
  return () => clearInterval(timer);
}
