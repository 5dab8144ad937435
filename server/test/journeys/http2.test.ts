import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { connectHttp2, response, send } from "@beatmarket/http/testing/http2-client.ts";
import { ownCertificate } from "@beatmarket/http/tls/certificate.ts";
import { ConnectionLimits } from "@beatmarket/http/transport/connection-limits.ts";
import pino from "pino";
import { afterAll, expect, test, vi } from "vitest";
import { insertBeats } from "../harness/database/catalogue.ts";
import { metadata, partType, uploadApi } from "../harness/uploads.ts";

const folder = await mkdtemp(join(tmpdir(), "beatmarket-http2-"));
const certificate = await ownCertificate(
  { dataDir: folder, organization: "Beats", hosts: ["localhost"] },
  systemClock,
  pino({ level: "silent" }),
);
const vouchFor = vi.spyOn(ConnectionLimits.prototype, "vouchFor");
const { api } = await uploadApi({ certificate });
const session = await connectHttp2({
  port: (api.app.server.address() as AddressInfo).port,
  ca: await readFile(certificate.caFile, "utf8"),
});
afterAll(async () => {
  session.destroy();
  vouchFor.mockRestore();
  await rm(folder, { recursive: true });
});

const authorization = `Bearer ${api.key}`;
const call = (method: string, path: string, headers: Record<string, string> = {}, body?: Buffer) =>
  send(session, { ":method": method, ":path": path, authorization, ...headers }, body);

test("one connection reads, revalidates, and uploads while another of its requests waits for changes", async () => {
  const first = await response(call("GET", "/v1/genres"));
  expect(first.status).toBe(200);
  const etag = String(first.headers.etag);
  expect(await response(call("GET", "/v1/genres", { "if-none-match": etag }))).toMatchObject({ status: 304 });
  const { next_after: after } = JSON.parse(String((await response(call("GET", "/v1/changes"))).body)).data ?? {};
  const news = response(call("GET", `/v1/changes?wait=30${after === undefined ? "" : `&after=${after}`}`));

  const bytes = Buffer.alloc(300_000, "beat");
  const created = await response(
    call("POST", "/v1/uploads", {
      "tus-resumable": "1.0.0",
      "upload-length": String(bytes.length),
      "upload-metadata": metadata("audio", "beat.wav"),
    }),
  );
  expect(created.status).toBe(201);
  const path = new URL(String(created.headers.location)).pathname;
  const part = { "tus-resumable": "1.0.0", "upload-offset": "0", "content-type": partType };
  expect(await response(call("PATCH", path, part, bytes))).toMatchObject({
    status: 204,
    headers: { "upload-offset": String(bytes.length) },
  });
  await insertBeats(api.database, [{ title: "News" }]);
  expect((await news).status).toBe(200);
  // All calls vouch for the same socket, because they use one connection.
  expect(new Set(vouchFor.mock.calls.map(([socket]) => socket)).size).toBe(1);
});
