import { expect, it, vi } from "vitest";
import { WriteBatcher } from "./write-batcher.ts";

const response = () => ({ destroy: vi.fn() });
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it("responses are written in order, after the current turn of the event loop", async () => {
  const batcher = new WriteBatcher();
  const sent: number[] = [];
  for (const number of [1, 2, 3]) batcher.add(response() as never, () => sent.push(number));
  await Promise.resolve();
  expect(sent).toEqual([]);
  await nextTurn();
  expect(sent).toEqual([1, 2, 3]);
});

it("responses that are added during a write are written in the next turn", async () => {
  const batcher = new WriteBatcher();
  const sent: number[] = [];
  batcher.add(response() as never, () => {
    sent.push(1);
    batcher.add(response() as never, () => sent.push(2));
  });
  await nextTurn();
  await nextTurn();
  expect(sent).toEqual([1, 2]);
});

it("the connection of a response that cannot be written is destroyed, and the other responses are written", async () => {
  const batcher = new WriteBatcher();
  const [bad, good] = [response(), response()];
  const sent = vi.fn();
  const failure = new Error("no such header");
  batcher.add(bad as never, () => {
    throw failure;
  });
  batcher.add(good as never, sent);
  await nextTurn();
  expect(bad.destroy).toHaveBeenCalledWith(failure);
  expect(sent).toHaveBeenCalledOnce();
  expect(good.destroy).not.toHaveBeenCalled();
});
