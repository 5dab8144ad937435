import type { Socket } from "node:net";

/** Returns the TCP socket of a TLS socket, from an untyped property of Node. Returns a TCP socket unchanged. */
export const tcpSocketOf = (socket: Socket): Socket =>
  (socket as Socket & { _parent?: Socket | null })._parent ?? socket;

/**
 * Closes a connection with a reset (RST), which frees the unacknowledged bytes in the kernel. After a plain close the
 * kernel would keep these bytes for minutes, although the connection no longer counts towards a limit of this server.
 */
export function resetConnection(socket: Socket): void {
  const tcp = tcpSocketOf(socket);
  try {
    if (!tcp.destroyed) tcp.resetAndDestroy();
  } catch {
    // A socket that is not a TCP connection cannot be reset.
  }
  socket.destroy();
}
