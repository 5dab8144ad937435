import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ephemeral ports of Linux (from 32768) and macOS (from 49152). */
const [firstPort, endPort] = [20_000, 32_768] as const;

/**
 * A free local port, for a program that starts seconds later. Random, since another test that asks in these seconds
 * must get another port.
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
