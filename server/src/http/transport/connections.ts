import type { Server } from "node:http";
import { Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import { NetworkQuota } from "../admission/network-quota.ts";

/** About 50 kB each; 180 kB with a large response that is not read. Connections beyond this are refused. */
export const maxConnections = 10_000;
/** Of one client network: more than a large office behind one address needs, 1/40 of all. */
export const maxConnectionsOfNetwork = 256;
/** That have not completed their TLS handshake. */
export const maxHandshakesOfNetwork = 64;

/**
 * Closes connections beyond a network's share as they are accepted. A peer that `standsForMany` clients, such as a proxy,
 * has no share of its own. Call it after listeners for "connection" were added.
 */
export function limitConnections(server: Server | HttpsServer, standsForMany: (address: string) => boolean): void {
  const open = new NetworkQuota({ perNetwork: maxConnectionsOfNetwork, total: maxConnections });
  const handshakes = new NetworkQuota({ perNetwork: maxHandshakesOfNetwork, total: maxConnections });
  /** By peer, since the socket of a completed handshake is another object. */
  const inHandshake = new Map<string, () => void>();
  const isOverTls = server instanceof HttpsServer;
  const accept = server.listeners("connection");
  server.removeAllListeners("connection");

  server.on("connection", (socket: Socket) => {
    const { remoteAddress: address = "" } = socket;
    if (!standsForMany(address)) {
      const close = open.acquire(address);
      const endHandshake = isOverTls ? handshakes.acquire(address) : () => {};
      if (close === null || endHandshake === null) {
        close?.();
        endHandshake?.();
        socket.destroy();
        return;
      }
      const peer = peerOf(socket);
      if (isOverTls) inHandshake.set(peer, endHandshake);
      socket.once("close", () => {
        close();
        endHandshake();
        inHandshake.delete(peer);
      });
    }
    for (const each of accept) each.call(server, socket);
  });
  server.on("secureConnection", (socket: Socket) => {
    const peer = peerOf(socket);
    inHandshake.get(peer)?.();
    inHandshake.delete(peer);
  });
}

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
