import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Transform } from "node:stream";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../../../server/test/harness/browser.ts";
import { portalBrowser } from "../harness.ts";

// Compares a first visit over HTTP/2 and HTTP/1.1 on a line with a round trip of 100 ms, to justify HTTP/2 in the
// process.

const visits = 9;
const oneWayMs = 50;
// The certificate is self-signed. With this option the browser does not try connections twice.
const tolerant = ["--ignore-certificate-errors"];
const paths = ["/portal/sign-in", "/", "/beats/3"];

const portal = portalBrowser();
const browsers = new Map<string, Browser>();
const line = await slowLine();

beforeAll(async () => {
  browsers.set("h2", await launchBrowser(tolerant));
  browsers.set("http/1.1", await launchBrowser([...tolerant, "--disable-http2"]));
});
afterAll(async () => {
  for (const browser of browsers.values()) await browser.close();
  line.close();
});

/** A TCP proxy that delays both directions, so that a handshake takes as long as over a distance. */
async function slowLine() {
  const sockets = new Set<Socket>();
  const delayed = () =>
    new Transform({
      readableHighWaterMark: 1e8,
      writableHighWaterMark: 1e8,
      transform(chunk, _, callback) {
        setTimeout(() => this.push(chunk), oneWayMs);
        callback();
      },
      flush(callback) {
        setTimeout(callback, oneWayMs);
      },
    });
  let target = 0;
  const server = createServer((incoming) => {
    const outgoing = connect(target, "localhost");
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.setNoDelay().on("error", () => incoming.destroy());
    }
    incoming.pipe(delayed()).pipe(outgoing);
    outgoing.pipe(delayed()).pipe(incoming);
  }).listen(0, "localhost");
  await once(server, "listening");
  return {
    origin: (port: number) => {
      target = port;
      return `https://localhost:${(server.address() as AddressInfo).port}`;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

interface Visit {
  paintMs: number;
  loadMs: number;
  protocol: string;
  requests: number;
}

async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "networkidle" });
  const measured = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    const resources = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    return {
      paintMs: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
      loadMs: Math.max(navigation?.loadEventEnd ?? 0, ...resources.map(({ responseEnd }) => responseEnd)),
      protocol: navigation?.nextHopProtocol ?? "",
      requests: 1 + resources.length,
    };
  });
  await context.close();
  return measured;
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

test("a first visit loads faster over HTTP/2", async () => {
  const origin = line.origin(Number(new URL(portal.server.origin).port));
  const visitsBy = new Map<string, Visit[]>();
  for (let n = 0; n <= visits; n++)
    for (const path of paths)
      for (const [protocol, browser] of browsers) {
        const measured = await visit(browser, origin + path);
        expect(measured.protocol).toBe(protocol);
        if (n > 0) visitsBy.set(`${path} ${protocol}`, [...(visitsBy.get(`${path} ${protocol}`) ?? []), measured]);
      }
  const loads: { path: string; ratio: number }[] = [];
  for (const path of paths) {
    const [http2, http1] = ["h2", "http/1.1"].map((protocol) => {
      const all = visitsBy.get(`${path} ${protocol}`) ?? [];
      return {
        paintMs: median(all.map(({ paintMs }) => paintMs)),
        loadMs: median(all.map(({ loadMs }) => loadMs)),
        requests: all[0]?.requests ?? 0,
      };
    }) as [Omit<Visit, "protocol">, Omit<Visit, "protocol">];
    console.log(
      `${path}, ${http2.requests} requests: first paint ${Math.round(http2.paintMs)} ms over HTTP/2, ${Math.round(http1.paintMs)} over HTTP/1.1 (${(http1.paintMs / http2.paintMs).toFixed(2)} times); loaded after ${Math.round(http2.loadMs)} and ${Math.round(http1.loadMs)} ms (${(http1.loadMs / http2.loadMs).toFixed(2)} times)`,
    );
    loads.push({ path, ratio: http1.loadMs / http2.loadMs });
  }
  for (const { path, ratio } of loads) expect(ratio, path).toBeGreaterThan(1);
});
