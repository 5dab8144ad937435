import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { registerMails } from "../../metrics/capacity-metrics.ts";
import { MailQueue } from "./mail-queue.ts";

test("the state has the number of waiting mails and the waiting time of the oldest mail", async () => {
  const clock = new FakeClock();
  const acceptNext: (() => void)[] = [];
  const mailer = { send: () => new Promise<void>((resolve) => acceptNext.push(resolve)) };
  const queue = new MailQueue(mailer, { warn: () => {} }, clock);
  const registry = new Registry();
  registerMails({ portal: () => queue.state }, registry);
  const readMetrics = async () => {
    const text = await registry.metrics();
    return [
      /^beatmarket_mails_waiting\{queue="portal"\} (.+)$/m,
      /^beatmarket_mails_oldest_seconds\{queue="portal"\} (.+)$/m,
    ].map((line) => Number(line.exec(text)?.[1]));
  };
  expect(await readMetrics()).toEqual([0, 0]);
  queue.notify(async () => ({ to: "one@example.com", template: "One", facts: {} }));
  clock.advance(40_000);
  queue.notify(async () => ({ to: "two@example.com", template: "Two", facts: {} }));
  clock.advance(2_000);
  expect(await readMetrics()).toEqual([2, 42]);
  acceptNext[0]?.();
  await expect.poll(readMetrics).toEqual([1, 2]);
  acceptNext[1]?.();
  await queue.drain();
  expect(await readMetrics()).toEqual([0, 0]);
});
