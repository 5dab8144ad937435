import { expect, test } from "vitest";
import { portalBrowser } from "../harness.ts";

// Measures pages in a browser with a quarter of the processor and 1.6 Mbit/s, relative to the text of /healthz on the
// same server. Each visit is a first one: a new connection and an empty cache.

const visits = 9;
const bytesPerSecond = 1_600_000 / 8;
const latencyMs = 150;
const cpuSlowdown = 4;

const portal = portalBrowser();

interface Visit {
  lcpMs: number;
  /** The largest element's name, in lower case. */
  largest: string;
  requestsBeforePaint: number;
}

async function visit(path: string): Promise<Visit> {
  const page = await portal.visit("about:blank");
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: cpuSlowdown });
  await page.goto(new URL(path, portal.server.origin).href, { waitUntil: "networkidle" });
  const measured = await page.evaluate(largestPaint);
  await page.context().close();
  return measured;
}

function largestPaint(): Promise<Visit> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const last = list.getEntries().at(-1) as PerformanceEntry & { element?: Element };
      const paintMs = performance.getEntriesByName("first-paint")[0]?.startTime ?? 0;
      resolve({
        lcpMs: last.startTime,
        largest: last.element?.localName ?? "",
        requestsBeforePaint:
          1 + performance.getEntriesByType("resource").filter(({ startTime }) => startTime < paintMs).length,
      });
    }).observe({ type: "largest-contentful-paint", buffered: true });
  });
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const empty = "/healthz";

test("public pages paint within twice the time of an empty page, after at most ten requests", async () => {
  const beat = "/beats/3";
  const page = await portal.visit(beat);
  const producer = (await page.locator('main a[href^="/producers/"]').first().getAttribute("href")) ?? "";
  await page.context().close();
  expect(producer).toMatch(/^\/producers\/./);
  const pages = ["/", "/?q=midnight", beat, producer];
  const paths = [empty, ...pages];
  const visitsBy = new Map<string, Visit[]>(paths.map((path) => [path, []]));
  // Visit the pages in turns, so that a busy moment affects all of them. Ignore the first round.
  for (let n = 0; n <= visits; n++)
    for (const path of paths) {
      const measured = await visit(path);
      if (n > 0) visitsBy.get(path)?.push(measured);
    }
  const lcpMs = (path: string) => median((visitsBy.get(path) ?? []).map((measured) => measured.lcpMs));
  const requests = (path: string) =>
    Math.max(...(visitsBy.get(path) ?? []).map((measured) => measured.requestsBeforePaint));
  for (const path of paths)
    console.log(
      `${path}: LCP ${Math.round(lcpMs(path))} ms (${visitsBy.get(path)?.[0]?.largest}), ${(lcpMs(path) / lcpMs(empty)).toFixed(2)} times the empty page, at most ${requests(path)} requests before the first paint`,
    );
  for (const path of pages) expect(lcpMs(path) / lcpMs(empty), path).toBeLessThanOrEqual(2);
  for (const path of paths) expect(requests(path), path).toBeLessThanOrEqual(10);
});
