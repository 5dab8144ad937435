import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import pino from "pino";
import { IdempotencyKeys } from "../../src/access/idempotency.ts";
import type { Queryable } from "../../src/database/connect.ts";
import { pageOf } from "../../src/resources/checkouts/checkout.ts";
import { openCheckout } from "../../src/resources/checkouts/open-checkout.ts";
import { settleCheckout } from "../../src/resources/checkouts/settle-checkout.ts";
import { openTemplates } from "../../src/resources/mails/folder.ts";
import { sendDueMails } from "../../src/resources/mails/outbox.ts";
import { Sandbox } from "../../src/resources/orders/payments/sandbox/sandbox.ts";

export interface Purchase {
  userId: number;
  email: string;
  key: string;
  items: Parameters<typeof openCheckout>[1]["items"];
}

/** Opens a checkout, pays it, settles it and sends its mails, like a server. `mailFile` replaces the mail server. */
export async function runCheckoutWork(db: Queryable, purchase: Purchase, mailFile: string): Promise<void> {
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
  const { userId, email, key, items } = purchase;
  const keys = new IdempotencyKeys(db, systemClock);
  let opened: Awaited<ReturnType<typeof openCheckout>> | undefined;
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
    opened = await openCheckout(dependencies, request);
    return { reference: "{}", console: "{}", location: null };
  });
  if (opened !== undefined) {
    await sandbox.pages.pay(opened.payment_key, "pm_card_visa");
    await settleCheckout(dependencies, opened.id, await sandbox.pages.query(pageOf(opened, publicUrl)));
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
}
