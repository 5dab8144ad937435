import type { DocumentPrinter } from "@beatmarket/documents/printer.ts";
import { money } from "@beatmarket/http/formats.ts";
import type { Content } from "@beatmarket/http/http-response.ts";
import { Representation } from "@beatmarket/http/negotiation/representation.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { maskedIban } from "@beatmarket/payments/iban.ts";
import Type from "typebox";
import type { Queryable } from "../../database/connect.ts";
import { clearedBefore, readBalance, readClearing } from "../../resources/payouts/balances.ts";
import { listPayouts, payoutStatuses } from "../../resources/payouts/payout.ts";
import { findPayoutAccount, saveBankAccount } from "../../resources/payouts/payout-accounts.ts";
import { printStatement } from "../../resources/payouts/pdf/statement-document.ts";
import { readStatement, type Statement, statementCsv } from "../../resources/payouts/statement.ts";
import { findCommission } from "../../resources/users/standing.ts";
import { type PortalRoute, portalHeaders, portalRoute, principalOf } from "../route.ts";

export interface EarningsParts {
  /** The currency of all payouts, ISO 4217. */
  currency: string;
  clearingDays: number;
  /** The commission of accounts without an individual rate. */
  commissionBasisPoints: number;
  publicUrl: string;
}

const closed = { additionalProperties: false };
const tag = "Earnings";
const maxPayoutsShown = 100;
const time = Type.String({ format: "date-time" });
const amount = Type.Number({
  description: "An amount with at most two decimals. Negative if the account owes it to the marketplace.",
});
const orNull = <S extends ReturnType<typeof Type.String>>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const Details = Type.Object(
  {
    holder: orNull(Type.String(), "The holder of the bank account. Null if payouts go to Stripe only."),
    iban: orNull(Type.String(), "The beginning and the end of the IBAN."),
    stripe_account: orNull(Type.String(), "The id of the connected account at Stripe."),
    blocked_reason: orNull(Type.String(), "Why no payout goes there. Null if nothing is wrong."),
  },
  { $id: "PayoutDetails", ...closed },
);

const Earnings = Type.Object(
  {
    currency: Type.String({ description: "The currency, by ISO 4217." }),
    balance: amount,
    due: Type.Number({ description: "The amount that the next payout pays." }),
    clearing: Type.Array(Type.Object({ clears_at: time, amount }, closed), {
      description: "The sales that are not cleared yet, summed. `clears_at` is the midnight (UTC) after they clear.",
    }),
    clearing_days: Type.Integer(),
    commission_basis_points: Type.Integer({ description: "The commission on new sales, in hundredths of a percent." }),
    details: Type.Union([Details, Type.Null()], {
      description: "The payout details. Null until the account sets them.",
    }),
    payouts: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          amount: Type.Number(),
          currency: Type.String(),
          status: Type.Enum([...payoutStatuses]),
          failure_reason: orNull(Type.String(), "Why the payout failed. Null if it did not."),
          created_at: time,
        },
        { $id: "Payout", ...closed },
      ),
      { description: "At most 100 payouts, the newest first." },
    ),
  },
  { $id: "Earnings", ...closed },
);

const MonthQuery = Type.Object({
  month: Type.String({ pattern: "^\\d{4}-\\d{2}$", description: "Such as 2026-11, in UTC." }),
});

/** The account's balance, payouts and bank account. */
export const earningsRoutes = (parts: EarningsParts): PortalRoute[] => {
  const { currency, clearingDays } = parts;
  const earningsOf = async (db: Queryable, userId: number, nowMs: number) => {
    const cleared = clearedBefore(nowMs, clearingDays);
    const [balance, clearing, details, payouts, commission] = await Promise.all([
      readBalance(db, userId, { currency, cleared }),
      readClearing(db, userId, { currency, cleared, clearingDays }),
      findPayoutAccount(db, userId),
      listPayouts(db, { userId, limit: maxPayoutsShown }),
      findCommission(db, userId),
    ]);
    return {
      currency,
      balance: money(balance.balanceCents),
      due: money(balance.dueCents),
      clearing: clearing.map(({ clearsAt, cents }) => ({ clears_at: clearsAt.toISOString(), amount: money(cents) })),
      clearing_days: clearingDays,
      commission_basis_points: commission ?? parts.commissionBasisPoints,
      details: details && {
        holder: details.holder,
        iban: details.iban === null ? null : maskedIban(details.iban),
        stripe_account: details.stripe_account,
        blocked_reason: details.blocked_reason,
      },
      payouts: payouts.map(({ id, amount_cents, status, failure_reason, created_at, ...payout }) => ({
        id,
        amount: money(amount_cents),
        currency: payout.currency,
        status,
        failure_reason,
        created_at: created_at.toISOString(),
      })),
    };
  };
  return [
    portalRoute({
      operationId: "getEarnings",
      permission: "sales:read",
      method: "GET",
      path: "/earnings",
      tag,
      summary: "Get the account's balance, its clearing dates, payouts and payout details",
      response: Earnings,
      handle: ({ db, account, clock }) => earningsOf(db, account.userId, clock.nowMs()),
    }),
    portalRoute({
      operationId: "savePayoutDetails",
      permission: "organisation:manage",
      needsStepUp: true,
      method: "PUT",
      path: "/earnings/details",
      tag,
      summary: "Set the bank account for payouts; a wrong IBAN is refused with the reason",
      body: Type.Object(
        {
          holder: Type.String({
            minLength: 1,
            maxLength: 70,
            description: "The name that the bank has for the account.",
          }),
          iban: Type.String({ minLength: 1, maxLength: 60, description: "The IBAN, with or without spaces." }),
        },
        closed,
      ),
      response: Earnings,
      handle: async ({ db, account, author, body, clock }) => {
        const now = new Date(clock.nowMs());
        await saveBankAccount(db, principalOf({ account, author }).ownerId, body, { author, now });
        return earningsOf(db, account.userId, clock.nowMs());
      },
    }),
  ];
};

/** A month's statement as CSV and as PDF. The portal's OpenAPI document does not describe files. */
export const statementFiles = (
  { currency }: Pick<EarningsParts, "currency">,
  printer: Pick<DocumentPrinter, "print">,
): Route[] => {
  const file = (suffix: "csv" | "pdf", respond: (statement: Statement, holder: string) => Promise<Content>): Route => ({
    operationId: null,
    method: "GET",
    path: `/earnings/statement.${suffix}`,
    query: MonthQuery,
    access: { by: "session", required: true, permission: "sales:read" },
    headers: portalHeaders,
    waits: true,
    handle: async ({ db, account, query, context, underPermit }) => {
      const { month } = query as { month: string };
      const statement = await underPermit(() => readStatement(db, account?.userId ?? 0, { month, currency }));
      const content = await respond(statement, account?.organisation?.name ?? account?.name ?? "");
      context.headers["content-disposition"] = `attachment; filename="statement-${month}.${suffix}"`;
      return content;
    },
    respond: (response) => response as Content,
  });
  return [
    file("csv", async (statement) => new Representation(statementCsv(statement), "text/csv; charset=utf-8")),
    file("pdf", async (statement, holder) => ({
      status: 200,
      headers: { "content-type": "application/pdf" },
      body: Buffer.from(await printStatement(printer, { statement, holder })),
    })),
  ];
};
