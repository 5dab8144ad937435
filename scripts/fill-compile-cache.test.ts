import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);
const program = join(import.meta.dirname, "node/fill-compile-cache.mjs");
const printCompiler = `
  process.on("exit", () => console.log("compiler: " + process.moduleLoadList.some((name) => name.includes("amaro"))));`;

test("with a filled cache, a server and its threads load no TypeScript compiler", async () => {
  const cache = await mkdtemp(join(tmpdir(), "beatmarket-compile-cache-"));
  onTestFinished(() => rm(cache, { recursive: true }));
  const env = { ...process.env, NODE_COMPILE_CACHE: cache };
  const parameters = ["--import", `data:text/javascript,${encodeURIComponent(printCompiler)}`, program];
  const load = async () => (await run(process.execPath, parameters, { env })).stdout;
  expect(await load()).toContain("compiler: true");
  expect(await load()).toContain("compiler: false");
});
