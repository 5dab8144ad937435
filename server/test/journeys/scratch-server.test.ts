import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";

test("a killed test run leaves neither a PostgreSQL process nor its folder", async () => {
  const { TEST_DATABASE_URL: _, ...env } = process.env;
  const tool = join(import.meta.dirname, "../../../packages/postgres/testing/scratch-server.ts");
  const source = `
    import { openScratchServer } from ${JSON.stringify(tool)};
    console.log((await openScratchServer()).url);
    setInterval(() => {}, 1000);`;
  const run = spawn(process.execPath, ["--input-type=module", "--eval", source], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [url] = await once(createInterface(run.stdout), "line");
  const { searchParams } = new URL(url);
  const socket = join(searchParams.get("host") ?? "", `.s.PGSQL.${searchParams.get("port")}`);
  expect(existsSync(socket)).toBe(true);

  run.kill("SIGKILL");
  await expect.poll(() => existsSync(socket)).toBe(false);
  await expect.poll(() => existsSync(searchParams.get("host") ?? "")).toBe(false);
});
