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
const amount = Type.Number({ description: "At most two decimals; negative for what is owed to the marketplace." });
const orNull = <S extends ReturnType<typeof Type.String>>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const Details = Type.Object(
  {
    holder: orNull(Type.String(), "Null for an account at Stripe alone."),
    iban: orNull(Type.String(), "Its beginning and end."),
    stripe_account: orNull(Type.String(), "The connected account at Stripe."),
    blocked_reason: orNull(Type.String(), "Why nothing is paid there; null while nothing is wrong."),
  },
  { $id: "PayoutDetails", ...closed },
);

const Earnings = Type.Object(
  {
    currency: Type.String({ description: "ISO 4217." }),
    balance: amount,
    due: Type.Number({ description: "What the next payout takes." }),
    clearing: Type.Array(Type.Object({ clears_at: time, amount }, closed), {
      description: "Sales that are not cleared yet, by the day (UTC) on which they are.",
    }),
    clearing_days: Type.Integer(),
    commission_basis_points: Type.Integer({ description: "Of new sales." }),
    details: Type.Union([Details, Type.Null()], { description: "Null before the first." }),
    payouts: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          amount: Type.Number(),
          currency: Type.String(),
          status: Type.Enum([...payoutStatuses]),
          failure_reason: orNull(Type.String(), "Null unless failed."),
          created_at: time,
        },
        { $id: "Payout", ...closed },
      ),
      { description: "Newest first, at most 100." },
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
      summary: "The account's balance, what clears when, its payouts and its payout details",
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
      summary: "Set the bank account that payouts go to; a wrong IBAN is refused with the reason",
      body: Type.Object(
        {
          holder: Type.String({ minLength: 1, maxLength: 70, description: "As the bank has it." }),
          iban: Type.String({ minLength: 1, maxLength: 60, description: "With or without spaces." }),
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
