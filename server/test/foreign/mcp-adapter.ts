import { readFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A tool of the server, with arguments, that replaces a tool of the conformance suite's server. */
export type StandIns = Readonly<Record<string, { name: string; arguments: object }>>;

interface Message {
  params?: { name?: string; arguments?: object };
}

/**
 * A reverse proxy for /mcp of a server. The suite supports neither HTTPS with a private authority nor keys, and calls
 * tools by the names of its server. All other messages pass unchanged, so that the suite judges the server.
 */
export async function startMcpAdapter(server: { origin: string; caFile: string; key: string }, standIns: StandIns) {
  const ca = await readFile(server.caFile);
  const target = new URL(server.origin);
  const adapter = createServer(async (incoming, outgoing) => {
    const ownHost = `127.0.0.1:${(adapter.address() as AddressInfo).port}`;
    const body = await buffer(incoming);
    const { text, headers } = translated(body.toString(), incoming.headers, standIns);
    const forwarded = request(new URL(incoming.url ?? "/", target), {
      ca,
      method: incoming.method,
      servername: target.hostname,
      headers: {
        ...headers,
        host: headers.host === ownHost ? target.host : headers.host,
        ...(headers.origin === `http://${ownHost}` && { origin: target.origin }),
        authorization: `Bearer ${server.key}`,
        "content-length": Buffer.byteLength(text),
      },
    });
    forwarded.on("response", (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on("error", (error) => outgoing.destroy(error));
    outgoing.on("close", () => forwarded.destroy());
    forwarded.end(text);
  });
  await new Promise<void>((resolve) => adapter.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(adapter.address() as AddressInfo).port}/mcp`,
    close: async () => {
      adapter.closeAllConnections();
      await new Promise((resolve) => adapter.close(resolve));
    },
  };
}

function translated(text: string, headers: IncomingHttpHeaders, standIns: StandIns) {
  const message = read(text);
  const standIn = standIns[message?.params?.name ?? ""];
  if (message?.params === undefined || standIn === undefined) return { text, headers };
  return {
    text: JSON.stringify({ ...message, params: { ...message.params, ...standIn } }),
    headers: { ...headers, ...(headers["mcp-name"] !== undefined && { "mcp-name": standIn.name }) },
  };
}

function read(text: string): Message | null {
  try {
    return JSON.parse(text) as Message;
  } catch {
    return null;
  }
}
