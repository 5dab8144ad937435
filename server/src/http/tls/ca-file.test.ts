import { resolve } from "node:path";
import { expect, test } from "vitest";
import { relativeCaFile } from "./ca-file.ts";

test.each([
  [".data", ".data/tls/ca.pem"],
  ["var/beats", "var/beats/tls/ca.pem"],
  ["..data", "..data/tls/ca.pem"],
  [".", "tls/ca.pem"],
  ["..", null],
  ["/var/lib/beatmarket", null],
])("of DATA_DIR=%s is %s", (dataDir, path) => {
  expect(relativeCaFile(resolve(dataDir))).toBe(path);
});
