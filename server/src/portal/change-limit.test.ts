import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { expect, test } from "vitest";
import { testPortal } from "../../test/harness/portal.ts";
import { Admission } from "../access/admission.ts";

test("a person's changes of all kinds share one limit a minute", async () => {
  const clock = new FakeClock();
  const portal = await testPortal({ clock });
  const [ada, bob] = [await portal.signUp(), await portal.signUp()];
  const { id } = (await ada.send("POST", "/webhooks/inbox")).json();
  const send = () => ada.send("POST", `/webhooks/endpoints/${id}/test`, { type: "beat.created" });
  for (let count = 1; count < 120; count++) expect((await send()).statusCode).toBe(202);
  const refusal = await send();
  expect(refusal.statusCode).toBe(429);
  expect(refusal.headers["retry-after"]).toBe("60");
  expect((await ada.get("/webhooks/endpoints")).statusCode).toBe(200);
  expect((await bob.send("POST", "/webhooks/inbox")).statusCode).toBe(201);
  clock.advance(60_000);
  expect((await send()).statusCode).toBe(202);
});

test("a change needs a permit before it is counted, so that a flood of changes is shed without statements", async () => {
  const concurrency = new ConcurrencyLimiter();
  let running = 0;
  const sessions = {
    countChange: async () => {
      running = concurrency.running("write");
    },
  };
  const admission = new Admission({ concurrency, sessions } as never);
  const context = { account: {}, caller: null, isRead: false, receivedMs: performance.now() };
  await admission.limit(context as never, { by: "session", required: true, permission: "self" });
  expect(running).toBe(1);
});
