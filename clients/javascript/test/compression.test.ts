import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { BeatMarket } from "beatmarket";
import { expect, onTestFinished, test } from "vitest";

const body = JSON.stringify({ status: "success", data: { beat: { id: 7, title: "Über Nacht 🎵".repeat(200) } } });

test.each([
  ["br", brotliCompressSync(body)],
  ["gzip", gzipSync(body)],
  ["identity", Buffer.from(body)],
])("a response with the encoding %s is read, and one with invalid content is an error", async (encoding, bytes) => {
  const asked: unknown[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers["accept-encoding"]);
    const sent = request.url === "/v1/beats/7" ? bytes : Buffer.from("broken");
    response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding });
    response.end(sent);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const client = new BeatMarket({ apiKey: "bm_test", baseUrl, maxRetries: 0 });
  expect((await client.beats.get(7)).title).toBe("Über Nacht 🎵".repeat(200));
  expect(asked).toEqual(["br, gzip"]);
  const name = encoding === "identity" ? "APIStatusError" : "APIConnectionError";
  await expect(client.beats.get(8)).rejects.toHaveProperty("name", name);
});
