import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type RunningProgram, startProgram, until } from "@beatmarket/postgres/testing/processes.ts";
import { sql } from "kysely";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createEndpoint, createOwner, emit as emitEvents } from "../../testing/fixture.ts";
import { webhooksDatabase } from "../../testing/webhooks-database.ts";

const { url, query: db, driver } = await webhooksDatabase();
const userId = await createOwner(db);

let received: string[] = [];
/** Runs before the receiver responds. */
let beforeResponse = async (): Promise<void> => {};
const receiver = createServer(async (request, response) => {
  received.push(String(request.headers["webhook-id"]));
  request.resume();
  await beforeResponse();
  response.end("ok");
});
receiver.listen(0, "127.0.0.1");
await once(receiver, "listening");
afterAll(() => receiver.close());

beforeEach(async () => {
  received = [];
  beforeResponse = async () => {};
  for (const table of ["webhook_endpoints", "webhook_deliveries", "webhook_attempts", "events"] as const)
    await db.deleteFrom(table).execute();
  await makeEndpoint();
});

function makeEndpoint() {
  const { port } = receiver.address() as AddressInfo;
  return createEndpoint(db, { userId, url: `http://127.0.0.1:${port}/` }, { allowPrivate: true, now: new Date() });
}

async function startWorker(diesAt?: "claimed" | "answered" | "recorded"): Promise<RunningProgram> {
  const main = join(import.meta.dirname, "../../testing/webhook-worker.main.ts");
  const program = startProgram(process.execPath, [main, url, ...(diesAt === undefined ? [] : [diesAt])], {});
  expect(await program.nextLine()).toBe("ready");
  return program;
}

const emit = async (): Promise<string> => {
  await emitEvents(db, [{ type: "user.updated", data: {}, at: new Date(), audience: "everyone" }]);
  return (await db.selectFrom("events").select("id").executeTakeFirstOrThrow()).id;
};
const delivery = () => db.selectFrom("webhook_deliveries").select(["state", "attempts"]).executeTakeFirstOrThrow();
const attempts = async () => (await db.selectFrom("webhook_attempts").select("status").execute()).length;

const expireLeases = () => sql`update webhook_deliveries set leased_until = now() where state = 'sending'`.execute(db);

/** Resolves when the worker waits for a lock that the test holds. */
const workerIsBlocked = () =>
  until(async () => {
    const waiting = await driver`
      select from pg_stat_activity
      where application_name ^@ 'webhook-worker' and wait_event_type = 'Lock' and datname = current_database()`;
    return waiting.length > 0;
  });

/** Starts another worker and waits until it has sent the deliveries of the killed one. */
async function recover(): Promise<void> {
  await expireLeases();
  await startWorker();
  await until(async () => (await delivery()).state === "succeeded");
}

describe("a worker that is killed loses no delivery:", () => {
  test("if it is killed during the claim, the delivery stays queued", async () => {
    const worker = await startWorker();
    const id = await driver.begin(async (lock) => {
      await lock`select pg_advisory_xact_lock(hashtext('beatmarket:webhooks'))`;
      const eventId = await emit();
      await workerIsBlocked();
      worker.child.kill("SIGKILL");
      await worker.ended;
      return eventId;
    });
    expect((await delivery()).state).toBe("pending");
    await recover();
    expect(received).toEqual([id]);
  });

  test("if it is killed between claim and request, another worker sends the delivery after the lease", async () => {
    const worker = await startWorker("claimed");
    const id = await emit();
    expect((await worker.ended).signal).toBe("SIGKILL");
    expect((await delivery()).state).toBe("sending");
    expect(received).toEqual([]);
    await recover();
    expect(received).toEqual([id]);
  });

  test("if it is killed during the request, another worker sends the delivery again with the same id", async () => {
    const worker = await startWorker();
    beforeResponse = async () => {
      beforeResponse = async () => {};
      worker.child.kill("SIGKILL");
      await worker.ended;
    };
    const id = await emit();
    await worker.ended;
    expect((await delivery()).state).toBe("sending");
    await recover();
    expect(received).toEqual([id, id]);
  });

  test("if it is killed between response and record, another worker sends the delivery again with the same id", async () => {
    const worker = await startWorker("answered");
    const id = await emit();
    expect((await worker.ended).signal).toBe("SIGKILL");
    expect(await attempts()).toBe(0);
    await recover();
    expect(received).toEqual([id, id]);
  });

  test("if it is killed while it records the attempt, nothing is recorded, and another worker sends the delivery again", async () => {
    const worker = await startWorker();
    const responding = Promise.withResolvers<void>();
    beforeResponse = () => responding.promise;
    const id = await emit();
    await until(() => received.length === 1);
    await driver.begin(async (lock) => {
      await lock`select from webhook_deliveries for update`;
      responding.resolve();
      await workerIsBlocked();
      worker.child.kill("SIGKILL");
      await worker.ended;
    });
    expect(await attempts()).toBe(0);
    await recover();
    expect(received).toEqual([id, id]);
    expect(await attempts()).toBe(1);
  });

  test("if it is killed after the record, the delivery is not sent again", async () => {
    const worker = await startWorker("recorded");
    const id = await emit();
    expect((await worker.ended).signal).toBe("SIGKILL");
    expect(await delivery()).toEqual({ state: "succeeded", attempts: 1 });
    await recover();
    expect(received).toEqual([id]);
  });
});

test("no other worker takes a delivery before its lease expires", async () => {
  const worker = await startWorker("claimed");
  await emit();
  await worker.ended;
  const other = await startWorker();
  // A second endpoint, because the first one may be slow by now and would get no second delivery.
  await makeEndpoint();
  await emitEvents(db, [{ type: "user.updated", data: {}, at: new Date(), audience: "everyone" }]);
  await until(() => received.length > 0);
  const states = await db.selectFrom("webhook_deliveries").select("state").orderBy("id").execute();
  expect(states[0]).toEqual({ state: "sending" });
  other.child.kill("SIGKILL");
});
