import type { ServerOptions } from "node:https";
import type { Certificate } from "./certificate.ts";

/** How the API speaks TLS: 1.2 or newer, and a client has ten seconds to shake hands. */
export const tlsOptions = ({ key, cert }: Certificate): ServerOptions => ({
  key,
  cert,
  minVersion: "TLSv1.2",
  handshakeTimeout: 10_000,
});
