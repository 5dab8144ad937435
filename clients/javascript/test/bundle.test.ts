import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { type BuildOptions, build } from "esbuild-wasm";
import { expect, onTestFinished, test } from "vitest";
import { bundleBytes, parts } from "./bundles.ts";

const folder = join(import.meta.dirname, "..");
const secret = "whsec_cmVjZWl2ZXI=";

/** The program of a page or a worker: a call, a list, an export, a verified event. */
const program = `
  import { BeatMarket, webhooks } from "beatmarket";
  export async function use(baseUrl, body, headers) {
    const client = new BeatMarket({ apiKey: "bm_1", baseUrl, dangerouslyAllowBrowser: true });
    const titles = [];
    for await (const { title } of client.beats.list()) titles.push(title);
    const { id } = await webhooks.unwrap(body, headers, "${secret}");
    const unread = await client.orders.download(1, "mp3", "a.mp3").catch((error) => error.message);
    return { beat: await client.beats.get(1), titles, id, unread };
  }`;

const targets: [string, BuildOptions][] = [
  ["a browser", { platform: "browser" }],
  ["a worker", { platform: "neutral", conditions: ["workerd", "worker", "browser"] }],
];

/** The globals that browsers and workers share; neither has process, Buffer or require. */
const shared = [
  "AbortController",
  "AbortSignal",
  "Blob",
  "DecompressionStream",
  "Headers",
  "ReadableStream",
  "Response",
];
const more = [
  "TextDecoder",
  "TextDecoderStream",
  "TextEncoder",
  "URL",
  "atob",
  "btoa",
  "clearTimeout",
  "crypto",
  "fetch",
  "performance",
  "setTimeout",
];

test.each(targets)("the bundle for %s has no code for Node, and works there", async (_, options) => {
  const { outputFiles, metafile, warnings } = await build({
    stdin: { contents: program, resolveDir: folder },
    ...options,
    bundle: true,
    minify: true,
    format: "iife",
    globalName: "bundle",
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  expect(warnings).toEqual([]);
  const text = outputFiles?.[0]?.text ?? "";
  expect(text).not.toMatch(/node:/);
  expect(Object.keys(metafile?.inputs ?? {}).filter((path) => /node\.js$/.test(path))).toEqual([]);

  const server = createServer(({ url }, response) => {
    const beat = { id: 1, title: "One" };
    const pagination = { total: 1, next_page_url: null };
    const data = url === "/v1/beats" ? { beats: [beat], pagination } : url === "/v1/beats/1" ? { beat } : null;
    response.writeHead(data === null ? 404 : 200).end(JSON.stringify({ status: "success", data }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;

  const body = JSON.stringify({ id: "evt_1", created: 1, type: "user.updated", data: {} });
  const timestamp = Math.floor(Date.now() / 1_000);
  const mac = createHmac("sha256", Buffer.from("cmVjZWl2ZXI=", "base64")).update(`evt_1.${timestamp}.${body}`);
  const headers = {
    "webhook-id": "evt_1",
    "webhook-timestamp": `${timestamp}`,
    "webhook-signature": `v1,${mac.digest("base64")}`,
  };
  const globals = Object.fromEntries([...shared, ...more].map((name) => [name, Reflect.get(globalThis, name)]));
  const context = createContext({ ...globals, document: {}, given: [baseUrl, body, headers] });
  const used = await runInContext(`${text}; bundle.use(...given)`, context);
  expect(used).toEqual({
    beat: { id: 1, title: "One" },
    titles: ["One"],
    id: "evt_1",
    unread: expect.stringMatching(/Node, Deno and Bun only|404/),
  });
});

test.each(Object.entries(parts))(
  "the bundle of %s is not larger than its ceiling",
  async (_, { source, mostBytes }) => {
    expect(await bundleBytes(source, folder)).toBeLessThanOrEqual(mostBytes);
  },
);

test("a bundle for Node contains the modules for files and certificate authorities", async () => {
  const { metafile, outputFiles } = await build({
    stdin: { contents: program, resolveDir: folder },
    platform: "node",
    format: "esm",
    bundle: true,
    metafile: true,
    write: false,
  });
  expect(Object.keys(metafile?.inputs ?? {}).filter((path) => /esm\/(runtime\/)?node\.js$/.test(path))).toHaveLength(2);
  expect(outputFiles[0]?.text).toMatch(/builtin\w*\("node:https"\)/);
});
