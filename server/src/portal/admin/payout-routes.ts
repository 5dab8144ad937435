import { Readable } from "node:stream";
import { conflict } from "@beatmarket/foundation/errors.ts";
import { money } from "@beatmarket/http/formats.ts";
import type { Content } from "@beatmarket/http/http-response.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { Debtor } from "@beatmarket/payments/sepa.ts";
import Type from "typebox";
import type { Queryable } from "../../database/connect.ts";
import { clearedBefore, listHeld } from "../../resources/payouts/balances.ts";
import { bankFile, findRun } from "../../resources/payouts/bank-file.ts";
import {
  awaitsOutcome,
  hasOutcome,
  listPayouts,
  payoutMethods,
  payoutStatuses,
  selectRuns,
} from "../../resources/payouts/payout.ts";
import { openRetry, openRun } from "../../resources/payouts/run-payouts.ts";
import { confirmFailed, confirmPaid } from "../../resources/payouts/settle.ts";
import type { EarningsParts } from "../earnings/routes.ts";
import { operatorRoute, type PortalRoute, portalHeaders } from "../route.ts";
import { before, closed, iso, listLimit, next, orNull, pageOf, reason, time, timeOrNull } from "./shapes.ts";

export interface AdminPayoutParts extends EarningsParts {
  /** The bank account from which SEPA files pay; null if none is configured. */
  debtor: Debtor | null;
  hasStripe: boolean;
}

const tag = "Operate";
const amount = Type.Number({ description: "An amount with at most two decimals." });
const PayoutId = Type.Object({ payout_id: Type.Integer({ description: "Identifier of the payout." }) });
const RunId = Type.Object({ run_id: Type.Integer({ description: "Identifier of the run." }) });
const maxHeldShown = 50;
const maxRunsShown = 10;

const AdminPayouts = Type.Object(
  {
    payouts: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          run_id: Type.Integer(),
          user_id: Type.Integer(),
          name: Type.String(),
          amount,
          currency: Type.String(),
          status: Type.Enum([...payoutStatuses]),
          failure_reason: orNull(Type.String(), "Why the payout failed. Null if it did not."),
          later_payout_id: orNull(
            Type.Integer(),
            "The producer's next payout that did not fail. It contains the money of this one if this one failed.",
          ),
          created_at: time,
        },
        { $id: "AdminPayout", ...closed },
      ),
    ),
    next,
  },
  { ...closed, description: "The newest payout comes first." },
);

const Overview = Type.Object(
  {
    currency: Type.String(),
    methods: Type.Array(Type.Enum([...payoutMethods]), { description: "The methods by which this service can pay." }),
    runs: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          method: Type.Enum([...payoutMethods]),
          is_retry: Type.Boolean(),
          created_at: time,
          finished_at: timeOrNull("When all payouts of the run were sent. Null until then."),
          awaits_outcome: Type.Boolean({ description: "Whether the outcome of one of its sent payouts is unknown." }),
          has_outcome: Type.Boolean({
            description:
              "Whether one of its payouts was paid or failed. The file for the bank is not written any more.",
          }),
        },
        { $id: "PayoutRun", ...closed },
      ),
      { description: "At most 10 runs, the newest first." },
    ),
    held: Type.Array(
      Type.Object(
        {
          user_id: Type.Integer(),
          name: Type.String(),
          due: amount,
          because: Type.Enum(["suspended", "no details", "refused", "other method"]),
        },
        { $id: "HeldBalance", ...closed },
      ),
      { description: "At most 50 producers whose money is due and whom no run pays, each with the reason." },
    ),
  },
  { $id: "PayoutOverview", ...closed },
);

/** Payout runs, amounts on hold, and the result of each payout. */
export const adminPayoutRoutes = (parts: AdminPayoutParts): PortalRoute[] => {
  const { currency, clearingDays, debtor, hasStripe, publicUrl } = parts;
  const methods = payoutMethods.filter((method) =>
    method === "sepa" ? currency === "EUR" && debtor !== null : method === "csv" || hasStripe,
  );
  const overview = async (db: Queryable, nowMs: number) => {
    const cleared = clearedBefore(nowMs, clearingDays);
    const [runs, heldBalances] = await Promise.all([
      selectRuns(db).select([awaitsOutcome, hasOutcome]).orderBy("id", "desc").limit(maxRunsShown).execute(),
      listHeld(db, { currency, cleared, limit: maxHeldShown }),
    ]);
    return {
      currency,
      methods,
      runs: runs.map(({ id, method, only_user_id, created_at, finished_at, awaits_outcome, has_outcome }) => ({
        id,
        method,
        is_retry: only_user_id !== null,
        created_at: created_at.toISOString(),
        finished_at: iso(finished_at),
        awaits_outcome,
        has_outcome,
      })),
      held: heldBalances.map(({ userId, name, dueCents, because }) => ({
        user_id: userId,
        name,
        due: money(dueCents),
        because,
      })),
    };
  };
  return [
    operatorRoute({
      operationId: "listAdminPayouts",
      method: "GET",
      path: "/admin/payouts",
      tag,
      summary: "List the payouts of all producers, newest first",
      query: Type.Object({
        status: Type.Optional(Type.Enum([...payoutStatuses], { description: "Only payouts with this status." })),
        run: Type.Optional(Type.Integer({ description: "Only payouts of this run." })),
        before,
      }),
      response: AdminPayouts,
      handle: async ({ db, query: { status, run, before: beforeId } }) => {
        const page = pageOf(await listPayouts(db, { status, runId: run, beforeId, limit: listLimit + 1 }));
        return {
          payouts: page.items.map((payout) => ({
            id: payout.id,
            run_id: payout.run_id,
            user_id: payout.user_id,
            name: payout.name,
            amount: money(payout.amount_cents),
            currency: payout.currency,
            status: payout.status,
            failure_reason: payout.failure_reason,
            later_payout_id: payout.later_payout_id,
            created_at: payout.created_at.toISOString(),
          })),
          next: page.next,
        };
      },
    }),
    operatorRoute({
      operationId: "getPayoutOverview",
      method: "GET",
      path: "/admin/payout-runs",
      tag,
      summary: "Get the newest payout runs, and the producers whom no run pays, with the reason",
      response: Overview,
      handle: ({ db, clock }) => overview(db, clock.nowMs()),
    }),
    operatorRoute({
      operationId: "startPayoutRun",
      movesMoney: true,
      method: "POST",
      path: "/admin/payout-runs",
      tag,
      summary: "Start a payout run, which pays all balances that are due; it continues in the background",
      body: Type.Object({ method: Type.Enum([...payoutMethods]) }, closed),
      response: Overview,
      refusals: [409],
      handle: async ({ db, clock, body: { method } }) => {
        if (!methods.includes(method))
          throw conflict(
            method === "stripe"
              ? "Stripe is not configured: set STRIPE_SECRET_KEY."
              : "SEPA pays in EUR from the account of PAYOUT_DEBTOR_NAME and PAYOUT_DEBTOR_IBAN: set them, or choose CSV.",
          );
        const now = new Date(clock.nowMs());
        await openRun(db, { method, currency, cleared: clearedBefore(clock.nowMs(), clearingDays), now });
        return overview(db, clock.nowMs());
      },
    }),
    operatorRoute({
      operationId: "confirmPayoutRun",
      movesMoney: true,
      method: "POST",
      path: "/admin/payout-runs/:run_id/paid",
      tag,
      summary: "Confirm that all sent payouts of a run arrived",
      params: RunId,
      response: Overview,
      refusals: [409],
      handle: async ({ db, clock, params }) => {
        await confirmPaid(db, { runId: params.run_id }, new Date(clock.nowMs()));
        return overview(db, clock.nowMs());
      },
    }),
    operatorRoute({
      operationId: "failPayout",
      movesMoney: true,
      method: "POST",
      path: "/admin/payouts/:payout_id/failed",
      tag,
      summary:
        "Record that a payout failed or was returned: the money goes back into the producer's balance, and the producer gets a mail",
      params: PayoutId,
      body: Type.Object({ reason }, closed),
      status: 204,
      response: Type.Void(),
      refusals: [409],
      handle: async ({ db, clock, params, body }) => {
        await confirmFailed(db, params.payout_id, body.reason, { publicUrl, now: new Date(clock.nowMs()) });
      },
    }),
    operatorRoute({
      operationId: "retryPayout",
      movesMoney: true,
      method: "POST",
      path: "/admin/payouts/:payout_id/retry",
      tag,
      summary: "Retry a failed payout with the producer's present details; it continues in the background",
      params: PayoutId,
      response: Overview,
      refusals: [409],
      handle: async ({ db, clock, params }) => {
        const now = new Date(clock.nowMs());
        await openRetry(db, params.payout_id, { cleared: clearedBefore(clock.nowMs(), clearingDays), now });
        return overview(db, clock.nowMs());
      },
    }),
  ];
};

/** The file with the payouts of a run, for the bank. The portal's OpenAPI document does not describe files. */
export const bankFileRoute = (debtor: Debtor | null): Route => ({
  operationId: null,
  method: "GET",
  path: "/admin/payout-runs/:run_id/file",
  params: RunId,
  query: Type.Object({}),
  access: { by: "session", required: true, permission: "self", ofOperators: true },
  headers: portalHeaders,
  waits: true,
  handle: async ({ db, params, context, underPermit }): Promise<Content> => {
    const run = await underPermit(() => findRun(db, (params as { run_id: number }).run_id));
    const text = bankFile(db, run, debtor);
    // The first part is read before the status is sent, so that a refusal can still set the status.
    const first = await underPermit(() => text.next());
    const isXml = run.method === "sepa";
    context.headers["content-disposition"] = `attachment; filename="payouts-${run.id}.${isXml ? "xml" : "csv"}"`;
    return {
      status: 200,
      headers: { "content-type": isXml ? "application/xml; charset=utf-8" : "text/csv; charset=utf-8" },
      body: Readable.from(chained(String(first.value), text), { objectMode: false }),
    };
  },
  respond: (response) => response as Content,
});

async function* chained(first: string, others: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first;
  yield* others;
}
