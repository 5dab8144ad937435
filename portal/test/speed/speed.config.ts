import { join } from "node:path";
import { defineConfig } from "vitest/config";

// Only `npm run speed` runs these files: they measure times, which tests must not assert.
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
