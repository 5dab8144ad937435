import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { pipeline } from "node:stream";

/** A forward proxy for HTTPS. */
export interface ConnectProxy {
  /** The value for HTTPS_PROXY. */
  url: string;
  /** `host:port` of each CONNECT since the last `begin`. */
  targets: string[];
  begin(): void;
  close(): Promise<void>;
}

/** Starts a CONNECT proxy that connects every host name to this machine, on the requested port. */
export async function startConnectProxy(): Promise<ConnectProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((_, outgoing) => outgoing.writeHead(405).end());
  server.on("connect", ({ url = "" }, socket: Socket) => {
    proxy.targets.push(url);
    const upstream = connect(Number(url.split(":").at(-1)), "localhost", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      pipeline(socket, upstream, socket, () => {});
    });
    for (const endpointSocket of [socket, upstream]) {
      sockets.add(endpointSocket);
      endpointSocket.on("error", () => {});
      endpointSocket.once("close", () => sockets.delete(endpointSocket));
    }
  });
  server.listen(0, "localhost");
  await once(server, "listening");
  const proxy: ConnectProxy = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    targets: [],
    begin: () => {
      proxy.targets = [];
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
