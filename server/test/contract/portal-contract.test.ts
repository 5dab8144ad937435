import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { portalDocumentText } from "../../tools/contract.ts";

const committed = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), "utf8");

test("contract/portal-openapi.json matches the table of portal routes (npm run contract)", async () => {
  expect(await committed("contract/portal-openapi.json")).toBe(portalDocumentText());
});
