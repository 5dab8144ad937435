import { globSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { memoryFolder } from "./server/test/harness/memory-folder.ts";

// Test processes, and the programs that many of them start, share what Node has compiled.
// biome-ignore lint/style/noProcessEnv: Node reads this setting from the environment, and hands it on.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/node-compile");
// biome-ignore lint/style/noProcessEnv: Node, PostgreSQL and browsers read it from the environment, and hand it on.
if (process.env.TMPDIR === undefined) Object.assign(process.env, { TMPDIR: memoryFolder() ?? tmpdir() });

const all =
  "{packages,server,bench,portal,scripts,contract,clients/conformance,clients/generator,clients/packages,clients/cli}/**/*.test.ts";
const alone = [
  // Measures the memory of its process.
  "server/src/resources/catalogue-import/odd-files.test.ts",
  // Block image formats that covers may not have, for the whole process.
  "packages/audio/src/cover/make-cover.test.ts",
  "packages/audio/src/malformed.test.ts",
];
/**
 * Test files with a process of their own, such as those that mock modules: a shared process may have loaded them
 * already.
 */
const isolated = globSync(all, { cwd: import.meta.dirname, exclude: ["**/node_modules"] }).filter(
  (file) => alone.includes(file) || /\bvi\.(mock|doMock)\(/.test(readFileSync(join(import.meta.dirname, file), "utf8")),
);

/**
 * The longest files, which start first. Otherwise one worker could run a long file at the end while the others are
 * idle. Files that use a browser alternate with files that wait for other programs.
 */
const longest = [
  "server/test/backup/vault-away.test.ts",
  "portal/test/outage.browser.test.ts",
  "server/test/abuse/contract-fuzz/contract-fuzz.test.ts",
  "portal/test/log.browser.test.ts",
  "scripts/release/release.test.ts",
  "portal/test/webhooks.browser.test.ts",
  "server/test/faults/faults.test.ts",
  "portal/test/explorer.browser.test.ts",
  "clients/conformance/examples.test.ts",
  "portal/test/german.browser.test.ts",
  "server/src/commands/backup/backup.test.ts",
  "server/test/contract/contract.test.ts",
  "packages/postgres/src/embedded/open-embedded.test.ts",
  "portal/test/site-outage.browser.test.ts",
  "server/test/search-quality/opensearch.test.ts",
  "portal/test/many-beats.browser.test.ts",
  "server/test/catalogue-opensearch/catalogue-opensearch.test.ts",
  "server/test/abuse/portal-values.test.ts",
  "server/test/backup/damage.test.ts",
  "portal/test/newcomers.browser.test.ts",
  "server/src/database/upgrade.test.ts",
  "clients/conformance/snippets.test.ts",
  "server/test/journeys/start-up.test.ts",
  "portal/test/docs.browser.test.ts",
  "packages/http/src/rate-limit/redis-topologies.test.ts",
  "portal/test/keys.browser.test.ts",
  "server/src/commands/import.test.ts",
  "portal/test/account.browser.test.ts",
  "server/test/backup/refusals.test.ts",
  "portal/test/basket.browser.test.ts",
  "server/test/journeys/side-by-side.test.ts",
  "portal/test/studio.browser.test.ts",
  "server/test/backup/forged.test.ts",
];

/** Isolated files, the longest, and the others as Vitest sorts them: by their last duration or by size. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project, moduleId }: TestSpecification): number => {
      if (project.name === "isolated") return -1;
      const index = longest.findIndex((file) => moduleId.endsWith(`/${file}`));
      return index === -1 ? longest.length : index;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/**
 * V8 starts a major GC after each 64 MB of buffers, and each one visits all modules and documents that a shared process
 * has loaded: a third of the work of a file that reads backups. With these flags only the size of the heap counts, and
 * a first major GC waits for 256 MB.
 */
const largeHeap = [
  "--external-memory-accounted-in-global-limit",
  "--initial-old-space-size=256",
  "--min-semi-space-size=16",
  "--max-semi-space-size=32",
];

/** A project with four processes. Files of the shared project use the modules that their process has loaded. */
function project(name: string, test: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      pool: "forks",
      // Twice the cores of the CI machine: many tests wait for other programs, and three left the cores idle for a
      // quarter of the time.
      maxWorkers: 4,
      setupFiles: "server/test/harness/setup.ts",
      // So long that only a test that hangs reaches it, even on a busy machine. No test asserts a duration.
      testTimeout: 900_000,
      hookTimeout: 900_000,
      expect: { poll: { timeout: 180_000 } },
      env: { LOG_LEVEL: "silent" },
      ...test,
    },
  };
}

export default defineConfig({
  test: {
    globalSetup: "packages/postgres/testing/global-setup.ts",
    watch: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      project("isolated", { include: isolated }),
      project("shared", {
        include: [all],
        exclude: [...configDefaults.exclude, ...isolated],
        isolate: false,
        execArgv: largeHeap,
      }),
    ],
  },
});
