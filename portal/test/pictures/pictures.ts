import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { writeLogEntries } from "@beatmarket/request-log/testing/log-entries.ts";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { openTestDatabase } from "../../../server/test/harness/database/database.ts";
import { type Developer, portalBrowser } from "../harness.ts";
import { openForPicture, savePicture } from "./picture.ts";
import { dayOfCalls } from "./traffic.ts";

// Takes the pictures docs/images/portal-<page>.webp, on a server with the demo catalogue and one account's traffic.

const dayMs = 86_400_000;

const portal = portalBrowser();
let me: Developer;

const receiver = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(200).end("ok"));
}).listen(0, "127.0.0.1");
afterAll(() => {
  receiver.close();
});

/** Calls the portal's API with the account's session. */
async function post<Result>(path: string, data: object = {}): Promise<Result> {
  const headers = { origin: portal.server.origin };
  const response = await me.context.request.post(`/portal/api${path}`, { data, headers });
  expect(response.ok(), await response.text()).toBe(true);
  return response.json() as Promise<Result>;
}

const createKey = (name: string, permissions: string[], expires_in_days: number | null = null) =>
  portal.makeKey(me.context, { name, permissions, expires_in_days });

/** The API keys, by the name of their program. */
interface Keys {
  website: string;
  app: string;
  job: string;
}

/** Registers the account, creates its keys and writes a day of calls into its log. */
async function prepareAccount(): Promise<Keys> {
  me = await portal.signUp({ name: "Robin Sand", email: "robin@example.com" });
  const website = await createKey("Website", [
    "beats:read",
    "search:read",
    "genres:read",
    "producers:read",
    "orders:read",
    "orders:write",
  ]);
  const app = await createKey("Mobile app", ["beats:read", "search:read", "genres:read", "orders:read"]);
  const job = await createKey("Nightly export", ["beats:read", "genres:read", "producers:read"], 90);
  const database = openTestDatabase(portal.server.databaseUrl);
  const keys = [
    { id: website.id, userAgent: "beatmarket-js/1.0 (node)" },
    { id: app.id, userAgent: "BeatShop/2.3 (Android 16)" },
    { id: job.id, userAgent: "beatmarket-python/1.0" },
  ];
  await writeLogEntries(database, dayOfCalls(me.userId, keys, Date.now() - 120_000));
  // The log entries are inserted, so set the times of last use, which real calls would set.
  await database.driver`update api_keys set last_used_at = now() - interval '2 minutes' where user_id = ${me.userId} and revoked_at is null`;

  for (const [index, { id }] of keys.entries())
    await database.query
      .updateTable("api_keys")
      .set({ created_at: new Date(Date.now() - (26 - 7 * index) * dayMs) })
      .where("id", "=", id)
      .execute();
  return { website: website.key, app: app.key, job: job.key };
}

/** Adds an endpoint and an inbox, and orders a beat. Returns the endpoint's id when all events are delivered. */
async function makeDeliveries(keys: Keys): Promise<number> {
  const endpointId = await addEndpoint();
  await post("/webhooks/inbox");
  const types = ["beat.created", "user.registered", "beat.updated", "beat.created", "user.updated", "beat.created"];
  for (const type of [...types, ...types, ...types]) await post(`/webhooks/endpoints/${endpointId}/test`, { type });
  await callApi(keys);
  await untilDelivered(endpointId, 3 * types.length + 1);
  const database = openTestDatabase(portal.server.databaseUrl);
  await database.query
    .updateTable("webhook_endpoints")
    .set({ url: "https://shop.example.com/webhooks" })
    .where("id", "=", endpointId)
    .execute();
  return endpointId;
}

async function addEndpoint(): Promise<number> {
  const { endpoint } = await post<{ endpoint: { id: number } }>("/webhooks/endpoints", {
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`,
    description: "Production shop",
    event_types: null,
  });
  return endpoint.id;
}

/**
 * Makes calls with each key, some of which are refused, and an order. Resolves when the server has stored the keys'
 * use.
 */
async function callApi({ website, app, job }: Keys): Promise<void> {
  const calls: [key: string, method: string, path: string, data?: object][] = [
    [job, "GET", "/v1/genres"],
    [app, "GET", "/v1/beats?sort=popular&limit=12"],
    [website, "GET", "/v1/search?q=midnight&type=beats"],
    [app, "POST", "/v1/orders", { beat_id: 12, payment_method: "pm_card_visa" }],
    [website, "GET", "/v1/beats/12"],
    [website, "GET", "/v1/beats?limit=1000"],
    [website, "GET", "/v1/beats/12/similar?limit=6"],
    [website, "POST", "/v1/orders", { beat_id: 12, payment_method: "pm_card_visa" }],
    [app, "GET", "/v1/beats/99214"],
    [website, "GET", "/v1/orders"],
  ];
  for (const [key, method, path, data] of calls)
    await me.context.request.fetch(path, {
      method,
      ...(data !== undefined && { data }),
      headers: {
        authorization: `Bearer ${key}`,
        "user-agent": key === app ? "BeatShop/2.3 (Android 16)" : "beatmarket-js/1.0 (node)",
      },
    });
  await expect
    .poll(async () => {
      const response = await me.context.request.get("/portal/api/keys");
      return (await response.json()).keys.every((key: { last_used_at: string | null }) => key.last_used_at !== null);
    })
    .toBe(true);
}

/** Waits until the endpoint has this number of successful deliveries. */
const untilDelivered = (endpointId: number, count: number): Promise<void> =>
  expect
    .poll(async () => {
      const response = await me.context.request.get(`/portal/api/webhooks/endpoints/${endpointId}`);
      return (await response.json()).succeeded;
    })
    .toBe(count);

/** Opens a page of the account. */
const open = (path: string): Promise<Page> => openForPicture(me.page, portal.server.origin, `/portal${path}`);

test("the pictures of the documents", async () => {
  const keys = await prepareAccount();

  // Take the log's pictures before the real calls below, whose durations depend on the machine.
  const log = await open("/log");
  await log.getByRole("region", { name: "Calls" }).getByRole("link").first().waitFor();
  await savePicture(log, "log");

  const endpointId = await makeDeliveries(keys);
  const home = await open("/");
  await home.getByText("The key lacks the permission").first().waitFor();
  await home.getByText("of 1,000 used").first().waitFor();
  await home.getByRole("heading", { name: "What went wrong" }).waitFor();
  await savePicture(home, "home");

  const webhooks = await open(`/webhooks/${endpointId}`);
  await webhooks.getByText("19 of 19 delivered (100 %)").waitFor();
  await savePicture(webhooks, "webhooks");

  const explorer = await open("/explorer?operation=listSimilarBeats");
  await explorer.getByLabel("beat_id").fill("12");
  await explorer.getByLabel("limit", { exact: true }).fill("2");
  await explorer.getByRole("button", { name: "Send" }).click();
  await explorer.getByText("The 2 beats in this response").waitFor();
  // Send two calls, because the first one is slower than all others.
  await explorer.getByRole("button", { name: "Send" }).click();
  await explorer.getByText("2 of 100 used").waitFor();
  await savePicture(explorer, "explorer");
});
