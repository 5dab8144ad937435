import { expect, test } from "vitest";
import { HeldOutput } from "./held-output.mjs";

test("held output is printed in order at the release, and later output is printed immediately", () => {
  const printed: string[] = [];
  const output = new HeldOutput((text) => printed.push(text));
  output.print("one\n");
  output.print("two\n");
  expect(printed).toEqual([]);
  output.release();
  expect(printed).toEqual(["one\ntwo\n"]);
  output.print("three\n");
  expect(printed).toEqual(["one\ntwo\n", "three\n"]);
});
