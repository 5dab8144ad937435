import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import type { Leaf } from "../../src/resources/licenses/log/entry.ts";
import { cheats, honestLeaves, publishInto } from "../foreign/cases/cheats.ts";

// Runs the Python program from docs/license-log.md exactly as printed, on logs in folders.

const folder = await mkdtemp(join(tmpdir(), "beatmarket-printed-audit-"));
afterAll(() => rm(folder, { recursive: true }));
const page = await readFile(join(import.meta.dirname, "../../../docs/license-log.md"), "utf8");
const program = /```python\n(.*?)```/s.exec(page)?.[1] ?? "";
const script = join(folder, "audit.py");
await writeFile(script, program);

async function audit(leaves: readonly Leaf[], damage?: (log: string) => Promise<void>) {
  const place = await mkdtemp(join(folder, "log-"));
  const log = join(place, "licenses/log");
  await publishInto(log, leaves);
  await damage?.(log);
  return new Promise<{ status: number; output: string }>((resolve) =>
    execFile("python3", [script, pathToFileURL(place).href], (error, out, errors) =>
      resolve({ status: error === null ? 0 : Number(error.code), output: `${out}${errors}` }),
    ),
  );
}

test("the program has 30 lines", () => {
  expect(program.split("\n").filter((line) => line.trim() !== "")).toHaveLength(30);
});

test("the program accepts an honest log, an empty log, and a restored log that has a leaf about the loss", async () => {
  expect(await audit(honestLeaves)).toEqual({ status: 0, output: "400 leaves: nothing is wrong\n" });
  expect(await audit([])).toEqual({ status: 0, output: "0 leaves: nothing is wrong\n" });
  const time = honestLeaves.at(-1)?.time ?? "";
  const beat = 395;
  const secondSale = { v: 1, kind: "sold", time, beat, exclusive: true, placed: time, commitment: "" } as const;
  const lost = { v: 1, kind: "lost", time, from: 390, to: 400 } as const;
  expect(await audit([...honestLeaves, lost, secondSale])).toEqual({
    status: 0,
    output: "402 leaves: nothing is wrong\n",
  });
  expect((await audit([...honestLeaves, secondSale])).status).toBe(1);
});

test("the program detects a second sale, a backdated sale, and a leaf that is not under the signed root", async () => {
  // The program reads one state of the log, so it cannot detect that an earlier state differs.
  const visibleCheats = cheats.filter(({ verdictStart }) => verdictStart !== "inconsistent").slice(0, 6);
  for (const { name, leaves } of visibleCheats) {
    const { status, output } = await audit(leaves);
    expect({ name, status, output }).toEqual({ name, status: 1, output: expect.stringMatching(/^WRONG: leaf \d+ is/) });
  }
  const damaged = await audit(honestLeaves, async (log) => {
    const bundle = join(log, "tile/entries/000");
    await writeFile(bundle, (await readFile(bundle, "latin1")).replace('"beat":1,', '"beat":9,'), "latin1");
  });
  expect(damaged).toEqual({ status: 1, output: "WRONG: the root\n" });
});
