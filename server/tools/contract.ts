import type { CatalogueQueries } from "@beatmarket/catalogue-index/query.ts";
import { timestamp } from "@beatmarket/http/formats.ts";
import {
  type ApiRoute,
  type ClientRoute,
  type Example,
  isClientRoute,
  type ResourceRoute,
} from "@beatmarket/http/pipeline/api-route.ts";
import { versionHeader } from "@beatmarket/http/pipeline/wire-version.ts";
import type { RateLimitStore } from "@beatmarket/http/rate-limit/store.ts";
import { inject } from "@beatmarket/http/testing/inject.ts";
import type { CallLog } from "@beatmarket/request-log/call-log.ts";
import type { Tus } from "@beatmarket/resumable-uploads/tus.ts";
import type { SecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { firstEventId } from "@beatmarket/webhooks/events/event-ids.ts";
import { eventPayload } from "@beatmarket/webhooks/events/outbox.ts";
import { sql } from "kysely";
import type { Permission } from "../src/access/roles.ts";
import { firstVersion, versions } from "../src/access/versions.ts";
import { apiEvents, apiRoutes } from "../src/app/routes.ts";
import type { App } from "../src/app/services/scope.ts";
import type { Queryable } from "../src/database/connect.ts";
import { connectionTo, openApiDocument, type RecordedExamples } from "../src/openapi/document.ts";
import type { AdminParts } from "../src/portal/admin/routes.ts";
import type { Accounts } from "../src/portal/auth/accounts.ts";
import type { ContactRouteParts } from "../src/portal/contacts/routes.ts";
import type { KeyProposals } from "../src/portal/keys/proposals.ts";
import type { LibraryParts } from "../src/portal/library/routes.ts";
import type { MarketParts } from "../src/portal/market/routes.ts";
import { portalDocument } from "../src/portal/openapi.ts";
import { portalRoutes } from "../src/portal/portal.ts";
import {
  beatCreated,
  beatUpdated,
  exclusiveSaleReference,
  publishingFailureReference,
  takedownReference,
  withdrawalReference,
} from "../src/resources/beats/beat-events.ts";
import type { BeatCatalogue } from "../src/resources/beats/catalogue/beat-catalogue.ts";
import type { EditContext } from "../src/resources/beats/publishing/own-beats.ts";
import { findSingleBeats } from "../src/resources/beats/queries.ts";
import type { ChangeFeed } from "../src/resources/changes/routes.ts";
import type { EventFeed } from "../src/resources/events/feed.ts";
import type { EventStreams } from "../src/resources/events/streams.ts";
import type { Exports } from "../src/resources/exports/exports.ts";
import type { AnswerParts } from "../src/resources/licenses/answers/ask.ts";
import type { CheckoutDependencies } from "../src/resources/orders/checkout.ts";
import type { Fulfilments } from "../src/resources/orders/fulfilment/fulfilments.ts";
import type { InvoiceParts } from "../src/resources/orders/invoices/routes.ts";
import type { Order } from "../src/resources/orders/order.ts";
import { failureReference, refundReference } from "../src/resources/orders/present.ts";
import { payoutFields } from "../src/resources/payouts/events.ts";
import type { Payout } from "../src/resources/payouts/payout.ts";
import { uploadFields } from "../src/resources/uploads/present.ts";
import type { Analysis, Upload } from "../src/resources/uploads/upload.ts";
import { eventTypes } from "../src/resources/webhooks/event-types.ts";
import { eventJson } from "../src/resources/webhooks/outbox.ts";
import { clientOperations } from "./client-operations.ts";
import { insertExampleFavorites } from "./example-beats.ts";
import { exampleSandboxId, type TestMode } from "./test-mode.ts";

/** The time of the recorded examples. It is fixed, so that the examples are the same in every run. */
export const recordedAtMs = Date.parse("2026-11-20T12:00:00Z");
export const publicUrl = "https://localhost:8443";

/** Creates the API keys for the calls of the examples. */
export type MakeKey = (options: {
  plan: "internal" | "standard";
  permissions?: readonly Permission[];
}) => Promise<string>;

/** The API on the demo catalogue, as the test mode of the account of the examples. */
export interface DemoApi {
  app: App;
  makeKey: MakeKey;
  testMode: TestMode;
}

/** The operation table for the document. No route of it is called. */
export const documentedRoutes = (): ApiRoute[] =>
  apiRoutes({
    beatsOn: () => ({}) as BeatCatalogue,
    index: {} as CatalogueQueries,
    publishing: {} as EditContext,
    checkout: {} as CheckoutDependencies,
    fulfilments: {} as Fulfilments,
    sendArchive: async () => ({ status: 200 }),
    invoices: {} as InvoiceParts,
    answers: {} as AnswerParts,
    changes: {} as ChangeFeed,
    events: {} as EventFeed,
    eventStreams: {} as EventStreams,
    exports: {} as Exports,
    tus: {} as Tus,
    standardBytes: 0,
    sandboxes: null,
    triggerEvent: async () => ({}),
    callLog: {} as CallLog,
  });

/** The request of an example, relative to the base address. */
export function exampleRequest(
  route: ClientRoute,
  example: Example,
): { method: ClientRoute["method"]; path: string; headers: Record<string, string>; body?: unknown } {
  const query = new URLSearchParams();
  let path = route.path;
  for (const [name, value] of Object.entries(example.parameters ?? {}))
    if (path.includes(`:${name}`)) path = path.replace(`:${name}`, encodeURIComponent(value));
    else query.set(name, String(value));
  return {
    method: route.method,
    path: query.size === 0 ? path : `${path}?${query}`,
    headers: example.headers ?? {},
    ...(example.body !== undefined && { body: example.body }),
  };
}

/**
 * Sends every example of the operation table to an API that serves the demo catalogue, and records the responses. With
 * a version, each call requests that version.
 */
export async function recordExamples(
  { app, makeKey, testMode }: DemoApi,
  db: Queryable,
  version?: string,
): Promise<RecordedExamples> {
  const key = await makeKey({ plan: "internal" });
  const call = async (route: ClientRoute, example: Example, bearer: string | null, accept = "application/json") => {
    const { method, path, headers, body } = exampleRequest(route, example);
    await insertExampleFavorites(db, new Date(recordedAtMs - 86_400_000));
    if (path.startsWith("/test/")) await testMode.insertExample(true);
    const answer = await inject(app, {
      method,
      url: `/v1${path}`,
      headers: {
        ...headers,
        accept,
        ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
        ...(version !== undefined && { [versionHeader]: version }),
      },
      ...(body !== undefined && { payload: body as object }),
    });
    return JSON.parse(
      answer.payload
        .replaceAll(/checkout_[\w-]{24}/g, shownCheckoutKey)
        .replaceAll(/pl_(?!0{21})[\w-]{22}/g, shownPlaylistId)
        .replaceAll(/bm_test_[0-9a-z]{16}_\w{46}/g, shownTestKey)
        .replaceAll(/(?<="id":"|\/sandboxes\/)[0-9a-z]{16}(?=")/g, exampleSandboxId),
    ) as unknown;
  };

  const operations: RecordedExamples["operations"] = {};
  const routes = documentedRoutes().filter(isClientRoute);
  const eventsOf = () => recordEvents(db, version ?? firstVersion.date);
  let events: RecordedExamples["events"] | undefined;
  for (const route of routes) {
    // The calls of test mode come last, because they cause events too.
    if (route.ofTestMode === true) events ??= await eventsOf();
    const { success, invalid, missing, conflict, changed } = route.examples;
    operations[route.operationId] = {
      ...(route.file === undefined && {
        reference: await call(route, success, key),
        console: await call(route, success, key, "application/vnd.beatmarket.console+json"),
      }),
      errors: {
        ...(invalid !== undefined && { 400: await call(route, invalid, key) }),
        ...(missing !== undefined && { 404: await call(route, missing, key) }),
        ...(conflict !== undefined && { 409: await call(route, conflict, key) }),
        ...(changed !== undefined && { 412: await call(route, changed, key) }),
      },
    };
  }

  const operation = (operationId: string): ResourceRoute => {
    const route = routes.find((route) => route.operationId === operationId);
    if (route?.file !== undefined || route === undefined)
      throw new Error(`The operation table has no resource of ${operationId}.`);
    return route;
  };
  const listBeats = operation("listBeats");
  const createOrder = operation("createOrder");
  const standard = await makeKey({ plan: "standard" });
  for (let request = 0; request < 10; request++) await call(listBeats, {}, standard);
  const shared = {
    401: await call(listBeats, {}, null),
    403: await call(listBeats, {}, await makeKey({ plan: "internal", permissions: ["genres:read"] })),
    405: await call({ ...listBeats, method: "PUT" }, {}, key),
    406: await call(listBeats, {}, key, "text/html"),
    // Responses that only slow connections and accidents cause are written here.
    408: {
      status: "error",
      error: {
        code: "invalid_request",
        message: "Request timeout",
        details: "The request came too slowly: its headers have 15 seconds.",
      },
    },
    413: await call(createOrder, { body: { payment_method: "x".repeat(100_000) } }, key),
    415: await call(createOrder, { headers: { "content-type": "text/plain" }, body: "beat_id=1" }, key),
    429: await call(listBeats, {}, standard),
    431: {
      status: "error",
      error: {
        code: "invalid_request",
        message: "Headers too large",
        details: "The headers may have at most 16 kB together.",
      },
    },
    500: {
      status: "error",
      error: {
        code: "server_error",
        message: "Unexpected server error",
        details:
          "Something went wrong on our side; it has been logged. Quote request id 0b8f5f3e-6f0a-4c6e-9f5e-2f0f4a3c9d11 when you report it.",
      },
    },
    503: {
      status: "error",
      error: {
        code: "server_error",
        message: "Service unavailable",
        details: "The service is overloaded or its database is out of reach. Try again in a few seconds.",
      },
    },
  };
  return { operations, shared, events: events ?? (await eventsOf()) };
}

/** The id of a playlist that the documentation shows. */
const shownPlaylistId = "pl_7Qm2Vd9sXcK4fT1hWb8NzA";

/** The key of a sandbox that the documentation shows. */
const shownTestKey = `bm_test_${exampleSandboxId}_${"0".repeat(46)}`;

/** The payment key of a checkout that the documentation shows. */
const shownCheckoutKey = "checkout_2mV8hQ0bYxK3nT6rWc4Lp9Zs";

/** The id of the event that the documentation shows. */
const shownEventId = `${firstEventId(recordedAtMs)}0123456789ABCDEF`;

/** One event of each type, the first by `data`, with fixed values in place of those that differ by run. */
async function recordEvents(db: Queryable, version: string): Promise<RecordedExamples["events"]> {
  const events: RecordedExamples["events"] = {};
  for (const type of eventTypes) {
    const { payload } = await db
      .selectFrom("events")
      .select("payload")
      .where("type", "=", type)
      .orderBy(sql`payload::jsonb -> 'data'`)
      .limit(1)
      .executeTakeFirstOrThrow();
    const { data } = JSON.parse(payload) as { data: object };
    const at = new Date(recordedAtMs);
    const shownData = type === "user.registered" ? { ...data, created_at: timestamp(at) } : data;
    events[type] = JSON.parse(eventJson(eventPayload(shownEventId, { type, data: shownData, at }), version));
  }
  return events;
}

const exampleAnalysis: Analysis = {
  bpm: 140,
  bpm_confidence: 0.93,
  bpm_alternative: 70,
  key: "A minor",
  key_confidence: 0.81,
  key_alternative: "C major",
  duration: 104,
  format: "wav",
  sample_rate: 44_100,
  channels: 2,
  loudness_lufs: -9.4,
  true_peak_dbtp: -0.3,
  clipped_samples: 0,
  silence_start: 0,
  silence_end: 1.2,
};

/** Inserts the events that no call of the examples causes, with fixed ids and data from the service's presenters. */
export async function insertBeatEvents(db: Queryable): Promise<void> {
  const { id } = await db.selectFrom("beats").select("id").orderBy("id").executeTakeFirstOrThrow();
  const [beat] = (await findSingleBeats(db, [id])).values();
  if (beat === undefined) throw new Error(`Beat ${id} is gone.`);
  const at = new Date(recordedAtMs);
  const order = {
    id: 1042,
    beat_id: beat.id,
    title: beat.title,
    producer_id: beat.user_id,
    producer_name: beat.producer_name,
    license_type: "premium",
    amount_cents: 5_990,
    currency: "USD",
    user_id: 42,
    refunded_cents: 5_990,
    refunded_at: at,
    failure_reason: "The card was declined.",
  } as Order;
  const payout = {
    id: 17,
    amount_cents: 15_470,
    currency: "USD",
    stripe_account: null,
    status: "sent",
    failure_reason: null,
    created_at: at,
    sent_at: at,
    settled_at: null,
  } as Payout;
  const returned = { status: "failed", settled_at: at, failure_reason: "AC04: the account is closed" } as const;
  const upload = {
    id: "upl_0000000000000000000001",
    kind: "audio",
    filename: "Midnight Lantern.wav",
    bytes: 18_345_678,
    received: 18_345_678,
    sha256: "3b1f6d0e".repeat(8),
    created_at: at,
    used_at: null,
    expires_at: new Date(recordedAtMs + 86_400_000),
  } as const;
  const ready = { ...upload, status: "ready", rejection: null, analysis: exampleAnalysis } as const;
  const rejection = "This is not audio that we can read.";
  const rejected = {
    ...upload,
    sha256: null,
    filename: "Notes.wav",
    status: "rejected",
    rejection,
    analysis: null,
  } as const;
  const events = [
    { id: `${firstEventId(recordedAtMs)}0000000000000000`, ...beatCreated(beat, publicUrl, at) },
    { id: shownEventId, ...beatUpdated(beat, ["price", "licenses"], publicUrl, at) },
  ];
  // These events have no audience, so that no example lists a delivery.
  const entries = [
    { type: "beat.withdrawn", data: withdrawalReference(beat, at) },
    { type: "beat.taken_down", data: takedownReference(beat, at) },
    { type: "beat.sold_exclusively", data: exclusiveSaleReference(beat, at) },
    { type: "order.refunded", data: refundReference(order) },
    { type: "order.failed", data: failureReference(order) },
    { type: "upload.ready", data: uploadFields(ready as Upload) },
    { type: "upload.rejected", data: uploadFields(rejected as Upload) },
    { type: "payout.sent", data: payoutFields(payout) },
    { type: "payout.paid", data: payoutFields({ ...payout, status: "paid", settled_at: at }) },
    { type: "payout.failed", data: payoutFields({ ...payout, ...returned }) },
    { type: "beat.publishing_failed", data: publishingFailureReference(beat, `The audio was rejected: ${rejection}`) },
  ] as const;
  const rows = events.map((event) => ({
    id: event.id,
    type: event.type,
    created_at: at,
    payload: eventPayload(event.id, event),
  }));
  const rowsWithoutAudience = entries.map(({ type, data }, index) => {
    const id = `${firstEventId(recordedAtMs)}00000000000000${10 + index}`;
    return { id, type, created_at: at, payload: eventPayload(id, { type, data, at }), audience: [] };
  });
  await db.insertInto("events").values(rows).execute();
  await db.insertInto("events").values(rowsWithoutAudience).execute();
}

/** Inserts the uploads of the examples: one that is ready, and one of each kind of rejection. */
export async function insertUploads(db: Queryable, email: string): Promise<void> {
  const { id: user_id } = await db
    .selectFrom("users")
    .select("id")
    .where("email", "=", email)
    .executeTakeFirstOrThrow();
  const uploadIds = ["upl_0000000000000000000001", "upl_0000000000000000000002", "upl_0000000000000000000003"] as const;
  const upload = {
    user_id,
    kind: "audio",
    bytes: 18_345_678,
    received: 18_345_678,
    expires_at: new Date(recordedAtMs + 86_400_000),
  };
  const at = (second: number) => new Date(recordedAtMs + second * 1_000);
  await db
    .insertInto("uploads")
    .values([
      {
        ...upload,
        id: uploadIds[0],
        filename: "Midnight Lantern.wav",
        created_at: at(3),
        status: "ready",
        analysis: JSON.stringify(exampleAnalysis),
      },
      {
        ...upload,
        id: uploadIds[1],
        filename: "Copper Sky.wav",
        created_at: at(2),
        status: "rejected",
        is_retriable: true,
        rejection: "The file took too long to read.",
      },
      {
        ...upload,
        id: uploadIds[2],
        filename: "Notes.wav",
        created_at: at(1),
        status: "rejected",
        rejection: "This is not audio that we can read.",
      },
    ])
    .execute();
  const file = { sha256: "3b1f6d0e".repeat(8), bytes: upload.bytes };
  await db
    .insertInto("stored_objects")
    .values({ ...file, state: "stored", touched_at: at(3) })
    .execute();
  await db
    .insertInto("upload_files")
    .values({ ...file, upload_id: uploadIds[0], name: "original", content_type: "audio/wav" })
    .execute();
}

/** Examples of operations and events. */
export type ChangedExamples = Pick<RecordedExamples, "operations" | "events">;

/** The content of contract/versions/<date>.json: the examples that differ from those of the version before. */
export function changedExamples(before: ChangedExamples, after: ChangedExamples): ChangedExamples {
  const changed = <T>(from: Record<string, T>, to: Record<string, T>) =>
    Object.fromEntries(
      Object.entries(to).filter(([name, example]) => JSON.stringify(example) !== JSON.stringify(from[name])),
    );
  return {
    operations: changed(before.operations, after.operations),
    events: changed(before.events, after.events),
  };
}

/** The text of contract/openapi.json. */
export const documentText = (examples: RecordedExamples): string =>
  `${JSON.stringify(openApiDocument(documentedRoutes(), apiEvents, examples, { site: "Beat Marketplace", connection: connectionTo(publicUrl, ".data/tls/ca.pem") }), null, 2)}\n`;

/** The text of contract/event-types.json: each type of event with a sentence about it, from contract/openapi.json. */
export function eventTypesText(document: string): string {
  const { components } = JSON.parse(document) as {
    components: { pathItems: Record<string, { post: { summary: string } }> };
  };
  const types = Object.entries(components.pathItems).map(([type, { post }]) => ({ type, summary: post.summary }));
  return `${JSON.stringify(types, null, 2)}\n`;
}

/** The text of contract/api-versions.json: every version with a sentence about it, for the portal. */
export const versionsText = (): string =>
  `${JSON.stringify(
    versions.map(({ date, summary }) => ({ date, summary })),
    null,
    2,
  )}\n`;

/** The text of contract/snippets/operations.json. */
export const operationsText = (): string => `${JSON.stringify(clientOperations(documentedRoutes()), null, 2)}\n`;

/** The text of contract/portal-openapi.json. No route is called. */
export const portalDocumentText = (): string => {
  const earnings = { currency: "USD", clearingDays: 7, commissionBasisPoints: 0, publicUrl };
  const routes = portalRoutes({
    accounts: {} as Accounts,
    proposals: {} as KeyProposals,
    permissionOf: new Map(),
    rateLimits: {} as RateLimitStore,
    callLog: {} as CallLog,
    attempts: { count: async () => {} },
    keySecrets: () => [""],
    publicUrl,
    baseUrl: `${publicUrl}/v1`,
    caFile: null,
    payments: "sandbox",
    demoEmail: "demo@beatmarket.example",
    mailsAreFiles: true,
    hasTestMode: true,
    webhooks: { secrets: {} as SecretBox, allowPrivate: false },
    studio: { publishing: {} as EditContext, currency: "USD", standardBytes: 0 },
    market: {} as MarketParts,
    contact: {} as ContactRouteParts,
    library: {} as LibraryParts,
    earnings,
    sandboxes: null,
    admin: {
      payouts: { ...earnings, debtor: null, hasStripe: false },
      overview: { folders: {}, limits: null, backups: null },
    } as unknown as AdminParts,
  });
  return `${JSON.stringify(portalDocument(routes), null, 2)}\n`;
};
