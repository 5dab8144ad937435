import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { firstVersion, versionOf, versions } from "../../src/access/versions.ts";
import type { RecordedExamples } from "../../src/openapi/document.ts";
import { examplesOf } from "../../src/openapi/served-documents.ts";
import { eventJson, newestEvent } from "../../src/resources/webhooks/outbox.ts";
import { type ChangedExamples, documentedRoutes, recordExamples, versionsText } from "../../tools/contract.ts";
import { demoApi } from "../../tools/demo-api.ts";
import { testApi } from "../harness/api.ts";
import { testDatabase } from "../harness/database/database.ts";
import { asRecorded, eventAsRecorded } from "../harness/documents/replayed.ts";
import { withTestMode } from "../harness/sandboxes.ts";

const contract = new URL("../../../contract/", import.meta.url);
const read = async <T>(path: string): Promise<T> => JSON.parse(await readFile(new URL(path, contract), "utf8"));
const recordedExamples = await read<RecordedExamples>("examples.json");
const [releasedFile = ""] = (await readdir(new URL("released/", contract))).filter((name) =>
  name.startsWith("examples-"),
);
/** The examples of the last release, which `npm run contract` does not rewrite. */
const released = await read<RecordedExamples>(`released/${releasedFile}`);

test("contract/api-versions.json lists the versions (npm run contract)", async () => {
  expect(await readFile(new URL("api-versions.json", contract), "utf8")).toBe(versionsText());
});

test("docs/api/versioning.md has a row for each version", async () => {
  const page = await readFile(new URL("../docs/api/versioning.md", contract), "utf8");
  const rows = [...page.matchAll(/^\| `(\d{4}-\d{2}-\d{2})` \|/gm)].map(([, date]) => date);
  expect(rows).toEqual(versions.map(({ date }) => date));
});

test("contract/versions has a file for each version after the first, each with a change", async () => {
  const later = versions.slice(1).map(({ date }) => date);
  expect(await readdir(new URL("versions/", contract))).toEqual(later.map((date) => `${date}.json`));
  for (const date of later) {
    const { operations, events } = await read<ChangedExamples>(`versions/${date}.json`);
    expect({ ...operations, ...events }).not.toEqual({});
  }
});

test.each(versions.map(({ date }) => date))("%s returns every recorded example byte for byte", async (date) => {
  const database = await testDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-versions-"));
  const demo = await demoApi(database, dataDir, (await withTestMode("versions_")).sandboxServer);
  try {
    const currentExamples = await recordExamples(demo, database.query, date);
    const earlierExamples = await examplesOf(versionOf(date) ?? firstVersion, recordedExamples);
    for (const [operation, example] of Object.entries(earlierExamples.operations))
      expect(JSON.stringify(currentExamples.operations[operation]), operation).toBe(JSON.stringify(example));
    for (const [type, body] of Object.entries(earlierExamples.events))
      expect(JSON.stringify(currentExamples.events[type]), type).toBe(JSON.stringify(body));
    expect(currentExamples.shared).toEqual(earlierExamples.shared);
    expect(changedSince(await examplesOf(versionOf(date) ?? firstVersion, released), currentExamples)).toEqual([]);
  } finally {
    await demo.testMode.close();
    await demo.app.close();
    await rm(dataDir, { recursive: true });
  }
});

/** The examples of a release that have changed for clients, by operation, event type or status. */
function changedSince(earlier: RecordedExamples, current: RecordedExamples): string[] {
  const changed = (recorded: object, today: object, maskChanges: typeof asRecorded): string[] =>
    Object.entries(recorded)
      .filter(([name, example]) => {
        const masked = maskChanges(example, (today as Record<string, unknown>)[name]);
        return JSON.stringify(masked) !== JSON.stringify(example);
      })
      .map(([name]) => name);
  return [
    ...changed(earlier.operations, current.operations, asRecorded),
    ...changed(earlier.events, current.events, eventAsRecorded),
    ...changed(earlier.shared, current.shared, asRecorded),
  ];
}

describe("the examples of the last release", () => {
  type Edit = (examples: typeof released) => unknown;
  type Example<Id extends string, Recorded> = { operations: Record<Id, Recorded> };
  type Fields = Record<string, unknown>;
  const genres = (examples: object) =>
    (examples as Example<"listGenres", { reference: { data: { genres: Fields[] } } }>).operations.listGenres.reference
      .data;
  const missing = (examples: object) =>
    (examples as Example<"getBeat", { errors: Record<404, { error: Fields }> }>).operations.getBeat.errors[404].error;
  const beat = (examples: typeof released) => examples.events["beat.created"] as { data: Fields };

  it.each<[string, Edit, string]>([
    ["an operation", ({ operations }) => Reflect.deleteProperty(operations, "listGenres"), "listGenres"],
    ["a field", (examples) => Reflect.deleteProperty(genres(examples).genres[0] ?? {}, "slug"), "listGenres"],
    ["a value", (examples) => Object.assign(genres(examples).genres[0] ?? {}, { slug: "other" }), "listGenres"],
    ["a type", (examples) => Object.assign(genres(examples).genres[0] ?? {}, { id: "1" }), "listGenres"],
    ["an item", (examples) => genres(examples).genres.push({ id: 99 }), "listGenres"],
    [
      "the order of fields",
      (examples) => genres(examples).genres.push(...genres(examples).genres.splice(0, 1).map(reversed)),
      "listGenres",
    ],
    ["a field of an event", (examples) => Reflect.deleteProperty(beat(examples).data, "title"), "beat.created"],
    ["the envelope of an event", (examples) => Object.assign(beat(examples), { sequence: 1 }), "beat.created"],
    ["the code of an error", (examples) => Object.assign(missing(examples), { code: "gone" }), "getBeat"],
    ["the type of an error's details", (examples) => Object.assign(missing(examples), { details: null }), "getBeat"],
  ])("show that %s was changed", (_, edit, expectedChange) => {
    const edited = structuredClone(released);
    edit(edited);
    expect(changedSince(released, edited)).toEqual([expectedChange]);
  });

  it.each<[string, Edit]>([
    ["a new operation", ({ operations }) => Object.assign(operations, { listMoods: operations.listGenres })],
    ["a new field of a response", (examples) => Object.assign(genres(examples).genres[0] ?? {}, { mood: "calm" })],
    ["a new field of an event's data", (examples) => Object.assign(beat(examples).data, { mood: "calm" })],
    ["another wording of an error", (examples) => Object.assign(missing(examples), { details: "There is none." })],
  ])("allow %s", (_, edit) => {
    const edited = structuredClone(released);
    edit(edited);
    expect(changedSince(released, edited)).toEqual([]);
  });
});

const reversed = (fields: object): Record<string, unknown> => Object.fromEntries(Object.entries(fields).reverse());

describe("/openapi.json", async () => {
  const api = await testApi();
  const served = (query: string, address = "/openapi.json") =>
    api.request({ method: "GET", url: `${address}${query}` });

  it.each(versions.map(({ date }) => date))(
    "of %s has schemas that accept the examples of this version and reject the events of every other",
    async (date) => {
      const document = (await served(`?version=${date}`)).json();
      const ajv = new Ajv2020({ strict: false, validateFormats: false });
      ajv.addSchema(document, "openapi");
      const { events } = await examplesOf(versionOf(date) ?? firstVersion, recordedExamples);
      for (const [type, event] of Object.entries(events)) {
        const { schema, example } = document.components.pathItems[type].post.requestBody.content["application/json"];
        expect(example, type).toEqual(event);
        const validate = ajv.compile({ $ref: `openapi${schema.$ref}` });
        expect(validate(example), JSON.stringify(validate.errors)).toBe(true);
        for (const other of versions.filter((version) => version.date !== date)) {
          const { events } = await examplesOf(other, recordedExamples);
          expect(validate(events[type]), `${type} of ${other.date}`).toBe(false);
        }
      }
      for (const { get } of Object.values<{
        get?: { responses: Record<string, { content?: Record<string, { schema: object; example?: object }> }> };
      }>(document.paths))
        for (const [form, { schema, example }] of Object.entries(get?.responses["200"]?.content ?? {}))
          if (example !== undefined && form.endsWith("json"))
            expect(ajv.validate(absolute(schema), example), JSON.stringify([example, ajv.errors])).toBe(true);
    },
  );

  it("without a version parameter is the document of the first version", async () => {
    expect((await served("")).body).toBe((await served(`?version=${firstVersion.date}`)).body);
    expect((await served("?version=2026-11-28", "/explorer/openapi.json")).body).toBe(
      (await served("?version=2026-11-28")).body,
    );
  });

  it.each(["2026-11-19", "newest", ""])("of version %j is 400 with the existing versions", async (version) => {
    const response = await served(`?version=${version}`);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toMatch(/^The version parameter .* 2026-11-20 or 2026-11-28\./);
  });
});

/** A schema whose references are those of the document. */
const absolute = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"openapi#/'));

const body = fc
  .record({
    id: fc.string(),
    // The upper limit is the end of the year 9999, the last one of ISO 8601. Times are whole seconds.
    created: fc.integer({ min: 0, max: 253_402_300_799 }),
    type: fc.string(),
    data: fc.dictionary(fc.string(), fc.jsonValue()),
  })
  .map((event) => JSON.stringify(event));

/** Freezes an object and what it contains, so that a transform that changes its input throws. */
const frozen = <T>(value: T): T => {
  if (typeof value === "object" && value !== null) for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
};

describe("transforms", () => {
  it("belong to existing operations, and every changed operation has a transform", async () => {
    const operationIds = new Set(documentedRoutes().map(({ operationId }) => operationId));
    const changed = await Promise.all(
      versions.slice(1).map(({ date }) => read<ChangedExamples>(`versions/${date}.json`)),
    );
    const operations = [...new Set(changed.flatMap((member) => Object.keys(member.operations)))];
    expect(operations.filter((operation) => !operationIds.has(operation))).toEqual([]);
    const reshaped = [...operationIds].filter((operation) => versions[0]?.reshapeOf(operation) !== undefined);
    expect(reshaped.sort()).toEqual(operations.sort());
  });

  it("restore the bytes of any event from the newest shape, and change no input", () => {
    fc.assert(
      fc.property(body, (payload) => {
        const newest = frozen(newestEvent(payload));
        const before = JSON.stringify(newest);
        for (const { date, reshapeEvent } of versions) {
          const shaped = reshapeEvent?.(newest) ?? newest;
          expect(JSON.stringify(shaped)).toBe(eventJson(payload, date));
          expect(JSON.stringify(reshapeEvent?.(newest) ?? newest)).toBe(JSON.stringify(shaped));
        }
        expect(JSON.stringify(newest)).toBe(before);
        expect(JSON.stringify(versions[0]?.reshapeEvent?.(newest))).toBe(payload);
      }),
    );
  });

  it("reach the events in the responses of listEvents and getEvent in both forms, and change no input", () => {
    fc.assert(
      fc.property(fc.array(body, { maxLength: 5 }), fc.constantFrom("reference", "console"), (payloads, form) => {
        const events = payloads.map(newestEvent);
        const envelope = form === "reference" ? { status: "success" } : { success: true };
        const [event] = events;
        for (const { reshapeOf, reshapeEvent = (newest: object) => newest } of versions) {
          const list = frozen({ ...envelope, data: { events, next: 3 } });
          expect(reshapeOf("listEvents")?.(list, form) ?? list).toEqual({
            ...envelope,
            data: { events: events.map(reshapeEvent), next: 3 },
          });
          if (event === undefined) continue;
          const eventBody = frozen({ ...envelope, data: form === "reference" ? { event } : event });
          const shaped = reshapeEvent(event);
          expect(reshapeOf("getEvent")?.(eventBody, form) ?? eventBody).toEqual({
            ...envelope,
            data: form === "reference" ? { event: shaped } : shaped,
          });
        }
      }),
    );
  });
});
