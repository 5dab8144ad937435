import { once } from "node:events";
import { readdir, readFile, realpath } from "node:fs/promises";
import { request } from "node:https";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { accountNames, type TestAccount, temporaryFolder, testAccount } from "@beatmarket/postgres/testing/accounts.ts";
import { type RunningProgram, serverProcesses, startProgram } from "@beatmarket/postgres/testing/processes.ts";
import { beforeAll, describe, expect, test } from "vitest";

// Starts the program as users do, with a separate database, in a data folder below a folder of mode 0700.

describe.each(accountNames)("for %s, beatmarket", (name) => {
  let account: TestAccount;
  let dataDir: string;
  beforeAll(async () => {
    account = await testAccount(name);
    dataDir = join(await temporaryFolder(name), "data");
  });

  function beatmarket(parameters: string[], settings: Record<string, string> = {}): RunningProgram {
    const bin = join(account.repository, "server/bin/beatmarket.mjs");
    const env = { ...account.env, HOME: "/", DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "warn", ...settings };
    return startProgram(account.node, [bin, ...parameters], { ...account.ids, cwd: "/", env });
  }

  async function serve(settings?: Record<string, string>): Promise<Server> {
    const program = beatmarket(["serve"], settings);
    const ready = /^ready: (https:\/\/localhost:\d+)\/v1$/.exec(await program.nextLine());
    expect(ready).not.toBeNull();
    const ca = await readFile(join(dataDir, "tls/ca.pem"), "utf8");
    const databaseDir = await realpath(join(dataDir, "postgres"));
    expect(serverProcesses(databaseDir)).not.toEqual([]);
    return { program, origin: ready?.[1] ?? "", ca, databaseDir };
  }

  async function stop({ program, databaseDir }: Server): Promise<void> {
    program.child.kill("SIGTERM");
    expect(await program.ended).toEqual({ code: 0, signal: null, stderr: "" });
    expect(serverProcesses(databaseDir)).toEqual([]);
  }

  test("serves over HTTPS from an empty folder and after a restart, at the address that commands print, and leaves no process", async () => {
    for (const _ of ["first", "second"]) {
      const server = await serve();
      expect(await get(server, "/healthz")).toBe(200);
      const created = beatmarket(["keys", "create", "--email", "a@example.com"], { PORT: "8443" });
      let line = "";
      while (!line.startsWith("  curl")) line = await created.nextLine();
      expect(line).toContain(` '${server.origin}/v1/`);
      expect(await created.ended).toMatchObject({ code: 0 });
      await stop(server);
    }
  });

  // The other tests do not depend on the account. open-embedded.test.ts kills and stops PostgreSQL for each account.
  if (name !== accountNames[0]) return;

  test("starts again after a kill, on the same data", async () => {
    const killed = await serve();
    const { key, id } = JSON.parse(await output(beatmarket(["keys", "create", "--email", "a@example.com", "--json"])));
    killed.program.child.kill("SIGKILL");
    await killed.program.ended;

    const server = await serve();
    expect(await get(server, "/v1/beats", key)).toBe(200);
    const { code } = await beatmarket(["keys", "revoke", String(id)]).ended;
    expect(code).toBe(0);
    await stop(server);
  });

  test("refuses a second server on its data folder, with a message that names the first", async () => {
    const server = await serve();
    expect(await beatmarket(["serve"]).ended).toEqual({
      code: 1,
      signal: null,
      stderr: `error: Another server (process ${server.program.pid}) already runs on DATA_DIR ${dataDir}. Stop it, or give this one a DATA_DIR of its own.\n`,
    });
    expect(await get(server, "/healthz")).toBe(200);
    await stop(server);
  });

  test("reports a port in use before it creates a database", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const empty = join(await temporaryFolder(name), "data");
    expect(await beatmarket(["serve"], { PORT: String(port), DATA_DIR: empty }).ended).toEqual({
      code: 1,
      signal: null,
      stderr: `error: Port ${port} on 127.0.0.1 is in use. Stop what listens there, or set PORT to another one.\n`,
    });
    expect(await readdir(empty)).not.toContain("postgres");
    other.close();
  });

  test("stops cleanly when SIGINT arrives twice, as for a Ctrl-C under npm", async () => {
    const server = await serve({ LOG_LEVEL: "info" });
    server.program.child.kill("SIGINT");
    await server.program.waitForStderr("stopping");
    server.program.child.kill("SIGINT");
    expect(await server.program.ended).toMatchObject({ code: 0, signal: null });
    expect(serverProcesses(server.databaseDir)).toEqual([]);
  });
});

interface Server {
  program: RunningProgram;
  origin: string;
  ca: string;
  databaseDir: string;
}

/** The status of a response. The server's certificate is verified with the server's CA. */
function get({ origin, ca }: Server, path: string, key?: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const outgoing = request(`${origin}${path}`, { ca, headers, agent: false }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode));
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

async function output(program: RunningProgram): Promise<string> {
  const line = await program.nextLine();
  expect(await program.ended).toMatchObject({ code: 0 });
  return line;
}
