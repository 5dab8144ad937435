import { expect, it } from "vitest";
import { PlainAnswer } from "./answer-cache.ts";

it.each(["br", "gzip"] as const)("what is kept, plain and in %s, keeps no memory but its own", async (encoding) => {
  const answer = new PlainAnswer(JSON.stringify({ title: "Été ".repeat(500) }));
  answer.settle();
  const encoded = await answer.encoded(encoding);
  for (const { body } of [answer, encoded]) expect(body.buffer.byteLength).toBe(body.length);
  expect(JSON.parse(answer.body.toString())).toEqual({ title: "Été ".repeat(500) });
});
