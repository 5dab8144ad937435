import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { expect, test } from "vitest";
import { MailQueue } from "./mail-queue.ts";

test("the state has the number of waiting mails and the waiting time of the oldest mail", async () => {
  const clock = new FakeClock();
  const sending: (() => void)[] = [];
  const mailer = { send: () => new Promise<void>((resolve) => sending.push(resolve)) };
  const queue = new MailQueue(mailer, { warn: () => {} }, clock);
  const readState = () => [queue.state.waiting, queue.state.oldestSeconds];
  expect(readState()).toEqual([0, 0]);
  queue.notify(async () => ({ to: "one@example.com", template: "One", facts: {} }));
  clock.advance(40_000);
  queue.notify(async () => ({ to: "two@example.com", template: "Two", facts: {} }));
  clock.advance(2_000);
  expect(readState()).toEqual([2, 42]);
  await expect.poll(() => sending.length).toBe(2);
  sending[0]?.();
  await expect.poll(readState).toEqual([1, 2]);
  sending[1]?.();
  await queue.drain();
  expect(readState()).toEqual([0, 0]);
});
