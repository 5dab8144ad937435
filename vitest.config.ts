import { join } from "node:path";
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

// Test processes, and the programs that many of them start, share what Node has compiled.
// biome-ignore lint/style/noProcessEnv: Node reads this setting from the environment, and hands it on.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/node-compile");

const all = "{server,bench,portal,scripts,contract,clients/conformance}/**/*.test.ts";
/** Test files with a process of their own: they replace modules, or measure the memory of their process. */
const isolated = [
  "server/src/resources/catalogue-import/odd-files.test.ts",
  "server/src/resources/webhooks/events/event-id.test.ts",
  "server/test/abuse/key-timing.test.ts",
  "server/test/journeys/refilled-limits.test.ts",
];

/** The other files share two processes, each of which loads the modules once. */
function project(name: string, test: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      pool: "forks",
      maxWorkers: 2,
      setupFiles: "server/test/harness/setup.ts",
      testTimeout: 30_000,
      hookTimeout: 30_000,
      // What is waited for on a machine busy with other tests; nothing asserts how long it took.
      expect: { poll: { timeout: 15_000 } },
      env: { LOG_LEVEL: "silent" },
      ...test,
    },
  };
}

export default defineConfig({
  test: {
    globalSetup: "server/test/harness/global-setup.ts",
    watch: false,
    projects: [
      project("isolated", { include: isolated }),
      project("shared", { include: [all], exclude: [...configDefaults.exclude, ...isolated], isolate: false }),
    ],
  },
});
