import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { ask, sendBytes, type Target } from "@beatmarket/http/testing/raw-bytes.ts";
import { ownCertificate } from "@beatmarket/http/tls/certificate.ts";
import pino from "pino";
import { afterAll, describe, expect, test } from "vitest";
import { testApi } from "../../harness/api.ts";
import { insertBeats } from "../../harness/database/catalogue.ts";
import { leakIn } from "../leaks.ts";
import { hostileBytes, traversals } from "./hostile-bytes.ts";

const folder = await mkdtemp(join(tmpdir(), "beatmarket-raw-"));
afterAll(() => rm(folder, { recursive: true }));
const certificate = await ownCertificate(
  { dataDir: folder, organization: "Beats", hosts: ["localhost"] },
  systemClock,
  pino({ level: "silent" }),
);
const api = await testApi({ certificate });
await insertBeats(
  api.database,
  Array.from({ length: 30 }, (_, index) => ({ title: `Beat ${index}` })),
);
await api.app.listen({ port: 0, host: "127.0.0.1" });
const target: Target = {
  port: (api.app.server.address() as AddressInfo).port,
  ca: await readFile(certificate.caFile, "utf8"),
};

const expectServing = async () => {
  const response = await ask(target, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  expect(response).toMatchObject({ status: 200, body: '{"status":"ok"}' });
};

describe("bytes that are ambiguous or invalid", () => {
  const shapes = Object.entries(hostileBytes(api.key));
  test.each(shapes)("%s: a refusal or a closed connection, and the port keeps serving", async (_name, bytes) => {
    const responses = await sendBytes(target, bytes);
    expect(responses.length).toBeLessThanOrEqual(1);
    for (const { status, head, body } of responses) {
      expect(status, head).toBeGreaterThanOrEqual(400);
      expect(status, head).toBeLessThan(500);
      expect(body).not.toContain('"status":"ok"');
      expect(body).not.toContain(api.key);
      expect(head).not.toMatch(/x-injected/i);
      expect(leakIn({ head, body }, bytes)).toBeNull();
      if (body !== "") expect(JSON.parse(body)).toMatchObject({ status: "error", error: { code: expect.any(String) } });
    }
    await expectServing();
  });

  test("an honest body in chunks, with an extension and a trailer, is read", async () => {
    const bytes = `PUT /v1/users/profile HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${api.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n8;a=b\r\n{"bio":"\r\n5\r\nMe."}\r\n0\r\nX-A: b\r\n\r\n`;
    expect(await ask(target, bytes)).toMatchObject({ status: 200, body: expect.stringContaining('"Me."') });
  });

  test("of two Authorization headers only the first counts", async () => {
    const request = (first: string, second: string) =>
      ask(
        target,
        `GET /v1/genres HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${first}\r\nAuthorization: Bearer ${second}\r\n\r\n`,
      );
    expect(await request("bm_nonsense", api.key)).toMatchObject({ status: 401 });
    expect(await request(api.key, "bm_nonsense")).toMatchObject({ status: 200 });
  });
});

describe("path traversals", () => {
  test.each(traversals)("%s returns a page of the app or an error, and no file", async (path) => {
    const responses = await sendBytes(target, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    for (const { status, head, body } of responses) {
      expect(body).not.toMatch(/root:|"private": true|\[core\]|^[0-9a-f]{64}/);
      const isPage = status === 200 && /^content-type: text\/html/im.test(head) && path.startsWith("/portal/");
      expect(
        isPage || (status >= 400 && status < 500) || (status === 503 && body.includes("not built")),
        `${head}\n${body.slice(0, 200)}`,
      ).toBe(true);
      expect(
        leakIn({ head, body: isPage ? "" : body }, `${path} ${decodeURI(path.replaceAll(/%(?![2][5f])/gi, "%25"))}`),
      ).toBeNull();
    }
    await expectServing();
  });
});
