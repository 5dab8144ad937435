import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { contractTypes } from "../javascript/tools/types.ts";

test("the types of the JavaScript client match the OpenAPI document; else run npm run contract", async () => {
  const written = await readFile(new URL("../javascript/src/contract.ts", import.meta.url), "utf8");
  expect(written).toBe(await contractTypes());
});
