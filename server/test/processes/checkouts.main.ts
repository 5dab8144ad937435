import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import pino from "pino";
import { IdempotencyKeys } from "../../src/access/idempotency.ts";
import { pageOf } from "../../src/resources/checkouts/checkout.ts";
import { openCheckout } from "../../src/resources/checkouts/open-checkout.ts";
import { settleCheckout } from "../../src/resources/checkouts/settle-checkout.ts";
import { openTemplates } from "../../src/resources/mails/folder.ts";
import { sendDueMails } from "../../src/resources/mails/outbox.ts";
import { Sandbox } from "../../src/resources/orders/payments/sandbox/sandbox.ts";
import { connectForTest } from "../harness/database/driver.ts";

// A process that opens a checkout, pays it, settles it and sends its mails, like a server. It is killed directly after
// one of its statements has taken effect. Arguments: the number of that statement, counted from 1, the purchase as JSON,
// and the file that replaces the mail server. Ends with status 0 when the work is complete.
const [killAfter, work = "", mailFile = ""] = process.argv.slice(2);
const database = connectForTest({ url: process.env.DATABASE_URL ?? "" });
let statements = 0;
const db = database.withStatementLog(() => {
  if (++statements === Number(killAfter)) process.kill(process.pid, "SIGKILL");
});
const log = pino({ level: "silent" });
const sandbox = new Sandbox(db);
const publicUrl = "https://beats.example";
const dependencies = {
  db,
  log,
  publicUrl,
  clock: systemClock,
  payments: [sandbox] as const,
  currency: "USD",
  commissionBasisPoints: 0,
  seller: null,
  termsVersion: "1",
};
const { userId, email, key, items } = JSON.parse(work);
const keys = new IdempotencyKeys(db, systemClock);
let checkout: Awaited<ReturnType<typeof openCheckout>> | undefined;
await keys.once({ userId, key, operation: "createCheckout", input: { params: {}, body: items } }, async (run) => {
  const request = {
    userId,
    email,
    items,
    successUrl: null,
    cancelUrl: null,
    discountCode: null,
    run,
    requestId: randomUUID(),
  };
  checkout = await openCheckout(dependencies, request);
  return { reference: "{}", console: "{}", location: null };
});
if (checkout !== undefined) {
  await sandbox.pages.pay(checkout.payment_key, "pm_card_visa");
  await settleCheckout(dependencies, checkout.id, await sandbox.pages.query(pageOf(checkout, publicUrl)));
  await sendDueMails({
    db,
    log,
    clock: systemClock,
    mailer: { send: async ({ to, messageId }) => appendFileSync(mailFile, `${to} ${messageId}\n`) },
    texts: await openTemplates(undefined),
    brand: { site: "Beats", logoUrl: null, footer: null, links: [] },
    libraryUrl: async () => null,
    unsubscribeUrl: () => `${publicUrl}/mails/preferences`,
  });
}
await database.close();
