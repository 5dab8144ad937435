import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Agent, request } from "undici";
import type { PlanName } from "../../src/access/plans.ts";
import type { Stage } from "../faults/stage/stage.ts";
import { type PublicReader, readerOf } from "./public-reader.ts";

/** Empty selects the embedded PostgreSQL. */
const databaseUrl = "";

/**
 * A server like `npm start` starts: HTTPS with a separate certificate authority, embedded PostgreSQL, the demo
 * catalogue.
 */
export interface Market extends Pick<PublicReader, "text" | "bytes"> {
  /** `https://localhost:PORT`. */
  origin: string;
  /** The file of the certificate authority to trust. */
  caFile: string;
  /** The file with the served /openapi.json. */
  document: string;
  /** The settings for a program that uses the server's database and storage. */
  environment: NodeJS.ProcessEnv;
  /** Runs a `beatmarket` command with `--json` on the server's data, and returns its result. */
  command<T>(...args: string[]): Promise<T>;
  /** Runs a command without `--json`, and returns its output. */
  commandText(...args: string[]): Promise<string>;
  /** A new key with all permissions. */
  key(email: string, plan?: PlanName): Promise<string>;
  /** The `data` of a response. Throws an Error with the body unless the status is 200 or 201. */
  call<T>(key: string, path: string, body?: object, headers?: Record<string, string>): Promise<T>;
  /** The type and the bytes of a public file. */
  file(url: string): Promise<{ type: string; bytes: number }>;
}

/** Starts the server in a slot of a stage, which stops it. */
export async function openMarket(stage: Stage, slot: number, settings: Record<string, string> = {}): Promise<Market> {
  const server = stage.serve(slot, databaseUrl, { DEMO: "on", ...settings });
  // The server stops gracefully, because a killed server would leave its PostgreSQL running.
  stage.onClose(async () => {
    server.child.kill("SIGTERM");
    await server.ended;
  });
  await server.ready;
  const { origin, ca } = server.address;
  const agent = new Agent({ connect: { ca } });
  stage.onClose(() => agent.destroy());
  const command = <T>(...args: string[]) => stage.command<T>(slot, databaseUrl, args);

  const caFile = join(stage.folder, `ca-${slot}.pem`);
  await writeFile(caFile, ca);
  const document = join(stage.folder, `openapi-${slot}.json`);
  const served = await request(`${origin}/openapi.json`, { dispatcher: agent });
  await writeFile(document, await served.body.text());
  const reader = readerOf(server.address);
  stage.onClose(reader.close);
  return {
    origin,
    caFile,
    document,
    environment: stage.environment(slot, databaseUrl, settings),
    command,
    commandText: (...args) => stage.commandText(slot, databaseUrl, args),
    key: async (email, plan = "internal") => {
      const { key } = await command<{ key: string }>("keys", "create", "--email", email, "--plan", plan);
      return key;
    },
    call: async (key, path, body, headers) => {
      const response = await request(`${origin}/v1${path}`, {
        dispatcher: agent,
        method: body === undefined ? "GET" : "POST",
        headers: { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }), ...headers },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.body.text();
      if (response.statusCode !== 200 && response.statusCode !== 201) throw new Error(`${path}: ${text}`);
      return (JSON.parse(text) as { data: never }).data;
    },
    text: reader.text,
    bytes: reader.bytes,
    file: async (url) => {
      const { headers, body } = await request(url, { dispatcher: agent });
      return { type: String(headers["content-type"]), bytes: (await body.arrayBuffer()).byteLength };
    },
  };
}
