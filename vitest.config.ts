import { defineConfig } from "vitest/config";

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
