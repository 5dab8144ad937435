import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { eventually } from "@beatmarket/foundation/testing/eventually.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import { connectHttp2, response, send } from "@beatmarket/http/testing/http2-client.ts";
import type { Target } from "@beatmarket/http/testing/raw-bytes.ts";
import { openRoutes } from "@beatmarket/http/testing/routes.ts";
import { ownCertificate } from "@beatmarket/http/tls/certificate.ts";
import { LocalConnectionCounts } from "@beatmarket/http/transport/connection-counts.ts";
import { ConnectionLimits } from "@beatmarket/http/transport/connection-limits.ts";
import { idleCheckIntervalMs } from "@beatmarket/http/transport/http2/http2.ts";
import { idleBytes } from "@beatmarket/http/transport/http2/idle-traffic.ts";
import { createServer, drain, listen } from "@beatmarket/http/transport/server.ts";
import pino from "pino";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import {
  endHeaders,
  endStream,
  fields,
  frame,
  get,
  getFields,
  isReset,
  openRaw,
  resetCode,
} from "../harness/http2/frames.ts";

const folder = await mkdtemp(join(tmpdir(), "beatmarket-http2-"));
const certificate = await ownCertificate(
  { dataDir: folder, organization: "Beats", hosts: ["localhost"] },
  systemClock,
  pino({ level: "silent" }),
);
const handled = vi.fn();
const routes = openRoutes([
  openRoute("/read", (context) => {
    handled(context.requestHeaders);
    return { status: 200, body: "read" };
  }),
  openRoute("/echo", ({ body }) => ({ status: 200, body: body ?? "" }), { method: "POST" }),
]);
const limits = new ConnectionLimits(new LocalConnectionCounts(systemClock), () => true);
const penalize = vi.spyOn(limits, "penalize");
// The interval in which bytes are counted.
vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
const server = createServer(certificate, routes.handle, limits);
await listen(server, { port: 0, host: "127.0.0.1" });
const target: Target = {
  port: (server.address() as AddressInfo).port,
  ca: await readFile(certificate.caFile, "utf8"),
};
afterEach(() => {
  vi.clearAllMocks();
});
afterAll(async () => {
  server.closeAllConnections();
  await drain(server);
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

async function expectServing() {
  const session = await connectHttp2(target);
  expect(await response(send(session, { ":path": "/read" }))).toMatchObject({ status: 200 });
  session.close();
}

/** Stream ids of a client, after the first stream. */
const id = (n: number) => 3 + 2 * n;
const floods: Record<string, (n: number) => Buffer> = {
  pings: () => frame("ping", 0, 0, Array(8).fill(0)),
  "acknowledgements of pings": () => frame("ping", 1, 0, Array(8).fill(0)),
  settings: () => frame("settings", 0, 0),
  "settings that change": (n) => frame("settings", 0, 0, [0, 3, 0, 0, 0, n % 200]),
  priorities: (n) => frame("priority", 0, id(n % 500), [0, 0, 0, 0, 1]),
  "frames of an unknown type": () => frame(0x55, 0, 0),
  "streams that are reset at once": (n) => Buffer.concat([get(id(n)), frame("reset", 0, id(n), [0, 0, 0, 8])]),
  "streams that make the server reset them": (n) =>
    Buffer.concat([get(id(n)), frame("window", 0, id(n), [0, 0, 0, 0])]),
  "streams beyond the number that is allowed": (n) => get(id(n), "/read", endHeaders),
  "requests without a path": (n) => frame("headers", endStream | endHeaders, id(n), fields({ ":method": "GET" })),
  "empty parts of a body": (n) => (n === 0 ? get(id(0), "/echo", endHeaders) : frame("data", 0, id(0))),
  "continuations without end": (n) => (n === 0 ? get(id(0), "/read", endStream) : frame("continuation", 0, id(0))),
  goodbyes: () => frame("goaway", 0, 0, Array(8).fill(0)),
};

describe("a flood of", () => {
  test.each(Object.entries(floods))("%s ends its connection, and the port keeps serving", async (name, make) => {
    const { socket, closed } = await openRaw(target);
    let isClosed = false;
    void closed.then(() => {
      isClosed = true;
    });
    for (let n = 0; n < 15_000 && !isClosed; ) {
      const parts = Array.from({ length: 250 }, () => make(n++));
      await new Promise<void>((resolve) => socket.write(Buffer.concat(parts), () => resolve()));
    }
    await closed;
    // GOAWAY without an error is the normal end of a session, so there is no penalty.
    if (name !== "goodbyes") await eventually(() => expect(penalize).toHaveBeenCalled());
    expect(handled.mock.calls.length).toBeLessThan(400);
    await expectServing();
  });
});

/** Floods in parts of 100 kB, each of which nghttp2 accepts as honest traffic. */
const byteFloods: Record<string, () => Buffer> = {
  "window updates of the connection": () => repeated(frame("window", 0, 0, [0, 0, 0, 1])),
  "a body after the response": () => repeated(frame("data", 0, 1, Array(1_000).fill(0))),
  "requests with too many headers": (() => {
    const manyFields = Array.from({ length: 150 }, (_, n): [string, string] => [`x-${n}`, "x".repeat(100)]);
    const list = fields([...Object.entries(getFields("/read")), ...manyFields]);
    let stream = 1;
    return () =>
      Buffer.concat(
        Array.from({ length: 6 }, () => {
          stream += 2;
          return frame("headers", endStream | endHeaders, stream, list);
        }),
      );
  })(),
};
const repeated = (unit: Buffer) => Buffer.alloc(Math.floor(100_000 / unit.length) * unit.length, unit);

test.each(Object.entries(byteFloods))("2 MB of %s in a second end the connection", async (_, make) => {
  const { socket, closed, next } = await openRaw(target);
  socket.write(get(1, "/read"));
  await next(({ stream }) => stream === 1);
  for (let sentBytes = 0; sentBytes <= idleBytes.burst + 200_000; sentBytes += 100_000)
    await new Promise<void>((resolve) => socket.write(make(), () => resolve()));
  // The acknowledgement comes after everything sent before.
  socket.write(frame("ping", 0, 0, Array(8).fill(7)));
  await next(({ type, payload }) => type === 6 && payload[0] === 7);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(idleCheckIntervalMs);
  await closed;
  expect(penalize).toHaveBeenCalledTimes(1);
  await expectServing();
});

test("large bodies of an honest client, in both directions, are not treated as a flood", async () => {
  const session = await connectHttp2(target);
  for (let n = 0; n < 40; n++) {
    expect(await response(send(session, { ":method": "POST", ":path": "/echo" }, Buffer.alloc(99_000)))).toMatchObject({
      status: 200,
    });
    vi.advanceTimersByTime(idleCheckIntervalMs);
  }
  session.close();
  expect(penalize).not.toHaveBeenCalled();
});

describe("a stream is reset, and others are served, for", () => {
  const list = (additionalFields: Record<string, string>, base: Record<string, string> = getFields("/read")) =>
    fields({ ...base, ...additionalFields });
  const { ":path": _, ...withoutPath } = getFields("/read");
  test.each<[string, number[]]>([
    ["a Connection header", list({ connection: "close" })],
    ["a Transfer-Encoding header", list({ "transfer-encoding": "chunked" })],
    ["an Upgrade header", list({ upgrade: "h2c" })],
    ["TE other than trailers", list({ te: "gzip" })],
    ["a name in capitals", list({ "X-Key": "a" })],
    ["a pseudo-header after others", [...list({ "x-key": "a" }), ...fields({ ":status": "200" })]],
    ["an unknown pseudo-header", list({}, { ":protocol": "websocket", ...getFields("/read") })],
    ["no path", list({}, withoutPath)],
    ["two paths", [...list({}), ...fields({ ":path": "/other" })]],
    ["a length that is not a number", list({ "content-length": "1x" })],
    ["a length without a body", list({ "content-length": "5" })],
  ])("%s", async (_name, payload) => {
    const { socket, next } = await openRaw(target);
    socket.write(frame("headers", endStream | endHeaders, 1, payload));
    const reset = await next(isReset(1));
    expect(resetCode(reset)).toBe(1);
    expect(handled).not.toHaveBeenCalled();
    socket.write(get(3));
    await next(({ type, stream }) => type === 1 && stream === 3);
    socket.destroy();
  });
});

test.each(["a\r\nx-injected: yes", "a\0b", "a\nb"])("a header whose value is %j is omitted", async (value) => {
  const { socket, next } = await openRaw(target);
  socket.write(frame("headers", endStream | endHeaders, 1, fields({ ...getFields("/read"), "x-key": value })));
  await next(({ type }) => type === 1);
  expect(handled).toHaveBeenCalledWith({ host: "localhost" });
  socket.destroy();
});

test("of two authorization headers only the first counts", async () => {
  const { socket, next } = await openRaw(target);
  const keys = fields([
    ["authorization", "Bearer first"],
    ["authorization", "Bearer second"],
  ]);
  socket.write(frame("headers", endStream | endHeaders, 1, [...fields(getFields("/read")), ...keys]));
  await next(({ type }) => type === 1);
  expect(handled).toHaveBeenCalledWith(expect.objectContaining({ authorization: "Bearer first" }));
  socket.destroy();
});
