import { join } from "node:path";
import { defineConfig } from "vitest/config";

// `npm run pictures` takes the pictures of the documents. `npm test` does not run these files.
export default defineConfig({
  root: join(import.meta.dirname, "../../.."),
  test: {
    include: ["portal/test/pictures/{buying,gallery,pictures,sandboxes,shop,studio}.ts"],
    globalSetup: ["packages/postgres/testing/global-setup.ts", "portal/test/pictures/require-fonts.ts"],
    setupFiles: "server/test/harness/setup.ts",
    watch: false,
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    env: { LOG_LEVEL: "silent" },
  },
});
