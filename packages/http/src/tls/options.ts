import type { ServerOptions } from "node:https";
import type { Certificate } from "./certificate.ts";

/** Restricts TLS to 1.2 and newer, and a handshake to ten seconds. */
export const tlsOptions = ({ key, cert }: Certificate): ServerOptions => ({
  key,
  cert,
  minVersion: "TLSv1.2",
  handshakeTimeout: 10_000,
});
