import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { PageState, PaymentPage, PaymentPages } from "@beatmarket/payments/provider.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../../database/connect.ts";
import { sandboxMethods } from "./methods.ts";

/** The duration of a slow payment. */
const slowMs = 10_000;

/** The sandbox's card whose payment is slow, like a bank transfer. */
export const slowMethod = "pm_slow";

/** The status of a page after a payment that the card does not decline. */
const statusAfter = { succeeds: "succeeded", waits: "approving", slow: "processing" } as const;

/** Returns the id of a checkout's payment. */
const pageReference = (key: string): string => `sandbox_${key}`;

export interface SandboxPageRow {
  /** `approving`: the buyer has to decide at the bank. `processing`: a slow payment has not arrived yet. */
  status: "open" | "approving" | "processing" | "succeeded" | "expired";
  payment_method: string | null;
  /** The reason why the last card was declined. */
  failure_reason: string | null;
  paid_at: Date | null;
}

/** The payment pages of checkouts in the sandbox. As on Stripe's pages, a buyer may try several cards. */
export class SandboxPages implements PaymentPages {
  readonly #db: Queryable;
  readonly #clock: Clock;

  constructor(db: Queryable, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  async open({ key, amountCents, currency, createdAt, returnUrl }: PaymentPage) {
    await this.#db
      .insertInto("sandbox_checkouts")
      .values({ checkout_key: key, amount_cents: amountCents, currency, status: "open", created_at: createdAt })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return { reference: pageReference(key), url: returnUrl };
  }

  /** Pays with a card. Does nothing for a page that is not open, and for an unknown card. */
  async pay(key: string, method: string): Promise<void> {
    const outcome = method === slowMethod ? "slow" : sandboxMethods.get(method)?.payment;
    if (outcome === undefined) return;
    const isDeclined = typeof outcome === "object";
    const status = isDeclined ? "open" : statusAfter[outcome];
    await this.#change(key, "open", {
      status,
      payment_method: isDeclined ? null : method,
      failure_reason: isDeclined ? outcome.declined : null,
      paid_at: status === "open" || status === "approving" ? null : this.#now(),
    });
  }

  /** Applies the buyer's decision at the bank. After a declined payment the page is open for another card. */
  async decide(key: string, decision: "approve" | "decline"): Promise<void> {
    await this.#change(
      key,
      "approving",
      decision === "approve"
        ? { status: "succeeded", paid_at: this.#now() }
        : { status: "open", payment_method: null, failure_reason: "You declined the payment at your bank." },
    );
  }

  async query({ key, email }: PaymentPage): Promise<PageState> {
    const row = await this.find(key);
    const arrivesAtMs = (row?.paid_at?.getTime() ?? 0) + slowMs;
    const hasArrived = row?.status === "processing" && arrivesAtMs <= this.#clock.nowMs();
    if (hasArrived) await this.#change(key, "processing", { status: "succeeded" });
    switch (hasArrived ? "succeeded" : row?.status) {
      case "succeeded":
        return { status: "succeeded", reference: pageReference(key), method: row?.payment_method ?? "", email };
      case "processing":
        return { status: "processing" };
      case "expired":
        return { status: "expired" };
      default:
        return { status: "open" };
    }
  }

  async expire(page: PaymentPage): Promise<PageState> {
    await sql`
      insert into sandbox_checkouts (checkout_key, amount_cents, currency, status, created_at)
      values (${page.key}, ${page.amountCents}, ${page.currency}, 'expired', ${page.createdAt}::timestamptz)
      on conflict (checkout_key) do update set status = 'expired' where sandbox_checkouts.status in ('open', 'approving')`.execute(
      this.#db,
    );
    return this.query(page);
  }

  async find(key: string): Promise<SandboxPageRow | undefined> {
    return this.#db
      .selectFrom("sandbox_checkouts")
      .select(["status", "payment_method", "failure_reason", "paid_at"])
      .where("checkout_key", "=", key)
      .$narrowType<Pick<SandboxPageRow, "status">>()
      .executeTakeFirst();
  }

  async #change(key: string, from: SandboxPageRow["status"], change: Partial<SandboxPageRow>): Promise<void> {
    await this.#db
      .updateTable("sandbox_checkouts")
      .set(change)
      .where("checkout_key", "=", key)
      .where("status", "=", from)
      .execute();
  }

  #now(): Date {
    return new Date(this.#clock.nowMs());
  }
}
