import { randomInt } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { StripeServer } from "@beatmarket/payments/testing/stripe-server.ts";
import type { TestDatabase } from "../../harness/database/driver.ts";
import type { Program } from "../stage/stage.ts";

/** Balances at Stripe that suffice for some payouts of a run, or for all of them. */
const [scantCents, plentyCents] = [4_000, 100_000_000];

type Running = Pick<Program, "child" | "ended">;

interface Desk {
  db: TestDatabase;
  stripe: StripeServer;
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

  /** Kills one of the commands. Returns false if no command is running. */
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

  /** Starts runs of payouts by either method. Some payouts arrive, others come back and are repeated. */
  async payOut(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      await this.#payDue();
      await this.#settleSome();
      await sleep(50);
    }
  }

  /** Completes the payouts that a kill interrupted, while Stripe answers every call. */
  async finish(): Promise<void> {
    this.#desk.stripe.trouble = () => null;
    if (await this.#hasOpenRun()) await this.#payDue();
    for (const payout of await this.#reversed()) await this.#reportReturned(payout);
  }

  async #payDue(): Promise<void> {
    const { transfers } = this.#desk.stripe.account;
    if (await this.#hasOpenRun()) {
      transfers.availableCents = plentyCents;
      return this.#run(["payouts", "resume", ...this.#output()]);
    }
    const isBank = randomInt(2) === 0;
    if (isBank) return this.#run(["payouts", "run", "--method", "csv", ...this.#output()]);
    transfers.availableCents = randomInt(3) === 0 ? scantCents : plentyCents;
    const [closed] = await this.#desk.db.driver<{ account: string }[]>`
      select stripe_account as account from payout_accounts where blocked_reason is null order by random() limit 1`;
    if (closed !== undefined && randomInt(3) === 0) transfers.closed.add(closed.account);
    return this.#run(["payouts", "run", "--method", "stripe"]);
  }

  async #settleSome(): Promise<void> {
    const { driver } = this.#desk.db;
    const { transfers } = this.#desk.stripe.account;
    const [sentPayout] = await driver<{ id: string; run: string }[]>`
      select id::text, run_id::text as run from payouts where status = 'sent' and stripe_account is null order by random() limit 1`;
    if (sentPayout !== undefined)
      await this.#run(["payouts", "paid", ...(randomInt(2) === 0 ? [sentPayout.id] : ["--run", sentPayout.run])]);
    for (const payout of await this.#reversed()) await this.#reportReturned(payout);
    const [returned] = await driver<{ id: string; transfer: string | null }[]>`
      select id::text, reference as transfer from payouts where status = 'paid' or (status = 'sent' and stripe_account is null)
      order by random() limit 1`;
    if (returned !== undefined && randomInt(2) === 0) {
      if (returned.transfer !== null) transfers.reverse(returned.transfer);
      await this.#reportReturned(returned.id);
    }
    const [failed] = await driver<{ id: string }[]>`
      select max(payouts.id)::text as id from payouts join payout_accounts using (user_id)
      where status = 'failed' and blocked_reason is not null group by user_id order by random() limit 1`;
    if (failed === undefined) return;
    transfers.closed.clear();
    await this.#run(["payouts", "retry", failed.id, ...this.#output()]);
  }

  /** Payouts whose transfer came back before a kill, so that the operator has not reported them. */
  async #reversed(): Promise<string[]> {
    const { all: transfers } = this.#desk.stripe.account.transfers;
    const reversed = [...transfers.values()].filter((transfer) => transfer.reversed).map(({ id }) => id);
    const rows = await this.#desk.db.driver<{ id: string }[]>`
      select id::text from payouts where status = 'paid' and reference = any (${reversed})`;
    return rows.map(({ id }) => id);
  }

  #reportReturned(payout: string): Promise<void> {
    return this.#run(["payouts", "failed", payout, "--reason", "The account is closed."]);
  }

  /** The options for a new file of the bank. A run by Stripe writes no file. */
  #output(): string[] {
    return ["--output", join(this.#desk.folder, `payouts-${randomInt(1e9)}.csv`)];
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

const troubles = ["unreachable", "response-lost", "fails-after"] as const;

/** Of the calls about transfers, one in four is lost, loses its response, or takes effect but is answered with 500. */
export function disturbTransfers(stripe: StripeServer): void {
  stripe.trouble = ({ path }) =>
    path === "/v1/transfers" && randomInt(4) === 0 ? (troubles[randomInt(troubles.length)] ?? null) : null;
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
