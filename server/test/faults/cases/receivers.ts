import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { emitEvents } from "../../../src/resources/webhooks/outbox.ts";
import type { Fault } from "../fault.ts";
import { type Address, Client } from "../stage/client.ts";
import { type Behaviour, Receiver, subscribe } from "../stage/receiver.ts";
import { hasEnded } from "../stage/stage.ts";
import { allOperational, statusWithin } from "../stage/status.ts";

const events = { whole: 2_000, short: 40 };
const eventsAtOnce = 20;
/** The allowed growth above the memory of an idle worker, in MB. */
const memoryGrowthLimit = 150;
const healthyDelayLimitMs = 2_000;
const queueMeasuredWithinMs = 30_000;
const flood = Buffer.alloc(64 * 1024, "x");

/** The behavior of bad receivers: they never respond, reset the connection, or respond without end. */
const faultyBehaviours: Record<string, Behaviour> = {
  "that hangs": () => {},
  "that resets": (request) => request.socket.resetAndDestroy(),
  "that floods": (_, response) => {
    const writeWithoutEnd = (): void => {
      while (!response.destroyed && response.write(flood)) {}
      if (!response.destroyed) response.once("drain", writeWithoutEnd);
    };
    response.on("error", () => {});
    writeWithoutEnd();
  },
};

export const receivers: Fault = {
  name: "receivers",
  about: "receivers of webhooks hang, reset and flood, together with healthy ones",
  run: async (stage, report, extent) => {
    const postgres = await stage.postgres();
    const db = stage.connect(postgres);
    const healthy = await Promise.all([1, 2].map(() => Receiver.listen(stage)));
    for (const [index, { url }] of healthy.entries())
      await subscribe(db, url, `healthy-${index}@example.com`, ["user.updated"]);
    for (const [index, behaviour] of Object.values(faultyBehaviours).entries())
      for (let copy = 0; copy < 3; copy++) {
        const { url } = await Receiver.listen(stage, behaviour);
        await subscribe(db, url, `ill-${index}-${copy}@example.com`, ["user.updated"]);
      }
    const worker = stage.work(0, stage.databaseUrl(postgres));
    await worker.ready;
    const beforeMb = await residentMb(worker.child.pid);
    let largestMb = beforeMb;

    const emittedMs = new Map<string, number>();
    for (let emitted = 0; emitted < events[extent]; emitted += eventsAtOnce) {
      const facts = Array.from({ length: eventsAtOnce }, () => ({
        type: "user.updated" as const,
        data: { mark: randomUUID() },
        at: new Date(),
        audience: "everyone" as const,
      }));
      const atMs = performance.now();
      await emitEvents(db.query, facts);
      for (const { data } of facts) emittedMs.set(data.mark, atMs);
      await sleep(100);
      largestMb = Math.max(largestMb, await residentMb(worker.child.pid));
    }
    const isDelivered = () => healthy.every((receiver) => receiver.bodies.size === emittedMs.size);
    for (const deadlineMs = performance.now() + 60_000; !isDelivered() && performance.now() < deadlineMs; )
      await sleep(100);

    const receivedCount = healthy.reduce((total, { bodies }) => total + bodies.size, 0);
    report.check(
      "events at healthy receivers",
      isDelivered(),
      `${receivedCount} of ${healthy.length * emittedMs.size}`,
    );
    const delays = healthy.flatMap((receiver) => delaysMs(receiver, emittedMs)).sort((a, b) => a - b);
    report.bound(
      "p99 from event to healthy receiver",
      delays[Math.floor(delays.length * 0.99)] ?? 0,
      healthyDelayLimitMs,
      "ms",
    );
    report.check("the worker continues", !hasEnded(worker), hasEnded(worker) ? "it ended" : "same process");
    report.bound("the worker's memory grew by", largestMb - beforeMb, memoryGrowthLimit, "MB");
    if (extent === "short") return;
    // The service counts as healthy in spite of bad receivers.
    const server = stage.serve(1, stage.databaseUrl(postgres));
    await server.ready;
    report.check("the server has measured the queue", await hasMeasuredQueue(server.address), "it is not empty");
    await statusWithin(report, server.address, "with bad receivers", allOperational);
  },
};

/** Waits until `/metrics` shows the deliveries that wait for bad receivers. Returns whether it did. */
async function hasMeasuredQueue(address: Address): Promise<boolean> {
  const client = new Client(address, "none");
  let isMeasured = false;
  for (
    const deadlineMs = performance.now() + queueMeasuredWithinMs;
    !isMeasured && performance.now() < deadlineMs;
    await sleep(100)
  ) {
    const { body } = await client.getOutsideApi("/metrics");
    isMeasured = /^beatmarket_webhook_deliveries_pending [1-9]/m.test(body);
  }
  await client.close();
  return isMeasured;
}

function delaysMs(receiver: Receiver, emittedMs: ReadonlyMap<string, number>): number[] {
  return [...receiver.bodies].map(([id, [body = ""]]) => {
    const { data } = JSON.parse(body) as { data: { mark: string } };
    return (receiver.firstMs.get(id) ?? 0) - (emittedMs.get(data.mark) ?? 0);
  });
}

/** The resident memory of a process in MB; 0 if it cannot be read. */
export async function residentMb(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}
