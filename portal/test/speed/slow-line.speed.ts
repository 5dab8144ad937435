import { expect, test } from "vitest";
import { portalBrowser } from "../harness.ts";

// Measures the time to the first words of a first visit over a slow line of 50 kB/s.

const bytesPerSecond = 50_000;
const latencyMs = 100;
const maxFirstWordsMs = 3_000;

const portal = portalBrowser();

test.each(["/", "/portal/sign-in"])("%s paints its first words within three seconds at 50 kB/s", async (path) => {
  const page = await portal.visit("about:blank");
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await page.goto(new URL(path, portal.server.origin).href, { waitUntil: "load", timeout: 120_000 });
  const firstWordsMs = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.POSITIVE_INFINITY,
  );
  console.log(`${path}: first words after ${Math.round(firstWordsMs)} ms`);
  expect(firstWordsMs).toBeLessThanOrEqual(maxFirstWordsMs);
});
