import type { Socket } from "node:net";

/** The TCP socket below a TLS socket, which Node keeps in a property that its types do not name; else the socket itself. */
export const tcpSocketOf = (socket: Socket): Socket =>
  (socket as Socket & { _parent?: Socket | null })._parent ?? socket;

/**
 * Closes a connection with a reset (RST), which frees what the kernel still keeps for a peer that does not read. After a
 * plain close the kernel would keep it for minutes, and the connection would count towards no limit of ours.
 */
export function resetConnection(socket: Socket): void {
  const tcp = tcpSocketOf(socket);
  try {
    if (!tcp.destroyed) tcp.resetAndDestroy();
  } catch {
    // What is no TCP connection has nothing to reset.
  }
  socket.destroy();
}
