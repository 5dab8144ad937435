import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { openRoutes } from "@beatmarket/http/testing/routes.ts";
import { expect, test } from "vitest";
import { testDatabase } from "../../test/harness/database/database.ts";
import { insertUpload } from "../../test/harness/database/uploads.ts";
import type { Account } from "../access/account.ts";
import { openTransfers } from "./transfers.ts";
import { uploadMediaRoutes } from "./upload-files.ts";

const database = await testDatabase();
const { query: db } = database;
const content = "the bytes of a recording";
const hash = createHash("sha256").update(content).digest("hex");
const app = openRoutes(
  uploadMediaRoutes({
    db,
    clock: systemClock,
    concurrency: new ConcurrencyLimiter(),
    transfers: openTransfers(),
    objects: {
      open: async (sha256, range) =>
        Readable.from(
          Buffer.from(sha256 === hash ? content : sha256).subarray(range?.first ?? 0, (range?.last ?? 999) + 1),
        ),
    },
    // The cookie of a test is the id of its account.
    findAccount: async (headers) => {
      const userId = Number(headers.get("cookie"));
      return userId === 0 ? null : ({ userId } as Account);
    },
  }),
);
const { id: userId } = await db
  .insertInto("users")
  .values({ username: "nova", display_name: "Nova" })
  .returning("id")
  .executeTakeFirstOrThrow();
const ownerHeaders = { cookie: String(userId) };

const get = (path: string, headers: Record<string, string> = ownerHeaders) =>
  app.inject({ method: "GET", url: `/media/uploads/${path}`, headers });

test("the owner of an upload can play it, completely and in ranges, and no shared cache stores it", async () => {
  const id = await insertUpload(database, { userId, content });
  const completeResponse = await get(`${id}/audio`);
  expect([completeResponse.statusCode, completeResponse.body]).toEqual([200, content]);
  expect(completeResponse.headers).toMatchObject({ "cache-control": "private, no-cache", "accept-ranges": "bytes" });
  const part = await get(`${id}/audio`, { ...ownerHeaders, range: "bytes=4-8" });
  expect([part.statusCode, part.body]).toEqual([206, "bytes"]);
  expect((await get(`${id}/waveform.json`)).statusCode).toBe(200);
});

test("an upload is 404 for everyone else, and before its analysis", async () => {
  const id = await insertUpload(database, { userId, content });
  const analysing = await insertUpload(database, { userId, status: "analysing" });
  expect((await get(`${id}/audio`, {})).statusCode).toBe(404);
  expect((await get(`${id}/audio`, { cookie: "0" })).statusCode).toBe(404);
  expect((await get(`${id}/audio`, { cookie: String(userId + 1) })).statusCode).toBe(404);
  expect((await get(`${analysing}/audio`)).statusCode).toBe(404);
});

test("only recordings, their waveforms and re-encoded covers are served", async () => {
  const audio = await insertUpload(database, { userId, content });
  const cover = await insertUpload(database, { userId, kind: "cover" });
  const stems = await insertUpload(database, { userId, kind: "stems" });
  expect((await get(`${cover}/cover.jpg`)).statusCode).toBe(200);
  for (const path of [`${stems}/audio`, `${cover}/audio`, `${audio}/original`, `${audio}/cover.jpg`, "latest/audio"])
    expect((await get(path)).statusCode, path).toBe(404);
});
