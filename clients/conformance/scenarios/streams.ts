import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import type { Result } from "../runner/driver.ts";
import { errorBody, type Fault, type ProxiedRequest, responding } from "../runner/fault-proxy.ts";
import { direct } from "../runner/service.ts";
import { Actor, type Bed, expectFailure, expectSuccess, queryOf, type Scenario } from "./scenario.ts";

interface Stream {
  operation: string;
  path: string;
  arguments: object;
  /** The field of the list in the API's response. */
  items: string;
  /** The field that identifies an item. */
  id: string;
  /** The field of the list of these values in the driver's result. */
  ids: string;
}

const streams: Stream[] = [
  { operation: "listChanges", path: "/changes?", arguments: {}, items: "changes", id: "position", ids: "positions" },
  {
    operation: "listEvents",
    path: "/events?type=beat.purchased&",
    arguments: { type: "beat.purchased" },
    items: "events",
    id: "id",
    ids: "ids",
  },
];

const brokenResponse: Fault = { kind: "break", afterBytes: 200 };
const busy = responding(503, errorBody("server_error"));

export const streamScenarios: Scenario[] = [
  {
    name: "60 changes and events, followed over cut bodies, lost responses and errors",
    run: async (bed) => {
      const { proxy, service, account } = bed;
      const actor = new Actor(bed, "60");
      for (const { operation, path, arguments: args, items, id, ids } of streams) {
        const page = await direct<Record<string, Record<string, unknown>[]>>(
          service,
          account.apiKey,
          `${path}after=0&limit=40`,
        );
        const expectedIds = page[items]?.map((each) => each[id]) ?? [];
        assert.equal(expectedIds.length, 40, operation);
        const faults: Record<number, Fault> = {
          0: busy,
          3: brokenResponse,
          4: brokenResponse,
          6: { kind: "lose" },
          9: busy,
          12: { kind: "drop" },
        };
        proxy.begin((_, index) => faults[index]);
        const followed = await actor.do("follow", { operation, arguments: { after: 0, limit: 5, ...args }, pages: 8 });
        assert.deepEqual(followed.errors, [], operation);
        assert.equal(followed.pages.length, 8, operation);
        assert.deepEqual(
          followed.pages.flatMap((page: Result) => page[ids]),
          expectedIds,
          operation,
        );
        // Each page was requested from the end of the previous one, repeatedly until it arrived.
        const requestedPositions = proxy.requests.map((request) => Number(queryOf(request).after));
        assert.deepEqual(
          [...new Set(requestedPositions)],
          [0, ...followed.pages.slice(0, -1).map(({ next }: Result) => next)],
        );
        assert.equal(requestedPositions.length, 8 + Object.keys(faults).length, operation);
        assert.ok(proxy.requests.every((request) => queryOf(request).limit === "5"));

        // A 410 and a response with an invalid position both fail immediately.
        proxy.begin(() => responding(410, errorBody("not_found")));
        const goneFeed = await actor.do("follow", { operation, arguments: { after: 0, ...args }, pages: 2 });
        assert.deepEqual(goneFeed.pages, []);
        expectFailure({ error: goneFeed.errors[0] }, "GoneError");
        proxy.begin(() => responding(200, { status: "success", data: { [items]: [], next: "7" } }));
        const oddFeed = await actor.do("follow", { operation, arguments: { after: 0, ...args }, pages: 2 });
        expectFailure({ error: oddFeed.errors[0] }, "APIStatusError");
        assert.equal(proxy.requests.length, 1);
      }
    },
  },
  {
    name: "61 an export as a stream, cut twice",
    run: async (bed) => {
      const { proxy, service } = bed;
      const count = (await direct<{ beats: { id: number }[] }>(service, bed.account.apiKey, "/beats?limit=100")).beats
        .length;
      assert.ok(count >= 50);
      const actor = await exporter(bed, "whole");
      const faults: Record<number, Fault> = {
        0: { kind: "break", afterBytes: 700 },
        1: { kind: "break", afterBytes: 600 },
      };
      proxy.begin((_, index) => faults[index]);
      const streamed = expectSuccess(await actor.do("stream_export", {}));
      const [first, second, third] = proxy.requests as [ProxiedRequest, ProxiedRequest, ProxiedRequest];
      assert.equal(proxy.requests.length, 3);
      const fullResponse = first.response as NonNullable<ProxiedRequest["response"]>;
      const lines = gunzipSync(fullResponse.body as Buffer)
        .toString("utf8")
        .trimEnd()
        .split("\n");
      assert.deepEqual(
        streamed.ids,
        lines.map((line) => JSON.parse(line).id),
      );
      assert.equal(streamed.position, Number(fullResponse.headers["x-change-position"]));
      assert.equal(first.headers.range, undefined);
      for (const [{ headers, response }, from] of [
        [second, 700],
        [third, 1_300],
      ] as const) {
        assert.equal(headers["if-range"], fullResponse.headers.etag);
        assert.equal(response?.status, 206);
        const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1]);
        assert.ok(start > 0 && start <= from, `it continued with ${headers.range}`);
      }

      // The service has created another export in the meantime, and sends it.
      proxy.begin((_, index) => {
        if (index === 0) return { kind: "break", afterBytes: (fullResponse.body as Buffer).length - 20 };
        const headers = { ...fullResponse.headers, etag: '"another"', "x-change-position": "99999" };
        return { kind: "respond", response: { ...fullResponse, headers } };
      });
      const mixedExport = await (await exporter(bed, "mixed")).do("stream_export", {});
      assert.ok(
        mixedExport.error?.is?.includes("BeatMarketError"),
        `another export gave ${mixedExport.ids?.length} beats`,
      );
      assert.equal(new Set(mixedExport.ids).size, mixedExport.ids.length, "beats arrived twice");

      // The client does not accept a truncated file as complete.
      const half = {
        ...fullResponse,
        body: (fullResponse.body as Buffer).subarray(0, (fullResponse.body as Buffer).length - 200),
      };
      proxy.begin(() => ({ kind: "respond", response: half }));
      const ended = await (await exporter(bed, "ended")).do("stream_export", {}, { max_retries: 0 });
      assert.ok(
        ended.error?.is?.includes("BeatMarketError"),
        `an export without its end gave ${ended.ids?.length} beats`,
      );
    },
  },
];

/** An actor with a separate key, because a key may create only a few exports an hour. */
async function exporter({ service, language, ...bed }: Bed, name: string): Promise<Actor> {
  const email = `export-${name}-${language}@example.com`;
  const { key } = await service.command("keys", "create", "--email", email, "--plan", "internal");
  return new Actor({ ...bed, service, language }, "61", { api_key: key });
}

/** The number of beats that change after the restart of the service. */
const changedBeats = 3;

/**
 * Restarts the service while all languages follow its changes, then changes beats. Each language gets the first
 * changes, one a page, each exactly once. All languages run at once, because the restart would disturb other scenarios.
 */
export async function followOverRestart(
  beds: readonly Bed[],
  service: Bed["service"],
): Promise<Map<string, Error | undefined>> {
  const [bed] = beds;
  if (bed === undefined) return new Map();
  const positions = async (after: number): Promise<number[]> => {
    const page = await direct<{ changes: { position: number }[] }>(
      service,
      bed.account.apiKey,
      `/changes?after=${after}&limit=1000`,
    );
    return page.changes.map(({ position }) => position);
  };
  const before = await positions(0);
  const after = before.at(-2) ?? 0;
  const followArguments = { operation: "listChanges", arguments: { after, limit: 1 }, pages: 1 + changedBeats };
  const outcomes = beds.map(async (bed) => {
    bed.proxy.begin(() => withoutEmptyPages);
    return await new Actor(bed, "60").do("follow", followArguments);
  });
  const settled = Promise.allSettled(outcomes);
  // Each client waits for the next change by now, or has failed.
  await Promise.all(
    beds.map(({ proxy }, index) =>
      Promise.race([Promise.allSettled([outcomes[index]]), waitUntil(() => proxy.requests.length >= 2)]),
    ),
  );
  await service.restart();
  await service.retitle(changedBeats);
  const results = await settled;
  // The service counts orders at its start and once a minute, which also changes beats. So only the first changes are
  // compared.
  const expectedPages = (await positions(after)).slice(0, followArguments.pages);
  return new Map(
    beds.map(({ language }, index) => {
      const result = results[index];
      if (result?.status !== "fulfilled") return [language, result?.reason as Error];
      try {
        assert.equal(expectedPages.length, followArguments.pages);
        assert.deepEqual(result.value.errors, []);
        assert.deepEqual(
          result.value.pages.map((page: Result) => page.positions),
          expectedPages.map((position) => [position]),
        );
        return [language, undefined];
      } catch (error) {
        return [language, error as Error];
      }
    }),
  );
}

/**
 * A service that stops sends an empty page to waiting clients. It is lost here, so that only pages with changes are
 * counted.
 */
const withoutEmptyPages: Fault = {
  kind: "change",
  change: (response) => (String(response.body).includes('"changes":[]') ? undefined : response),
};

const pollMs = 20;
const timeoutMs = 600_000;

async function waitUntil(isTrue: () => boolean): Promise<void> {
  for (const endMs = performance.now() + timeoutMs; !isTrue() && performance.now() < endMs; )
    await new Promise((resolve) => setTimeout(resolve, pollMs));
}
