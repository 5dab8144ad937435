import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { buffer } from "node:stream/consumers";
import { programEnv, startProgram, until } from "@beatmarket/postgres/testing/processes.ts";
import { bodySignature } from "@beatmarket/webhooks/signature.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approveLogin } from "../../src/resources/api-keys/device-logins.ts";
import { publicUrl, webhookSecrets } from "../harness/api.ts";
import { insertBeats } from "../harness/database/catalogue.ts";
import { listeningApi } from "../harness/listening-api.ts";

// The command line for developers, as a separate program, against a real server.

const program = join(import.meta.dirname, "../../../clients/cli/src/main.ts");
const { api, origin, caFile } = await listeningApi();
let folder: string;
let environment: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "beatmarket-cli-"));
  await insertBeats(api.database, [{ title: "Night" }, { title: "Day" }, { title: "夜" }]);
  environment = {
    BEATMARKET_API_KEY: api.key,
    BEATMARKET_BASE_URL: `${origin}/v1`,
    BEATMARKET_CA_FILE: caFile,
    XDG_CONFIG_HOME: folder,
  };
});
afterAll(() => rm(folder, { recursive: true }));

const start = (parameters: string[], env: Record<string, string> = environment) =>
  startProgram(process.execPath, [program, ...parameters], { env: { ...programEnv, ...env } as NodeJS.ProcessEnv });

async function run(parameters: string[], env?: Record<string, string>) {
  const started = start(parameters, env);
  const output = buffer(started.child.stdout as NodeJS.ReadableStream);
  const { code, stderr } = await started.ended;
  return { code, stderr, stdout: (await output).toString() };
}

describe("a command", () => {
  test("prints the API's bytes with --json, and a table without it", async () => {
    const [raw, table, record] = await Promise.all([
      run(["beats", "list", "--limit", "2", "--json"]),
      run(["beats", "list", "--limit", "2"]),
      run(["beats", "get", "1"]),
    ]);
    expect(raw.stdout).toBe(`${(await api.get("/v1/beats?limit=2")).body}\n`);
    expect(table.stdout.split("\n")[0]).toMatch(/^id +title/);
    expect(record.stdout).toMatch(/^type +basic/m);
  });

  test("prints an error of the API with its remedy, and ends with status 1", async () => {
    const [missing, json, key] = await Promise.all([
      run(["beats", "get", "999999"]),
      run(["beats", "get", "999999", "--json"]),
      run(["genres", "list"], { ...environment, BEATMARKET_API_KEY: "bm_wrong" }),
    ]);
    expect([missing.code, missing.stdout]).toEqual([1, ""]);
    expect(missing.stderr).toMatch(/^error: 404 not_found: .*Beat 999999 does not exist\. \(request \S+\)/);
    expect(JSON.parse(json.stderr).error).toMatchObject({ status: 404, code: "not_found" });
    expect([key.code, key.stderr]).toEqual([1, expect.stringContaining("beatmarket-cli login")]);
  });

  test.each([
    [["beats", "lst"], "Did you mean list?"],
    [["beatz"], "Did you mean beats?"],
    [["beats", "list", "--limti", "5"], "Did you mean --limit?"],
    [["beats", "list", "--limit", "many"], "It takes a whole number."],
    [["trigger", "order.returned"], "The types are beat.created"],
    [["listen", "--forward", "localhost"], "It takes an address such as http://localhost:3000/webhooks."],
    [["listen", "--forward", "http://localhost:3000/", "--events", "beat.sold"], "There is no type beat.sold"],
    [["test", "drill", "localhost"], "It takes an address such as http://localhost:3000/webhooks."],
  ])(
    "%j is not a valid command line: status 2, and the message names a similar command or the valid values",
    async (parameters, sentence) => {
      const { code, stderr } = await run(parameters);
      expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
    },
  );

  test("adds no advice to a refusal that already has advice", async () => {
    const { stderr } = await run(["sandboxes", "list"]);
    expect(stderr).toMatch(/^error: 403 forbidden: .*\(request \S+\)\n$/);
  });

  test("names the kind of key that can cause an event if its own key cannot", async () => {
    const { code, stderr } = await run(["trigger", "order.refunded"]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("A key of test mode, which begins with bm_test_, can."),
    ]);
  });

  test("completes commands and options", async () => {
    expect((await run(["complete", "--", "beats", "li"])).stdout).toMatch(/^list\t/m);
    expect((await run(["complete", "--", "beats", "list", "--bpm"])).stdout).toMatch(/^--bpm-min\t/m);
  });
});

describe("login", () => {
  test("stores the key in a file of mode 0600 after a person confirms the code; logout deletes the key", async () => {
    const env = { BEATMARKET_CA_FILE: caFile, XDG_CONFIG_HOME: folder };
    const started = start(["login", "--server", origin, "--permissions", "beats:read,genres:read", "--json"], env);
    await started.waitForStderr("confirm the code");
    const [, code = ""] = /code ([A-Z]{4}-[A-Z]{4})/.exec(started.stderr()) ?? [];
    expect(started.stderr()).toContain(`${publicUrl}/portal/device?code=${code}`);
    const request = { userId: api.userId, plan: "standard", permissions: ["beats:read"], expiresAt: null } as const;
    await approveLogin(api.database.query, code, request, webhookSecrets.sessionSecrets, new Date());
    expect(JSON.parse(await started.nextLine())).toMatchObject({ server: origin });
    expect((await started.ended).code).toBe(0);
    const file = join(folder, "beatmarket/config.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { profiles } = JSON.parse(await readFile(file, "utf8"));
    const whoami = await run(["whoami"], { XDG_CONFIG_HOME: folder });
    expect(whoami.stdout).toContain(`…${profiles[origin].apiKey.slice(-4)}`);
    expect(whoami.stdout).not.toContain(profiles[origin].apiKey);
    expect((await run(["beats", "list", "--limit", "1"], { XDG_CONFIG_HOME: folder })).code).toBe(0);
    await run(["logout", "--server", origin], { XDG_CONFIG_HOME: folder });
    const after = await run(["whoami", "--server", origin], { XDG_CONFIG_HOME: folder });
    expect([after.code, after.stderr]).toEqual([1, expect.stringContaining("Log in with")]);
  });
});

describe("sync", () => {
  test("mirrors the catalogue, and continues from its position after a kill", async () => {
    const mirror = join(folder, "mirror");
    const titles = () => {
      const db = new DatabaseSync(join(mirror, "beats.db"));
      const rows = db.prepare("select title from beats order by id").all();
      db.close();
      return rows.map(({ title }) => title);
    };
    const newest = async () => {
      const rows = await api.database.driver`select title from beats order by id`;
      return rows.map(({ title }) => title);
    };
    // The kill comes while the program loads the catalogue or follows it. Each transaction in the file is complete.
    const killed = start(["sync", mirror, "--follow"]);
    await until(() =>
      stat(join(mirror, "beats.db")).then(
        () => true,
        () => false,
      ),
    );
    killed.child.kill("SIGKILL");
    await killed.ended;
    expect((await run(["sync", mirror])).code).toBe(0);
    expect(titles()).toEqual(await newest());
    await api.database.driver`update beats set title = 'Renamed' where id = (select min(id) from beats)`;
    const { position } = JSON.parse((await run(["sync", mirror, "--json"])).stdout);
    expect(position).toBeGreaterThan(0);
    expect(titles()).toEqual(await newest());
    expect(titles()).toContain("Renamed");
    const other = await run(["sync", mirror], { ...environment, BEATMARKET_BASE_URL: `${origin}/api/v1` });
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("Choose another folder")]);
  });
});

describe("trigger with a test key", () => {
  /** Runs the command with a stub of test mode, which has an event after any POST. */
  async function triggered(parameters: string[], { isSandbox }: { isSandbox: boolean }) {
    const requests: unknown[] = [];
    const stub = createServer(async (request, response) => {
      if (request.method === "POST") requests.push(request.url, JSON.parse((await buffer(request)).toString()));
      const events = requests.length === 0 ? [] : [{ id: "evt_1", type: parameters[0], created: 1, data: { id: 17 } }];
      const data = {
        events,
        next: 1,
        beats: [{ id: 3 }],
        pagination: { page: 1, limit: 1, total: 1, total_pages: 1 },
        order: { id: 4, status: "completed" },
        test_event: { type: parameters[0], payout_id: 17 },
      };
      const error = { code: "forbidden", message: "Key of a sandbox", details: "This key belongs to a sandbox." };
      const isRefused = isSandbox && request.url === "/v1/test/events";
      response.writeHead(isRefused ? 403 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(isRefused ? { status: "error", error } : { status: "success", data }));
    }).listen(0, "127.0.0.1");
    await once(stub, "listening");
    const env = {
      BEATMARKET_API_KEY: `bm_test_${"0".repeat(16)}_x`,
      BEATMARKET_BASE_URL: `http://127.0.0.1:${(stub.address() as AddressInfo).port}/v1`,
      XDG_CONFIG_HOME: folder,
    };
    const result = await run(["trigger", ...parameters, "--json", "--allow-http"], env);
    stub.close();
    return { ...result, requests };
  }

  test("causes the event through the server, and shows the event", async () => {
    const { code, stdout, stderr, requests } = await triggered(["payout.sent"], { isSandbox: false });
    expect([code, stderr]).toEqual([0, expect.stringContaining("The server caused it: payout_id 17.")]);
    expect(JSON.parse(stdout)).toMatchObject({ type: "payout.sent", data: { id: 17 } });
    expect(requests).toEqual(["/v1/test/events", { type: "payout.sent" }]);
  });

  test("causes the event itself in a sandbox", async () => {
    const { code, stderr, requests } = await triggered(["beat.purchased"], { isSandbox: true });
    expect([code, stderr]).toEqual([0, expect.stringContaining("Bought beat 3 with order 4.")]);
    expect(requests).toContain("/v1/orders");
  });

  test("shows the server's refusal in a sandbox for an event that the command cannot cause", async () => {
    const { code, stderr } = await triggered(["beat.taken_down"], { isSandbox: true });
    expect([code, stderr]).toEqual([1, expect.stringContaining("This key belongs to a sandbox.")]);
  });

  test("refuses a beat for an event that only the server causes", async () => {
    const { code, stderr, requests } = await triggered(["beat.taken_down", "--beat", "3"], { isSandbox: false });
    expect([code, stderr]).toEqual([1, expect.stringContaining("Leave out --beat")]);
    expect(requests).toEqual([]);
  });
});

describe("listen, trigger and logs tail", () => {
  test("an event that trigger causes reaches the receiver with its signature, and the log shows the call", async () => {
    const received: { body: Buffer; signature: string }[] = [];
    const receiver = createServer(async (request, response) => {
      received.push({ body: await buffer(request), signature: String(request.headers["x-webhook-signature"]) });
      response.end();
    });
    receiver.listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const forward = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const listening = start(["listen", "--forward", forward, "--json"]);
    const { secret } = JSON.parse(await listening.nextLine());
    const triggered = await run(["trigger", "user.updated", "--json"]);
    expect(JSON.parse(triggered.stdout)).toMatchObject({ type: "user.updated" });
    expect(JSON.parse(await listening.nextLine())).toMatchObject({ type: "user.updated", status: 200, error: null });
    const [first] = received;
    expect(first?.signature).toBe(bodySignature(first?.body ?? Buffer.alloc(0), secret));
    listening.child.kill("SIGINT");
    expect((await listening.ended).code).toBe(0);
    receiver.close();

    // `trigger` sent two such requests. The second poll also reads the earlier request, but the command does not show
    // it.
    const tail = start(["logs", "tail", "--operation", "updateProfile", "--lines", "1", "--interval", "1", "--json"]);
    const shown = JSON.parse(await tail.nextLine());
    expect(shown).toMatchObject({ method: "PUT", path: "/v1/users/profile", status: 200 });
    await run(["trigger", "user.updated"]);
    expect(Date.parse(JSON.parse(await tail.nextLine()).created_at)).toBeGreaterThan(Date.parse(shown.created_at));
    tail.child.kill("SIGINT");
    expect((await tail.ended).code).toBe(0);
  });
});
