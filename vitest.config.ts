import { join } from "node:path";
import { defineConfig } from "vitest/config";

// Each test file has a process of its own, and many start programs: they share what Node has compiled.
// biome-ignore lint/style/noProcessEnv: Node reads this setting from the environment, and hands it on.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/node-compile");

export default defineConfig({
  test: {
    include: ["{server,bench,portal,scripts,contract,clients/conformance}/**/*.test.ts"],
    globalSetup: "server/test/harness/global-setup.ts",
    pool: "forks",
    maxWorkers: 2,
    watch: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What is waited for on a machine busy with other tests; nothing asserts how long it took.
    expect: { poll: { timeout: 15_000 } },
    env: { LOG_LEVEL: "silent" },
  },
});
