import type { Socket } from "node:net";
import { RequestContext } from "@beatmarket/http/request-context.ts";
import { redacted } from "@beatmarket/request-log/entry.ts";
import { logEntry } from "@beatmarket/request-log/testing/log-entries.ts";
import { expect, test } from "vitest";
import { entryOf } from "./entry.ts";

const key = `bm_${"Ab1".repeat(20)}`;

/** Returns the log entry of a call to a URL, after redaction. */
const redactedEntryOf = (url: string) =>
  redacted(
    entryOf(new RequestContext({ url, headers: {}, socket: { remoteAddress: "127.0.0.1" } as Socket }), Date.now()),
  );

test.each([480, 497, 499, 500, 520])(
  "if the truncation of the path at 500 characters cuts a key, no part of the key is left (key at %d)",
  (index) => {
    const { path } = redactedEntryOf(`/${"x".repeat(index - 1)}${key}`);
    expect(path.length).toBeLessThanOrEqual(500);
    expect(path).not.toMatch(/[Ab1]{5}/);
  },
);

test("texts are truncated to their maximum lengths", () => {
  const long = "x".repeat(9_000);
  const { path, query } = redactedEntryOf(`/${long}?${long}`);
  expect([path.length, query.length]).toEqual([500, 2_000]);
  const entry = redacted({
    ...logEntry(),
    headers: `accept: ${long}\norigin: ${long}\n`,
    body: long,
    errorDetails: long,
    refusedBy: long,
    userAgent: long,
  });
  expect(entry.headers.split("\n").map((line) => line.length)).toEqual([208, 208, 0]);
  expect([entry.body, entry.errorDetails, entry.refusedBy, entry.userAgent].map((text) => text?.length)).toEqual([
    4_000, 2_000, 100, 300,
  ]);
});
