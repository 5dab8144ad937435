import { expect, it, vi } from "vitest";
import { Outbox } from "./write-batcher.ts";

const response = () => ({ destroy: vi.fn() });
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it("sends in order, once what is under way now has come to its end", async () => {
  const outbox = new Outbox();
  const sent: number[] = [];
  for (const number of [1, 2, 3]) outbox.add(response() as never, () => sent.push(number));
  await Promise.resolve();
  expect(sent).toEqual([]);
  await nextTurn();
  expect(sent).toEqual([1, 2, 3]);
});

it("sends what is added while it sends in its next turn", async () => {
  const outbox = new Outbox();
  const sent: number[] = [];
  outbox.add(response() as never, () => {
    sent.push(1);
    outbox.add(response() as never, () => sent.push(2));
  });
  await nextTurn();
  await nextTurn();
  expect(sent).toEqual([1, 2]);
});

it("cuts the connection of an answer that cannot be sent, and sends the others", async () => {
  const outbox = new Outbox();
  const [bad, good] = [response(), response()];
  const sent = vi.fn();
  const failure = new Error("no such header");
  outbox.add(bad as never, () => {
    throw failure;
  });
  outbox.add(good as never, sent);
  await nextTurn();
  expect(bad.destroy).toHaveBeenCalledWith(failure);
  expect(sent).toHaveBeenCalledOnce();
  expect(good.destroy).not.toHaveBeenCalled();
});
