import { gunzipSync } from "node:zlib";
import { eventually } from "@beatmarket/foundation/testing/eventually.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { insertBeats } from "../harness/database/catalogue.ts";
import type { TestDatabase } from "../harness/database/driver.ts";
import { makeKey, type SignedInVisitor, type TestPortal, testPortal } from "../harness/portal.ts";
import { publicUrl } from "../harness/public-url.ts";
import { inSandbox, liftLimits, withTestMode } from "../harness/sandboxes.ts";
import { metadata } from "../harness/uploads.ts";
import { documentedOperations, type Operation } from "./documented-operations.ts";

// An account has three areas: live, its test mode, and a sandbox. Every operation of the API, and every route that the
// portal has twice, is called in each area with the ids and the texts of the others. No response may have a text of
// another area, no foreign id may be found, and the stored data of the other areas must stay unchanged.

const areas = ["live", "test", "sandbox"] as const;
type Area = (typeof areas)[number];
/** The text that all texts of an area contain. */
const marks: Record<Area, string> = { live: "Marked-as-live", test: "Marked-as-test", sandbox: "Marked-as-sandbox" };
/** The first id of each area, so that no id exists in two areas. */
const firstIds: Record<Area, number> = { live: 8_000_000, test: 6_000_000, sandbox: 4_000_000 };
const othersOf = (area: Area): Area[] => areas.filter((other) => other !== area);

/** Ids of an area, by the name of the parameter. */
type Ids = Record<string, string>;
const ids = {} as Record<Area, Ids>;
const keys = {} as Record<Area, string>;
/** The ids in the names of the databases. */
const databases = { test: "", sandbox: "" };

let portal: TestPortal;
let testMode: Awaited<ReturnType<typeof withTestMode>>;
let developer: SignedInVisitor;

const call = (key: string, method: string, url: string, payload?: unknown, headers: Record<string, string> = {}) =>
  portal.api.request({
    method: method as "GET",
    url,
    headers: { authorization: `Bearer ${key}`, ...headers },
    ...(payload !== undefined && method !== "GET" && { payload: payload as object }),
  });

const callPortal = (area: Area, method: string, path: string, payload?: unknown) =>
  portal.api.request({
    method: method as "GET",
    url: `/portal/api${path}`,
    headers: { cookie: developer.cookie(), origin: publicUrl, "x-mode": area },
    ...(payload !== undefined && method !== "GET" && { payload: payload as object }),
  });

/** The `data` of a response, which must be a success. */
async function dataOf(response: ReturnType<typeof call>) {
  const { statusCode, body } = await response;
  expect(statusCode, body).toBeLessThan(300);
  const json = JSON.parse(body);
  return json.data ?? json;
}

const inArea = <T>(area: Area, work: (driver: TestDatabase["driver"], database: TestDatabase) => Promise<T>) =>
  area === "live"
    ? work(portal.database.driver, portal.database)
    : inSandbox(testMode, databases[area], (driver, database) => work(driver, database));

beforeAll(async () => {
  testMode = await withTestMode();
  portal = await testPortal(testMode);
  await beginIds("live");
  developer = await portal.signUp("crossing@example.com", marks.live);
  keys.live = (await makeKey(developer, { name: marks.live })).json().key;
  keys.test = (await makeKey(developer, { name: marks.test }, { "x-mode": "test" })).json().key;
  databases.test = keys.test.split("_")[2] ?? "";
  const { sandbox } = await dataOf(call(keys.test, "POST", "/v1/test/sandboxes", { seed: "crossing" }));
  keys.sandbox = sandbox.api_key;
  databases.sandbox = sandbox.id;
  await portal.database.driver`update api_keys set plan = 'internal'`;
  for (const area of ["test", "sandbox"] as const) {
    await liftLimits(testMode, keys[area]);
    await beginIds(area);
  }
  for (const area of areas) ids[area] = await fill(area);
}, 240_000);

/** The ids of accounts of test mode stay as they are: those of the live accounts, or 1,000,000,000 and higher. */
const beginIds = (area: Area) =>
  inArea(
    area,
    (driver) => driver`
      select setval(format('%I.%I', schemaname, sequencename)::regclass, ${firstIds[area]}::bigint) from pg_sequences
      where schemaname = 'public' and (${area} = 'live' or sequencename <> 'users_id_seq')`,
  );

/** Fills an area with one resource of each kind. */
async function fill(area: Area): Promise<Ids> {
  const [key, mark] = [keys[area], marks[area]];
  const owner = (await dataOf(call(key, "PUT", "/v1/users/profile", { bio: mark, location: mark }))).user.id;
  const beats = await inArea(area, async (driver, database) => {
    const inserted = await insertBeats(database, [
      { title: `${mark} one`, producer: `${mark} producer` },
      { title: `${mark} own`, producer: `${mark} producer` },
    ]);
    await driver`update beats set user_id = ${owner} where id = ${inserted[1] ?? 0}`;
    const [{ producer } = {}] =
      await driver`select user_id::text as producer from beats where id = ${inserted[0] ?? 0}`;
    return { id: inserted[0] ?? 0, producer: String(producer) };
  });
  const item = { beat_id: beats.id, license_type: "basic" };
  await eventually(async () => {
    await dataOf(call(key, "GET", `/v1/beats/${beats.id}`));
  });
  const { order } = await dataOf(call(key, "POST", "/v1/orders", { ...item, payment_method: "pm_card_visa" }));
  const { license } = await dataOf(call(key, "GET", `/v1/orders/${order.id}/files`));
  const report = { use: "streams", quantity: 7, period: order.created_at.slice(0, 7), source: mark };
  await dataOf(call(key, "POST", `/v1/licenses/${license.id}/usage`, report));
  const { checkout } = await dataOf(
    call(key, "POST", "/v1/checkouts", { items: [item], email: `${mark.toLowerCase()}@example.com` }),
  );
  const { playlist } = await dataOf(call(key, "POST", "/v1/playlists", { title: mark }));
  await dataOf(call(key, "PUT", `/v1/users/me/favorites/${beats.id}`));
  await dataOf(call(key, "PUT", `/v1/users/me/following/${beats.producer}`));
  const upload = await call(key, "POST", "/v1/uploads", undefined, {
    "tus-resumable": "1.0.0",
    "upload-length": "17",
    "upload-metadata": metadata("audio", `${mark}.wav`),
  });
  expect(upload.statusCode, upload.body).toBe(201);
  const { events } = await dataOf(call(key, "GET", "/v1/events?limit=1000"));
  const areaIds: Ids = {
    beat_id: String(beats.id),
    user_id: beats.producer,
    order_id: String(order.id),
    license_id: license.id,
    checkout_id: checkout.id,
    playlist_id: String(playlist.id),
    upload_id: String(upload.headers.location).split("/").at(-1) ?? "",
    event_id: events.at(-1).id,
    request_id: await eventually(async () => {
      const { requests } = await dataOf(call(key, "GET", "/v1/requests?limit=1"));
      expect(requests).toHaveLength(1);
      return requests[0].id;
    }),
    // The live register contains the sandbox, but only the test mode of its account may see it.
    sandbox_id: databases.sandbox,
  };
  return area === "sandbox" ? areaIds : { ...areaIds, ...(await fillPortal(area, areaIds.event_id ?? "")) };
}

/** Creates the resources that only the portal can create. The portal's pages do not reach a sandbox. */
async function fillPortal(area: "live" | "test", eventId: string): Promise<Ids> {
  const mark = marks[area];
  const { endpoint } = await dataOf(
    callPortal(area, "POST", "/webhooks/endpoints", {
      url: `https://receiver.example/${mark}`,
      description: mark,
      event_types: ["payout.paid"],
    }),
  );
  const view = await dataOf(callPortal(area, "POST", "/calls/views", { name: mark, query: "status=4xx" }));
  const { keys: keyList } = await dataOf(callPortal(area, "GET", "/keys"));
  const call_id = await eventually(async () => {
    const { calls } = await dataOf(callPortal(area, "GET", "/calls?limit=1"));
    expect(calls).toHaveLength(1);
    return String(calls[0].id);
  });
  const [delivery_id, receipt_id] = await inArea(area, async (driver) => {
    const [delivery] = await driver`
      insert into webhook_deliveries (endpoint_id, event_id, state, ordered, created_at)
      values (${endpoint.id}, ${eventId}, 'succeeded', false, now()) returning id::text`;
    const [receipt] = await driver`
      insert into webhook_receipts (endpoint_id, delivery_id, received_at, headers, body, computed_signature, secret_end, verified)
      values (${endpoint.id}, ${delivery?.id}, now(), '{}', ${JSON.stringify({ mark })}, '', '', true) returning id::text`;
    return [String(delivery?.id), String(receipt?.id)];
  });
  return {
    endpoint_id: String(endpoint.id),
    view_id: String(view.id),
    key_id: String(keyList[0].id),
    call_id,
    delivery_id,
    receipt_id,
  };
}

// ---- The routes

/** These operations are left out: a new sandbox takes seconds, and has no data of others (sandboxes.test.ts). */
const makesSandbox = ({ method, path }: Operation) => method === "POST" && /^(\/test)?\/sandboxes$/.test(path);
const api = documentedOperations("openapi.json").filter((operation) => !makesSandbox(operation));
/** The routes of the portal that test mode also has (server/src/app/sandboxes/dispatch.ts). */
const testModeRoutes = documentedOperations("portal-openapi.json").filter(
  (operation) =>
    /^\/(keys|webhooks|calls|analytics|library|explorer|sandboxes)([/.]|$)/.test(operation.path) &&
    !makesSandbox(operation),
);

/** The parameters of a path, filled with the ids of another area. Null if that area has no such resource. */
function filled(path: string, foreign: Ids): string | null {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  if (names.some((name) => foreign[name] === undefined)) return null;
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(foreign[name] ?? ""));
}

/** The fields of a body that contain ids, with the ids of another area. */
function withForeign(body: unknown, foreign: Ids): unknown {
  const fields: Record<string, unknown> = {
    beat_id: Number(foreign.beat_id),
    beat_ids: [Number(foreign.beat_id)],
    audio: foreign.upload_id,
    upgrades_license: foreign.license_id,
    endpoint_id: Number(foreign.endpoint_id),
  };
  if (Array.isArray(body)) return body.map((each) => withForeign(each, foreign));
  if (typeof body !== "object" || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, name in fields ? fields[name] : withForeign(value, foreign)]),
  );
}

/** The query of a path: a text or an id of the area, or the required choice of a replay. */
const queriesOf = (path: string, area: Area): string =>
  ({ "/search": `?q=${marks[area]}`, "/beats": `?ids=${ids[area].beat_id}` })[path] ??
  (path.endsWith("/replay") ? "?which=failed" : "");

/** The removal of a missing resource is a success. */
const isIdempotent = ({ method, path }: Operation) =>
  method === "DELETE" && /\/(favorites|following|beats)\//.test(path);

/** The register of sandboxes is live, and shows an account's sandboxes to its test mode. */
const isOfOwnSandbox = (area: Area, path: string) => area === "test" && path.includes("/sandboxes/{sandbox_id}");

/** Calls an operation in an area with the ids of another area. Returns the fault; null without a fault. */
async function tryForeign(
  area: Area,
  operation: Operation,
  other: Area,
  send: (method: string, path: string, body: unknown) => ReturnType<typeof call>,
): Promise<string | null> {
  const { method, path, body } = operation;
  const url = filled(path, isOfOwnSandbox(area, path) ? { sandbox_id: databases.test } : ids[other]);
  if (url === null) return null;
  const response = await send(method, url + queriesOf(path, other), withForeign(body, ids[other]));
  const failureMessage = `${area}: ${method} ${path} with what ${other} has: ${response.statusCode} ${response.body.slice(0, 300)}`;
  if (response.statusCode >= 500) return failureMessage;
  const isFound = path.includes("{") && response.statusCode < 400 && !isIdempotent(operation);
  // A search repeats its text, and the request log contains the calls of its own area.
  const withoutEcho = /^\/(search|requests|calls)/.test(path)
    ? response.body.replaceAll(/"(query|q|text|term|path|body)":"(\\.|[^"\\])*"/g, "")
    : response.body;
  return isFound || withoutEcho.includes(marks[other]) ? failureMessage : null;
}

// ---- What is stored

/**
 * The tables that all calls write: the request log, the register of sandboxes with their last use, and the portal's
 * sessions. The license log and the last use of a key are written some time later.
 */
const changingTables = [
  ...["request_log_blocks", "request_log_days", "request_rollups", "sandboxes", "portal_sessions"],
  "license_log_published",
];

/** The stored data of an area, as one hash for each table. */
const storedIn = (area: Area): Promise<Record<string, string>> =>
  inArea(area, async (driver) => {
    const tables = await driver<{ name: string }[]>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname = 'public' and tablename <> all (${changingTables}) or schemaname = 'sandbox' and tablename = 'mails'
      order by 1`;
    const hashes = tables.map(
      ({ name }) =>
        `select '${name}' as name, md5(coalesce(string_agg(row, '' order by row), '')) as hash
          from (select (to_jsonb(t) - 'last_used_at')::text as row from ${name} t) rows`,
    );
    const rows = await driver.unsafe<{ name: string; hash: string }[]>(hashes.join(" union all "));
    return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
  });

/** Runs work in an area, and expects that the stored data of the other areas stays the same. */
async function leavingOthers(area: Area, work: () => Promise<void>): Promise<void> {
  const otherAreas = othersOf(area);
  // Test mode sends the mails of earlier calls in the background.
  await eventually(() =>
    inArea("test", async (driver) => {
      expect(await driver`select id from outgoing_mails where sent_at is null`).toHaveLength(0);
    }),
  );
  const before = await Promise.all(otherAreas.map(storedIn));
  const mails = portal.mails.length;
  await work();
  expect(await Promise.all(otherAreas.map(storedIn))).toEqual(before);
  if (area !== "live") expect(portal.mails).toHaveLength(mails);
}

// ---- The guarantees

test("the ids and the marks exist, each only in its area", async () => {
  for (const area of areas) {
    for (const { method, path } of api.filter(({ method }) => method === "GET")) {
      const url = filled(path, ids[area]);
      if (!path.includes("{") || url === null || (area !== "test" && path.startsWith("/test/"))) continue;
      const { statusCode, body } = await call(keys[area], method, `/v1${url}`);
      expect(statusCode, `${area}: ${url} ${body}`).toBe(200);
    }
    for (const path of [
      "/playlists",
      `/search?q=${marks[area]}`,
      `/beats/${ids[area].beat_id}`,
      "/uploads",
      "/events?limit=1000",
    ])
      expect((await call(keys[area], "GET", `/v1${path}`)).body, `${area}: ${path}`).toContain(marks[area]);
    if (area === "sandbox") continue;
    for (const { method, path } of testModeRoutes.filter(({ method }) => method === "GET")) {
      const url = filled(path, ids[area]);
      if (!path.includes("{") || url === null) continue;
      const { statusCode, body } = await callPortal(area, method, url + queriesOf(path, area));
      expect([200, 204, 409], `${area}: ${url} ${statusCode} ${body}`).toContain(statusCode);
    }
  }
});

describe.each(areas)("a call in %s", (area) => {
  test("of every operation finds, shows and changes no data of the other areas", async () => {
    await leavingOthers(area, async () => {
      const send = (method: string, path: string, body: unknown) => call(keys[area], method, `/v1${path}`, body);
      const wrong = [];
      for (const operation of api)
        for (const other of othersOf(area)) wrong.push(await tryForeign(area, operation, other, send));
      expect(wrong.filter((each) => each !== null)).toEqual([]);
    });
  });
});

describe.each(["live", "test"] as const)("the portal in %s", (area) => {
  test("finds, shows and changes no data of the other areas, by every route that test mode has", async () => {
    await leavingOthers(area, async () => {
      const send = (method: string, path: string, body: unknown) => callPortal(area, method, path, body);
      const wrong = [];
      for (const operation of testModeRoutes)
        for (const other of othersOf(area)) wrong.push(await tryForeign(area, operation, other, send));
      expect(wrong.filter((each) => each !== null)).toEqual([]);
    });
  });
});

/** The number of requests that a key has left today, which does not include the request that returns it. */
async function leftToday(key: string): Promise<number> {
  const { headers } = await call(key, "GET", "/v1/genres");
  return Number(/"day";r=(\d+)/.exec(String(headers.ratelimit))?.[1]);
}

test("a call in an area counts towards no limit of another area", async () => {
  const limited: Record<Area, string> = {
    live: (await makeKey(developer, { name: "Limited" })).json().key,
    test: (await makeKey(developer, { name: "Limited" }, { "x-mode": "test" })).json().key,
    sandbox: keys.sandbox,
  };
  const setPlan = (plan: string) => inArea("sandbox", (driver) => driver`update api_keys set plan = ${plan}`);
  await setPlan("plus");
  // A plan is cached for half a second.
  await eventually(async () => expect(await leftToday(limited.sandbox)).not.toBeNaN());
  for (const area of areas) {
    const leftInOthers = () => Promise.all(othersOf(area).map((other) => leftToday(limited[other])));
    const before = await leftInOthers();
    expect(before).not.toContain(Number.NaN);
    for (let count = 0; count < 3; count++) await call(limited[area], "GET", "/v1/genres");
    expect(await leftInOthers(), area).toEqual(before.map((remaining) => remaining - 1));
  }
  await setPlan("internal");
  await eventually(async () => expect(await leftToday(limited.sandbox)).toBeNaN());
});

test.each(areas)("the export of %s has only the beats of that area", async (area) => {
  const response = await call(keys[area], "GET", "/v1/exports/beats.ndjson.gz");
  expect(response.statusCode, response.body).toBe(200);
  const text = gunzipSync(response.rawPayload).toString();
  expect(text).toContain(marks[area]);
  for (const other of othersOf(area)) expect(text).not.toContain(marks[other]);
});

test("the export of an account has only live data", async () => {
  const { statusCode, body } = await callPortal("live", "POST", "/account/export");
  expect(statusCode, body).toBe(200);
  expect(body).toContain(marks.live);
  for (const other of othersOf("live")) expect(body).not.toContain(marks[other]);
});

test("no stored file belongs to two areas, so that a backup copies only live files", async () => {
  const files = await Promise.all(
    areas.map((area) =>
      inArea(area, async (driver) => {
        const rows = await driver<{ sha256: string }[]>`select sha256 from stored_objects`;
        return rows.map(({ sha256 }) => sha256);
      }),
    ),
  );
  expect(files.flat()).not.toEqual([]);
  expect(new Set(files.flat()).size).toBe(files.flat().length);
});

test("a stream has only the events of its area, however many happen in the others", async () => {
  const streams = await Promise.all(
    areas.map(async (area) => {
      const { next } = await dataOf(call(keys[area], "GET", "/v1/events?limit=1000"));
      const response = await portal.api.request({
        method: "GET",
        url: `/v1/events?after=${next}&type=user.updated`,
        payloadAsStream: true,
        headers: { authorization: `Bearer ${keys[area]}`, accept: "text/event-stream" },
      });
      const stream = { area, text: "" };
      const readable = response.stream();
      readable.setEncoding("utf8").on("data", (chunk: string) => {
        stream.text += chunk;
      });
      return { stream, readable };
    }),
  );
  for (const area of [...areas, ...areas])
    await dataOf(call(keys[area], "PUT", "/v1/users/profile", { location: `${marks[area]} ${Math.random()}` }));
  for (const { stream, readable } of streams) {
    await eventually(async () => expect(stream.text.match(/^data: /gm)).toHaveLength(2));
    for (const other of othersOf(stream.area)) expect(stream.text).not.toContain(marks[other]);
    readable.destroy();
  }
});

test("a link that one area has signed is invalid in another", async () => {
  for (const area of ["test", "sandbox"] as const) {
    const files = (await call(keys[area], "GET", `/v1/orders/${ids[area].order_id}/files`)).body;
    const links = [...files.matchAll(/https:\/\/[^"]+\/sandboxes\/[0-9a-z]{16}(\/[^"]+)/g)];
    expect(links).not.toEqual([]);
    for (const [, path = ""] of links) {
      const response = await portal.api.request({ method: "GET", url: path });
      expect(response.statusCode, path).toBeGreaterThanOrEqual(400);
    }
  }
});
