import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { missingEntries } from "./complete-lock.mjs";

test("package-lock.json has every optional package, which npm ci requires; else run node scripts/complete-lock.mjs", async () => {
  const lock = JSON.parse(await readFile(new URL("../package-lock.json", import.meta.url), "utf8"));
  expect(missingEntries(lock)).toEqual({});
});

test("an entry for another platform names it, so that npm skips the package here", () => {
  const lock = {
    packages: {
      "node_modules/tool": { dev: true, optionalDependencies: { "tool-linux-arm64-musl": "1.2.3", here: "^1.0.0" } },
      "node_modules/tool/node_modules/here": { version: "1.0.1" },
    },
  };
  expect(missingEntries(lock)).toEqual({
    "node_modules/tool-linux-arm64-musl": {
      version: "1.2.3",
      cpu: ["arm64"],
      dev: true,
      libc: ["musl"],
      optional: true,
      os: ["linux"],
    },
  });
});
