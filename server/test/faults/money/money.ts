import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startStripeServer } from "@beatmarket/payments/testing/stripe-server.ts";
import { folderOf } from "../../foreign/tools/install.ts";
import { run } from "../../foreign/tools/run.ts";
import { tools } from "../../foreign/tools/versions.ts";
import type { Report } from "../../harness/programmes/report.ts";
import type { Fault } from "../fault.ts";
import { countStatuses } from "../stage/client.ts";
import { mailServer } from "../stage/slow-services.ts";
import type { Program } from "../stage/stage.ts";
import {
  checkBooks,
  checkCheckouts,
  checkMails,
  checkPayouts,
  checkTransfers,
  hasTriedAll,
  isSettled,
} from "./checks.ts";
import { dispute, disturbTransfers, Operator } from "./operator.ts";
import { openShop } from "./shop.ts";
import { Shopper } from "./shopper.ts";
import { StripeNotices } from "./stripe-notices.ts";

const kills = { whole: 200, short: 20 };
/** The limit of additional kills, which continue until everything has happened that the checks need. */
const maxFurtherKills = 100;
const shoppers = 4;
const settleWithinMs = 180_000;
const webhookSecret = "whsec_faults";

export const moneyKills: Fault = {
  name: "money",
  about:
    "two servers, refunds and payouts are killed at random, 200 times, under checkouts, splits, disputes and a Stripe that loses calls",
  run: async (stage, report, extent, times = kills[extent]) => {
    const postgres = await stage.postgres();
    const url = stage.databaseUrl(postgres);
    const db = stage.connect(postgres);
    const stripe = await startStripeServer();
    stage.onClose(() => stripe.close());
    const mails = await mailServer(stage);
    const settings = {
      STRIPE_SECRET_KEY: "sk_test_1",
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_BASE: stripe.url.href,
      SMTP_URL: mails.url,
      COMMISSION_BASIS_POINTS: "1500",
      PAYOUT_CLEARING_DAYS: "0",
    };
    const beats = await openShop(db);
    const starts = [0, 1].map((slot) => () => stage.serve(slot, url, settings));
    const servers: Program[] = starts.map((start) => start());
    await Promise.all(servers.map(({ ready }) => ready));
    const addresses = servers.map(({ address }) => address);

    const stopping = new AbortController();
    const notices = new StripeNotices(stripe, addresses, webhookSecret);
    const buyers = await Promise.all(
      Array.from({ length: shoppers }, (_, index) => Shopper.make({ db, stripe, addresses, beats, index })),
    );
    const operator = new Operator({
      db,
      stripe,
      start: (args) => stage.start(2, url, args, settings),
      folder: stage.folder,
    });
    disturbTransfers(stripe);
    const work = [
      notices.deliver(stopping.signal),
      ...buyers.map((buyer) => buyer.shop(stopping.signal)),
      operator.refund(stopping.signal),
      operator.payOut(stopping.signal),
      dispute({ db, stripe, stopping: stopping.signal }),
    ];

    const restart = async (slot: number) => {
      const server = servers[slot] as Program;
      server.child.kill("SIGKILL");
      await server.ended;
      servers[slot] = (starts[slot] as () => Program)();
    };
    const countOpened = () =>
      buyers.reduce((sum, { replies }) => sum + replies.filter(({ status }) => status === 201).length, 0);
    let killCount = 0;
    for (
      ;
      killCount < times || (killCount < times + maxFurtherKills && !(await hasTriedAll(db, stripe)));
      killCount++
    ) {
      // Waits for a purchase between two kills, even on a slow machine.
      const before = countOpened();
      await sleep(randomInt(1_500));
      while (countOpened() === before) await sleep(50);
      if (randomInt(3) > 0 || !operator.killOne()) await restart(randomInt(servers.length));
      if ((killCount + 1) % 50 === 0) report.progress(`${killCount + 1} of ${times} kills`);
    }
    stopping.abort();
    await Promise.all(servers.map(({ ready }) => ready));
    await Promise.all(work);
    await operator.finish();
    for (const { id, status } of stripe.account.disputes.values())
      if (status !== "won" && status !== "lost") stripe.account.closeDispute(id, randomInt(2) === 0 ? "won" : "lost");
    // The reconciler runs at a start, and then each minute. The mails of a killed process remain leased.
    await Promise.all(servers.map((_, slot) => restart(slot)));
    await Promise.all(servers.map(({ ready }) => ready));
    await db.driver`update outgoing_mails set leased_until = null where sent_at is null`;
    await notices.deliverAll();
    const deadlineMs = performance.now() + settleWithinMs;
    while (!(await isSettled(db, stripe)) && performance.now() < deadlineMs) await sleep(250);

    report.check(
      "every case that the checks need has occurred",
      await hasTriedAll(db, stripe),
      `after ${killCount} kills`,
    );
    report.check("payments, refunds and mails are settled", await isSettled(db, stripe), "all");
    await checkCheckouts(db, stripe, report);
    await checkBooks(db, stripe, report);
    await checkPayouts(db, report);
    await checkTransfers(db, stripe, report);
    await checkMails(db, mails.mails, report);
    const replies = buyers.flatMap((buyer) => buyer.replies);
    report.check(
      "no response during the kills has status 500",
      !replies.some(({ status }) => status === 500),
      countStatuses(replies),
    );
    await checkBeancount(join(stage.folder, "money.beancount"), report, async (file) => {
      await stage.commandText(0, url, ["ledger", "export", "--output", file]);
    });
  },
};

async function checkBeancount(file: string, report: Report, exportTo: (file: string) => Promise<void>): Promise<void> {
  await exportTo(file);
  const python = join(folderOf(tools.beancount), "bin/python3");
  if (!existsSync(python)) return report.skip("bean-check", "npm run foreign -- --only beancount installs it");
  const { status, output } = await run(python, ["-m", "beancount.scripts.check", file], { cwd: dirname(file) });
  report.check("bean-check accepts the export", status === 0, output || "no complaint");
}
