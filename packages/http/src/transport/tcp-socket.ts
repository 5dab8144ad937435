import type { Socket } from "node:net";

/** Returns the TCP socket below a TLS socket, which Node keeps in an untyped property; otherwise the socket itself. */
export const tcpSocketOf = (socket: Socket): Socket =>
  (socket as Socket & { _parent?: Socket | null })._parent ?? socket;

/**
 * Closes a connection with a reset (RST), which frees the bytes that the kernel keeps for a peer that does not read.
 * After a plain close the kernel would keep them for minutes, and the connection would count towards no limit of this
 * server.
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
