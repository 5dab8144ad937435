import type { ServerOptions } from "node:https";
import type { Certificate } from "./certificate.ts";

/** Options for TLS 1.2 and newer, with ten seconds for a handshake. */
export const tlsOptions = ({ key, cert }: Certificate): ServerOptions => ({
  key,
  cert,
  minVersion: "TLSv1.2",
  handshakeTimeout: 10_000,
});
