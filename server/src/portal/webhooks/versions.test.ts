import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import pino from "pino";
import { expect, onTestFinished, test } from "vitest";
import { webhookSecrets } from "../../../test/harness/api.ts";
import { testPortal } from "../../../test/harness/portal.ts";
import { startWebhookJobs } from "../../resources/webhooks/background-jobs.ts";
import { emitEvents } from "../../resources/webhooks/outbox.ts";

const clock = new FakeClock();
const portal = await testPortal({ clock });
const { query: db } = portal.database;

test("an endpoint gets events in its version, at first the account's; after a change, attempts have the new version", async () => {
  const ada = await portal.signUp();
  const { id, version } = (await ada.send("POST", "/webhooks/inbox")).json() as { id: number; version: string };
  expect(version).toBe("2026-11-20");
  /** The bodies that the endpoint received, newest first. */
  const bodies = async () => (await received()).map(({ body }) => body);
  const received = async () => {
    const { receipts } = (await ada.get(`/webhooks/endpoints/${id}/receipts`)).json() as {
      receipts: { id: number }[];
    };
    return Promise.all(
      receipts.map(
        async (each) =>
          (await ada.get(`/webhooks/receipts/${each.id}`)).json() as {
            body: string;
            headers: { name: string; value: string }[];
          },
      ),
    );
  };
  await emitEvents(db, [{ type: "user.updated", data: { n: 1 }, at: new Date(clock.nowMs()), audience: "everyone" }]);
  const stop = await startWebhookJobs({
    database: portal.database,
    clock,
    log: pino({ level: "silent" }),
    secrets: webhookSecrets,
    mails: { mailer: { send: async () => {} }, publicUrl: "https://beats.example" },
    allowPrivate: false,
  });
  onTestFinished(stop);
  await until(async () => (await bodies()).length === 1);
  const { payload } = await db
    .selectFrom("events")
    .select("payload")
    .where("type", "=", "user.updated")
    .executeTakeFirstOrThrow();
  expect(await bodies()).toEqual([payload]);
  expect((await received())[0]?.headers).toContainEqual({ name: "Beat-Version", value: "2026-11-20" });

  const changed = await ada.send("PATCH", `/webhooks/endpoints/${id}`, { version: "2026-11-28" });
  expect(changed.json(), changed.body).toMatchObject({ version: "2026-11-28" });
  const { deliveries } = (await ada.get(`/webhooks/endpoints/${id}/deliveries`)).json();
  const delivery = deliveries[0].id as number;
  await until(async () => (await ada.send("POST", `/webhooks/deliveries/${delivery}/resend`)).statusCode < 300);
  await until(async () => (await bodies()).length === 2);
  const [newest] = await received();
  const body = newest?.body ?? "";
  expect(newest?.headers).toContainEqual({ name: "Beat-Version", value: "2026-11-28" });
  const { created, ...rest } = JSON.parse(payload) as { created: number };
  const time = `${new Date(created * 1_000).toISOString().slice(0, 19)}Z`;
  expect(JSON.parse(body)).toEqual({ ...rest, created_at: time });
  expect((await ada.get(`/webhooks/deliveries/${delivery}`)).json()).toMatchObject({
    payload: body,
    version: "2026-11-28",
  });
  const { curl } = (await ada.get(`/webhooks/deliveries/${delivery}/curl`)).json() as { curl: string };
  expect(curl).toContain(body);
  expect(curl).toContain("Beat-Version: 2026-11-28");

  const unknown = await ada.send("PATCH", `/webhooks/endpoints/${id}`, { version: "2026-11-19" });
  expect(unknown.statusCode).toBe(400);
  expect(unknown.json().error.details).toMatch(/^The version field .* 2026-11-20 or 2026-11-28\./);
  const fields = { url: "https://receiver.example/hook", event_types: null, version: "2026-11-28" };
  expect((await ada.send("POST", "/webhooks/endpoints", fields)).json().endpoint).toMatchObject({
    version: "2026-11-28",
  });
});
