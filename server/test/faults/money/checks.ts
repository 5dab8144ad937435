import type { StripeServer } from "@beatmarket/payments/testing/stripe-server.ts";
import type { TestDatabase } from "../../harness/database/driver.ts";
import type { Report } from "../../harness/programmes/report.ts";
import type { TakenMail } from "../stage/slow-services.ts";

/** Whether no payment, refund, payout run or mail is pending any more. */
export async function isSettled({ driver }: TestDatabase, { account }: StripeServer): Promise<boolean> {
  const paid = [...account.sessions.values()].filter(({ status }) => status === "complete");
  const [row] = await driver<{ open: number; unsettled: number }[]>`
    select (select count(*) from refunds where status = 'pending')::int
        + (select count(*) from orders where refund = 'pending')::int
        + (select count(*) from payout_runs where finished_at is null)::int
        + (select count(*) from outgoing_mails where sent_at is null)::int as open,
      (select count(*)::int from checkouts where status = 'open' and page_reference = any (${paid.map(({ id }) => id)})) as unsettled`;
  return row?.open === 0 && row.unsettled === 0;
}

/** Whether everything happened that the checks need. A run with few kills on a slow machine may end before that. */
export async function hasTriedAll(
  { driver }: TestDatabase,
  { account: { transfers } }: StripeServer,
): Promise<boolean> {
  const [row] = await driver<{ tried: boolean }[]>`
    select exists (select from disputes) and exists (select from payouts where status = 'failed')
      and exists (select from payouts join payout_runs on payout_runs.id = run_id where only_user_id is not null)
      and exists (select from payouts where stripe_account is null) as tried`;
  return row?.tried === true && transfers.all.values().some(({ reversed }) => reversed);
}

/** Checks that each payment belongs to a checkout with all its orders, or was refunded in full. */
export async function checkCheckouts(
  { driver }: TestDatabase,
  { account }: StripeServer,
  report: Report,
): Promise<void> {
  const checkouts = await driver<{ session: string; status: string; complete: boolean; returned: boolean }[]>`
    select page_reference as session, checkouts.status,
      count(item.*) = count(orders.*) filter (where orders.status = 'completed') as complete,
      bool_and(orders.refunded_cents = orders.amount_cents) as returned
    from checkouts join checkout_items as item on item.checkout_id = checkouts.id
      left join orders on orders.id = item.order_id group by checkouts.id`;
  const bySession = new Map(checkouts.map((checkout) => [checkout.session, checkout]));
  const paid = [...account.sessions.values()].filter(({ payment_status }) => payment_status === "paid");
  const lost = paid.filter(({ id }) => {
    const checkout = bySession.get(id);
    return checkout?.status !== "completed" && !(checkout?.status === "cancelled" && checkout.returned);
  });
  const partlySold = checkouts.filter(({ status, complete }) => complete !== (status === "completed"));
  const [strays] = await driver<{ count: number }[]>`
    select count(*)::int as count from orders where not exists (select from checkout_items where order_id = orders.id)`;
  const [soldTwice] = await driver<{ count: number }[]>`
    select count(*)::int as count from (select from orders where license_type = 'exclusive' and status = 'completed'
      and refunded_cents < amount_cents group by beat_id having count(*) > 1) as sold`;
  report.check("payments without their checkout", lost.length === 0, `${lost.length} of ${paid.length}`);
  report.check(
    "checkouts whose status disagrees with their orders",
    partlySold.length === 0,
    `${partlySold.length} of ${checkouts.length}`,
  );
  report.check("orders without a checkout", strays?.count === 0, strays?.count ?? "none");
  report.check("exclusives sold more than once", soldTwice?.count === 0, soldTwice?.count ?? "none");
}

/** Checks that the ledger agrees with Stripe for each order and in total, and that each share belongs to its owner. */
export async function checkBooks({ driver }: TestDatabase, { account }: StripeServer, report: Report): Promise<void> {
  const sumOf = (amounts: Iterable<{ amount: number }>) => [...amounts].reduce((sum, { amount }) => sum + amount, 0);
  const stripeBalance =
    sumOf([...account.charges.values()].filter(({ paid }) => paid)) -
    sumOf([...account.refunds.values()].filter(({ status }) => status === "succeeded")) -
    sumOf([...account.disputes.values()].filter(({ status }) => status === "lost")) -
    account.transfers.transferredCents;
  const [row] = await driver<
    { sum: number; stripe: number; unrecorded: number; shared: number; unevenlyShared: number; disputes: number }[]
  >`
    with money as (
      select order_id, sum(amount_cents) filter (where account like 'assets:%') as held,
        count(distinct account) filter (where account like 'liabilities:producers:%') as owners
      from ledger_entries join ledger_transactions on id = transaction_id group by order_id)
    select (select coalesce(sum(amount_cents), 0)::int from ledger_entries) as sum,
      (select coalesce(sum(amount_cents), 0)::int from ledger_entries where account = 'assets:stripe') as stripe,
      (select count(*)::int from orders left join money on order_id = orders.id where status = 'completed' and coalesce(held, 0) <> amount_cents
        - (select coalesce(sum(amount_cents), 0) from refunds where order_id = orders.id and status = 'succeeded')
        - (select coalesce(sum(amount_cents), 0) from disputes where order_id = orders.id and is_withdrawn)) as unrecorded,
      (select count(*)::int from money where owners > 1) as shared,
      (select count(*)::int from (select from order_shares group by order_id having sum(basis_points) <> 10000) as parts) as "unevenlyShared",
      (select count(*)::int from disputes) as disputes`;
  report.check("the ledger sums to zero", row?.sum === 0, row?.sum ?? "none");
  report.check(
    "the ledger has the balance at Stripe",
    row?.stripe === stripeBalance,
    `${row?.stripe} of ${stripeBalance} cents`,
  );
  report.check(
    "orders whose price less refunds and disputes is not in the ledger",
    row?.unrecorded === 0,
    row?.unrecorded ?? "none",
  );
  report.check("orders whose shares do not sum to the whole", row?.unevenlyShared === 0, row?.unevenlyShared ?? "none");
  report.check("the run had orders with shares", (row?.shared ?? 0) > 0, row?.shared ?? "none");
  report.check("the run had disputes", (row?.disputes ?? 0) > 0, row?.disputes ?? "none");
}

/** Checks that no payout is made twice, and that no payout exceeds the earnings. */
export async function checkPayouts({ driver }: TestDatabase, report: Report): Promise<void> {
  const [row] = await driver<
    {
      payouts: number;
      failed: number;
      retried: number;
      clearingDifference: number;
      paid: number;
      overpaid: number;
      open: number;
    }[]
  >`
    with entry as (select account, amount_cents, kind from ledger_entries join ledger_transactions on id = transaction_id),
      made as (select status, stripe_account is null as is_bank, sum(amount_cents) as cents from payouts group by status, is_bank),
      earned as (select account, -sum(amount_cents) filter (where kind = 'sale') as cents from entry
        where account like 'liabilities:producers:%' group by account)
    select (select count(*)::int from payouts) as payouts, (select count(*)::int from payouts where status = 'failed') as failed,
      (select count(*)::int from payouts join payout_runs on payout_runs.id = run_id where only_user_id is not null) as retried,
      (select coalesce(sum(amount_cents), 0)::int from entry where account = 'liabilities:clearing')
        + (select coalesce(sum(cents), 0)::int from made where status = 'sent') as "clearingDifference",
      (select coalesce(sum(amount_cents), 0)::int from entry where account = 'assets:bank')
        + (select coalesce(sum(cents), 0)::int from made where status = 'paid' and is_bank) as paid,
      (select count(*)::int from (select user_id, sum(amount_cents) as cents from payouts where status <> 'failed' group by user_id) as taken
        left join earned on account = 'liabilities:producers:' || user_id where taken.cents > coalesce(earned.cents, 0)) as overpaid,
      (select count(*)::int from payouts where status = 'pending') as open`;
  report.check("the run made payouts", (row?.payouts ?? 0) > 0, row?.payouts ?? "none");
  report.check("the run had payouts that failed or came back", (row?.failed ?? 0) > 0, row?.failed ?? "none");
  report.check("the run had payouts that repeat a failed payout", (row?.retried ?? 0) > 0, row?.retried ?? "none");
  report.check(
    "the clearing account is the sum of the payouts on their way",
    row?.clearingDifference === 0,
    row?.clearingDifference ?? "none",
  );
  report.check("the paid amount is the sum of the paid payouts", row?.paid === 0, row?.paid ?? "none");
  report.check("producers who were paid more than they earned", row?.overpaid === 0, row?.overpaid ?? "none");
  report.check("no payout is left open", row?.open === 0, row?.open ?? "none");
}

/**
 * Checks the transfers of payouts by Stripe. A paid payout has one transfer of the same amount. A failed payout has
 * none, or a reversed one.
 */
export async function checkTransfers(
  { driver }: TestDatabase,
  { account: { transfers } }: StripeServer,
  report: Report,
): Promise<void> {
  const payouts = await driver<
    { id: string; status: string; amount: number; reference: string | null; refusals: number }[]
  >`select id::text, status, amount_cents::int as amount, reference, refusals from payouts where stripe_account is not null`;
  const transfersByPayout = Map.groupBy(transfers.all.values(), ({ transfer_group }) => transfer_group);
  const wrongPayouts = payouts.filter(({ id, status, amount, reference }) => {
    const [transfer, ...furtherTransfers] = transfersByPayout.get(`payout_${id}`) ?? [];
    if (furtherTransfers.length > 0) return true;
    if (status === "failed") return transfer?.reversed === false;
    return transfer?.id !== reference || transfer?.amount !== amount || transfer.reversed;
  });
  const ids = new Set(payouts.map(({ id }) => `payout_${id}`));
  const strays = [...transfersByPayout.keys()].filter((group) => group === null || !ids.has(group));
  const paid = payouts.filter(({ status }) => status === "paid").reduce((sum, { amount }) => sum + amount, 0);
  const cameBack = [...transfers.all.values()].filter(({ reversed }) => reversed).length;
  const unfunded = payouts.filter(({ refusals }) => refusals > 0).length;
  report.check("transfers that came back", cameBack > 0, `${cameBack} of ${transfers.all.size}`);
  report.progress(`payouts that waited for the balance at Stripe: ${unfunded}`);
  report.check(
    "payouts by Stripe without exactly one transfer of their amount",
    wrongPayouts.length === 0,
    wrongPayouts.length,
  );
  report.check("transfers without a payout", strays.length === 0, strays.length);
  report.check(
    "connected accounts have exactly the paid amounts",
    transfers.transferredCents === paid,
    `${transfers.transferredCents} of ${paid} cents`,
  );
}

/**
 * Checks that each completed checkout has one receipt, and that each mail arrived. A repeated mail keeps its
 * Message-ID.
 */
export async function checkMails(
  { driver }: TestDatabase,
  arrived: readonly TakenMail[],
  report: Report,
): Promise<void> {
  const rows = await driver<{ recipient: string; mails: number; receipts: number; due: number }[]>`
    select recipient, count(*)::int as mails, count(*) filter (where template = 'receipt')::int as receipts,
      (select count(*)::int from checkouts where email = recipient and status = 'completed') as due
    from outgoing_mails group by recipient`;
  const [withoutReceipt] = await driver<{ count: number }[]>`
    select count(*)::int as count from checkouts where status = 'completed'
      and not exists (select from outgoing_mails where recipient = email and template = 'receipt')`;
  const arrivedByRecipient = Map.groupBy(arrived, ({ to }) => to);
  const wrongRows = rows.filter(
    ({ recipient, mails }) =>
      new Set(arrivedByRecipient.get(recipient)?.map(({ messageId }) => messageId)).size !== mails,
  );
  const doubled = rows.filter(({ receipts, due }) => receipts !== due);
  const mailCount = rows.reduce((sum, { mails }) => sum + mails, 0);
  report.check("completed checkouts without a receipt", withoutReceipt?.count === 0, withoutReceipt?.count ?? "none");
  report.check(
    "buyers whose receipts and checkouts differ in number",
    doubled.length === 0,
    `${doubled.length} of ${rows.length}`,
  );
  report.check(
    "recipients who did not get each of their mails as queued",
    wrongRows.length === 0,
    `${wrongRows.length} of ${rows.length}`,
  );
  report.progress(`mails sent more than once, under the same Message-ID: ${arrived.length - mailCount}`);
}
