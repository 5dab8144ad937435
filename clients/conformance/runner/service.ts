import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Certificate } from "./certificates.ts";
import { endWithThisProcess } from "./end-with.ts";

const run = promisify(execFile);
const main = fileURLToPath(new URL("../../../server/src/main.ts", import.meta.url));

/** A real server with its own catalogue. */
export interface Service {
  /** The origin of the server itself; clients use a proxy. */
  origin: string;
  caFile: string;
  certificate: Certificate;
  /** The authority that signed the certificate; `caFile` contains it. */
  authority: Certificate;
  /** Runs a `beatmarket` command on the server's data and returns its JSON output. */
  command(...args: string[]): Promise<Record<string, unknown>>;
  /** Changes the titles of this number of beats in one import. */
  retitle(beats: number): Promise<void>;
  /** Stops the server and starts it again, on the same data and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** 45 beats of one genre, each by a different producer, and 5 beats of another genre by the first producer. */
const catalogue = { count: 45, word: "lantern" };

/** Starts a server with the catalogue; all its data is in `folder`. */
export async function startService(folder: string): Promise<Service> {
  const port = await freePort();
  const origin = `https://localhost:${port}`;
  const env = {
    ...process.env,
    DATA_DIR: join(folder, "data"),
    PORT: String(port),
    PUBLIC_URL: origin,
    DEMO: "off",
    LOG_LEVEL: "error",
    WEBHOOK_ALLOW_PRIVATE: "on",
    DATABASE_URL: "",
  };
  const command = async (...args: string[]): Promise<Record<string, unknown>> =>
    JSON.parse((await run(process.execPath, [main, ...args, "--json"], { env })).stdout) as Record<string, unknown>;
  await mkdir(folder, { recursive: true });
  let server = await serve(env);
  const map = join(folder, "map.json");
  const file = await writeCatalogue(folder);
  await command("import", file, "--map", map);
  const tls = join(folder, "data/tls");
  const certificateOf = async (name: string): Promise<Certificate> => ({
    key: await readFile(join(tls, `${name}-key.pem`), "utf8"),
    cert: await readFile(join(tls, `${name}.pem`), "utf8"),
  });
  return {
    origin,
    caFile: join(tls, "ca.pem"),
    certificate: await certificateOf("server"),
    authority: await certificateOf("ca"),
    command,
    retitle: async (beats) => {
      const rows = (await readFile(file, "utf8")).split("\n").slice(0, beats);
      const changedFile = join(folder, "again.jsonl");
      await writeFile(changedFile, rows.map((row) => `${row.replace('"title":"', '"title":"Again ')}\n`).join(""));
      await command("import", changedFile, "--map", map);
    },
    restart: async () => {
      await stop(server);
      server = await serve(env);
    },
    stop: () => stop(server),
  };
}

async function writeCatalogue(folder: string): Promise<string> {
  const twoDigits = (number: number): string => String(number).padStart(2, "0");
  const rows = Array.from({ length: catalogue.count + 5 }, (_, index) => {
    const isOther = index >= catalogue.count;
    return {
      id: `c-${index + 1}`,
      title: isOther ? `Elsewhere ${index}` : `${catalogue.word} ${twoDigits(index + 1)}`,
      artist: `Maker ${isOther ? "01" : twoDigits(index + 1)}`,
      genre: isOther ? "Ambient" : "Techno",
      tempo: 90 + index,
      released: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
    };
  });
  const fields = {
    external_id: "id",
    title: "title",
    producer: "artist",
    genre: { column: "genre", groups: { Ambient: [], Techno: [] } },
    tempo: "tempo",
    created_at: "released",
  };
  await writeFile(join(folder, "map.json"), JSON.stringify({ source: "conformance", fields }));
  const file = join(folder, "beats.jsonl");
  await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return file;
}

async function serve(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(process.execPath, [main, "serve"], { env, stdio: ["ignore", "pipe", "inherit"] });
  endWithThisProcess(child);
  await new Promise<void>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes("ready:")) resolve();
    });
    child.once("exit", (code) => reject(new Error(`The server ended with status ${code} before it was ready.`)));
  });
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

/** An unused port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Calls the server directly, without proxy and client. Throws for an error response. */
export async function direct<T>(
  service: Pick<Service, "origin" | "caFile">,
  apiKey: string,
  path: string,
  body?: object,
): Promise<T> {
  const outgoing = request(`${service.origin}/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    ca: await readFile(service.caFile),
    headers: { authorization: `Bearer ${apiKey}`, ...(body && { "content-type": "application/json" }) },
  }).end(body && JSON.stringify(body));
  const [incoming] = (await once(outgoing, "response")) as [import("node:http").IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  // Creating the files of an order takes long on a busy machine. Only reads are safe to repeat.
  if (incoming.statusCode === 503 && body === undefined) return direct<T>(service, apiKey, path);
  if (incoming.statusCode !== 200 && incoming.statusCode !== 201) throw new Error(`${path}: ${text}`);
  return (JSON.parse(text) as { data: T }).data;
}
