import { expect, test } from "vitest";
import { HeldOutput } from "./held-output.mjs";

test("output is kept until it is released, in its order, and printed as it comes from then on", () => {
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
