import { randomInt } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { StripeServer } from "@beatmarket/payments/testing/stripe-server.ts";
import type { TestDatabase } from "../../harness/database/driver.ts";
import type { Program } from "../stage/stage.ts";

type Running = Pick<Program, "child" | "ended">;

interface Desk {
  db: TestDatabase;
  start(args: string[]): Running;
  folder: string;
}

/** Refunds orders and pays producers by commands, which may be killed. */
export class Operator {
  readonly #desk: Desk;
  readonly #running = new Set<Running>();

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** Kills one of the commands; false when none runs. */
  killOne(): boolean {
    const [running] = this.#running;
    running?.child.kill("SIGKILL");
    return running !== undefined;
  }

  async refund(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const [order] = await this.#desk.db.driver<{ id: string }[]>`
        select id::text from orders where status = 'completed' and refunded_at is null and amount_cents > 0
          and not exists (select from disputes where order_id = orders.id) order by random() limit 1`;
      const amount = randomInt(2) === 0 ? [] : ["--amount", "1.25"];
      if (order !== undefined) await this.#run(["orders", "refund", order.id, ...amount]);
      await sleep(50);
    }
  }

  /** Makes runs of payouts. Some payouts arrive, others come back and are tried again. */
  async payOut(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      await this.#payDue();
      await this.#settleSome();
      await sleep(50);
    }
  }

  /** Completes the run that a kill left open. */
  async finish(): Promise<void> {
    if (await this.#hasOpenRun()) await this.#payDue();
  }

  async #payDue(): Promise<void> {
    const command = (await this.#hasOpenRun()) ? ["resume"] : ["run", "--method", "csv"];
    await this.#run(["payouts", ...command, "--output", join(this.#desk.folder, `payouts-${randomInt(1e9)}.csv`)]);
  }

  async #settleSome(): Promise<void> {
    const { driver } = this.#desk.db;
    const [sent] = await driver<{ id: string; run: string }[]>`
      select id::text, run_id::text as run from payouts where status = 'sent' order by random() limit 1`;
    if (sent !== undefined)
      await this.#run(["payouts", "paid", ...(randomInt(2) === 0 ? [sent.id] : ["--run", sent.run])]);
    const [returned] = await driver<{ id: string }[]>`
      select id::text from payouts where status in ('sent', 'paid') order by random() limit 1`;
    if (returned !== undefined && randomInt(2) === 0)
      await this.#run(["payouts", "failed", returned.id, "--reason", "The account is closed."]);
    const [failed] = await driver<{ id: string }[]>`
      select max(payouts.id)::text as id from payouts join payout_accounts using (user_id)
      where status = 'failed' and blocked_reason is not null group by user_id order by random() limit 1`;
    if (failed !== undefined)
      await this.#run(["payouts", "retry", failed.id, "--output", join(this.#desk.folder, `retry-${failed.id}.csv`)]);
  }

  async #hasOpenRun(): Promise<boolean> {
    return (await this.#desk.db.driver`select from payout_runs where finished_at is null`).length > 0;
  }

  async #run(args: string[]): Promise<void> {
    const running = this.#desk.start([...args, "--json"]);
    this.#running.add(running);
    await running.ended;
    this.#running.delete(running);
  }
}

/** The buyers' banks dispute payments. Some disputes are won, some lost. */
export async function dispute({
  db,
  stripe,
  stopping,
}: {
  db: TestDatabase;
  stripe: StripeServer;
  stopping: AbortSignal;
}): Promise<void> {
  const open: string[] = [];
  while (!stopping.aborted) {
    await sleep(700);
    const [payment] = await db.driver<{ reference: string | null }[]>`
      select min(split_part(payment_reference, ':', 1)) as reference from orders
        left join refunds on refunds.order_id = orders.id left join disputes on disputes.order_id = orders.id
      where checkout_key is not null and orders.status = 'completed' group by checkout_key
      having count(refunds.id) = 0 and count(disputes.order_id) = 0 order by random() limit 1`;
    const charge = stripe.account.charges.get(
      String(stripe.account.intents.get(payment?.reference ?? "")?.latest_charge),
    );
    if (payment?.reference != null && charge?.disputed === false)
      open.push(stripe.account.openDispute(payment.reference).id);
    const closing = randomInt(2) === 0 ? open.shift() : undefined;
    if (closing !== undefined) stripe.account.closeDispute(closing, randomInt(2) === 0 ? "won" : "lost");
  }
}
