import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProgram } from "@beatmarket/postgres/testing/processes.ts";
import { expect, onTestFinished, test } from "vitest";

const program = `
import { testClients } from "./scripts/tests/run-clients.mjs";
await testClients(process.env, new Set(["javascript", "python", "php"]));
`;

test("an interrupted run of the clients' tests ends with its signal, and leaves no folders", async () => {
  const temporary = await mkdtemp(join(tmpdir(), "beatmarket-interrupted-"));
  onTestFinished(() => rm(temporary, { recursive: true }));
  const { child, ended, nextLine } = startProgram(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: join(import.meta.dirname, "../.."),
    env: { ...process.env, TMPDIR: temporary },
  });
  while (!(await nextLine()).includes("The tests of the ruby client"));
  expect(await readdir(temporary)).not.toEqual([]);
  child.kill("SIGTERM");
  expect((await ended).signal).toBe("SIGTERM");
  expect(await readdir(temporary)).toEqual([]);
});
