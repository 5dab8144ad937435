import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";
import { Proxies } from "@beatmarket/http/forwarded.ts";
import type { Certificate } from "@beatmarket/http/tls/certificate.ts";
import { tlsOptions } from "@beatmarket/http/tls/options.ts";
import { LocalConnectionCounts } from "@beatmarket/http/transport/connection-counts.ts";
import { ConnectionLimits } from "@beatmarket/http/transport/connection-limits.ts";
import { SendQueues } from "@beatmarket/http/transport/send-queues.ts";
import { createServer, drain, listen } from "@beatmarket/http/transport/server.ts";
import type { Registry } from "prom-client";
import { registerConnections, registerSendQueues } from "../metrics/capacity-metrics.ts";
import { isOwnAddress } from "./every-response.ts";
import type { AppParts } from "./services/scope.ts";

/** Accepts the connections of clients. */
export interface Front {
  server: Server | HttpsServer;
  proxies: Proxies;
  sendQueues: SendQueues;
  /** Call it when a valid key or session came over a connection. */
  vouchFor(socket: Socket): void;
  listen(address: { port: number; host: string }): Promise<void>;
  useCertificate(certificate: Certificate): void;
  retire(): void;
  /** Stops to accept connections, and completes the running requests. */
  drain(): Promise<void>;
  /** The text of /metrics. */
  metrics: Pick<Registry, "contentType" | "metrics">;
}

export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The front of a process whose requests are all in one thread. */
export function openFront({ config, clock, certificate }: AppParts, registry: Registry, handle: Handle): Front {
  const proxies = proxiesOf(config);
  const sendQueues = new SendQueues();
  // Tunnels, and proxies that pass TLS through, connect from this machine's own address, which their clients share.
  const connections = new ConnectionLimits(
    new LocalConnectionCounts(clock),
    (address) => proxies.trust(address) || isOwnAddress(address),
  );
  registerConnections(connections, registry);
  const server = createServer(certificate, handle, connections, sendQueues);
  registerSendQueues(sendQueues, () => portOf(server), registry);
  return {
    server,
    proxies,
    sendQueues,
    vouchFor: (socket) => connections.vouchFor(socket),
    listen: (address) => listen(server, address),
    useCertificate: (next) => {
      if (server instanceof TlsServer) server.setSecureContext(tlsOptions(next));
    },
    retire: () => {},
    drain: () => drain(server),
    metrics: registry,
  };
}

export const proxiesOf = ({ tls, trustedProxies }: Pick<AppParts["config"], "tls" | "trustedProxies">): Proxies =>
  new Proxies({ endTls: tls.mode === "off", trusted: trustedProxies });

const portOf = (server: Server | HttpsServer): number => {
  const address = server.address();
  return address !== null && typeof address === "object" ? address.port : 0;
};
