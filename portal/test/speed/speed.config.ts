import { join } from "node:path";
import { defineConfig } from "vitest/config";

// `npm run speed` alone: what it measures are times, which tests do not assert.
export default defineConfig({
  root: join(import.meta.dirname, "../../.."),
  test: {
    include: ["portal/test/speed/*.speed.ts"],
    globalSetup: "packages/postgres/testing/global-setup.ts",
    setupFiles: "server/test/harness/setup.ts",
    watch: false,
    env: { LOG_LEVEL: "silent" },
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
