import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that Linux (32768) and macOS (49152) give to outgoing connections and to those who ask for any port. */
const [firstPort, endPort] = [20_000, 32_768] as const;

/**
 * A free local port, for a program that starts later: on a busy machine that takes seconds, in which no other test may be
 * given the port.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(firstPort, endPort);
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") continue;
      throw error;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}
