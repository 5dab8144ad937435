import { Agent, request } from "undici";
import type { Address } from "../faults/stage/client.ts";

/** Reads public addresses of a server. Throws an Error unless the status is 200. */
export interface PublicReader {
  text(path: string, accept?: string): Promise<string>;
  bytes(path: string): Promise<Buffer>;
  close(): Promise<void>;
}

export function readerOf({ origin, ca }: Address): PublicReader {
  const agent = new Agent({ connect: { ca } });
  const read = async (path: string, accept = "*/*") => {
    const { statusCode, body } = await request(`${origin}${path}`, { dispatcher: agent, headers: { accept } });
    if (statusCode === 200) return body;
    await body.dump();
    throw new Error(`${path}: ${statusCode}`);
  };
  return {
    text: async (path, accept) => (await read(path, accept)).text(),
    bytes: async (path) => Buffer.from(await (await read(path)).arrayBuffer()),
    close: () => agent.destroy(),
  };
}
