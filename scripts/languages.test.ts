import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ensureLanguages } from "./languages.mjs";

test("a machine without languages or packages is told which clients are not tested", async () => {
  const empty = await mkdtemp(join(tmpdir(), "beatmarket-no-languages-"));
  const said = vi.spyOn(console, "log").mockImplementation(() => {});
  vi.stubEnv("PATH", empty);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    await rm(empty, { recursive: true });
  });
  expect([...ensureLanguages()]).toEqual(["python", "php", "ruby"]);
  expect(said.mock.calls.flat().join(" ")).toMatch(/Python.*install python3.*PHP.*install php-cli.*Ruby.*install ruby/);
});
