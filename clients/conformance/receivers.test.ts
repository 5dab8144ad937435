import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { receivers } from "../../contract/snippets/receivers.ts";

test.each(Object.entries(receivers))("the receiver in %s is the one that its tests run", async (language, receiver) => {
  const example = new URL(`../${language}/examples/${receiver.file}`, import.meta.url);
  expect(receiver.source).toBe(await readFile(example, "utf8"));
});
