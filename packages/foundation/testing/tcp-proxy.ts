import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll } from "vitest";

/** A TCP proxy in front of PostgreSQL that simulates network faults. Closes at the end of the test file. */
export interface TcpProxy {
  /** The URL of the database through the proxy. */
  url: string;
  /** Stops all traffic without closing connections, like a host that lost power. */
  freeze(): void;
  resume(): void;
  /** Closes all connections and refuses new connections until `resume`, like a host whose server is down. */
  cut(): void;
}

/** Starts a proxy for the database of `url`, which may name a TCP host or a socket folder (`?host=`). */
export async function tcpProxy(url: string): Promise<TcpProxy> {
  const target = new URL(url);
  const socketDir = target.searchParams.get("host");
  const port = Number(target.searchParams.get("port") ?? (target.port || 5432));
  const pairs = new Set<[Socket, Socket]>();
  let state: "passing" | "frozen" | "cut" = "passing";
  const server = createServer((near) => {
    if (state === "cut") return near.destroy();
    const far = connect(
      socketDir === null ? { host: target.hostname, port } : { path: `${socketDir}/.s.PGSQL.${port}` },
    );
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on("data", (chunk) => to.write(chunk));
      from.on("error", () => {});
      from.on("close", () => {
        pairs.delete(pair);
        to.destroy();
      });
      if (state === "frozen") from.pause();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const destroyAll = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  afterAll(() => {
    destroyAll();
    server.close();
  });
  const proxied = new URL(url);
  proxied.searchParams.delete("host");
  proxied.searchParams.delete("port");
  proxied.hostname = "127.0.0.1";
  proxied.port = String((server.address() as AddressInfo).port);
  return {
    url: proxied.href,
    freeze: () => {
      state = "frozen";
      for (const pair of pairs) for (const socket of pair) socket.pause();
    },
    resume: () => {
      state = "passing";
      for (const pair of pairs) for (const socket of pair) socket.resume();
    },
    cut: () => {
      state = "cut";
      destroyAll();
    },
  };
}
