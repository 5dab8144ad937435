import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { electronicFormatIBAN, isValidBIC, isValidIBAN } from "ibantools";

/** What the operator keeps of sales, and how producers are paid. */
export interface PayoutSettings {
  /** The operator's part of sales, of producers without a commission of their own: from 0 to 10,000. */
  commissionBasisPoints: number;
  /** For how many days the money of a sale is not paid out. */
  payoutClearingDays: number;
  /** The bank account that files for the bank pay from; null: none. */
  payoutDebtor: Debtor | null;
}

export interface Debtor {
  name: string;
  iban: string;
  bic: string | null;
}

export const readPayoutSettings = (text: (name: string) => string | undefined): PayoutSettings => ({
  commissionBasisPoints: wholeNumber("COMMISSION_BASIS_POINTS", text("COMMISSION_BASIS_POINTS") ?? "0", {
    ...{ most: 10_000, what: "basis points, of which 10000 are all of a sale" },
  }),
  payoutClearingDays: wholeNumber("PAYOUT_CLEARING_DAYS", text("PAYOUT_CLEARING_DAYS") ?? "7", {
    ...{ most: 365, what: "days" },
  }),
  payoutDebtor: payoutDebtor({
    name: text("PAYOUT_DEBTOR_NAME"),
    iban: text("PAYOUT_DEBTOR_IBAN"),
    bic: text("PAYOUT_DEBTOR_BIC"),
  }),
});

function wholeNumber(name: string, value: string, { most, what }: { most: number; what: string }): number {
  if (!/^\d{1,9}$/.test(value) || Number(value) > most)
    throw new OperatorError(`${name} is "${value}"; it takes ${what}: a whole number from 0 to ${most}.`);
  return Number(value);
}

function payoutDebtor(settings: Record<"name" | "iban" | "bic", string | undefined>): Debtor | null {
  const { name, bic } = settings;
  const iban = settings.iban === undefined ? undefined : electronicFormatIBAN(settings.iban);
  if (iban === undefined && name === undefined && bic === undefined) return null;
  if (iban == null || name === undefined)
    throw new OperatorError(
      "PAYOUT_DEBTOR_NAME and PAYOUT_DEBTOR_IBAN belong together: the holder and the IBAN of the account that pays; set both, or neither.",
    );
  if (!isValidIBAN(iban))
    throw new OperatorError(
      `PAYOUT_DEBTOR_IBAN is "${settings.iban}"; its check digits, length or country are wrong. It takes an IBAN such as DE89 3704 0044 0532 0130 00.`,
    );
  if (bic !== undefined && !isValidBIC(bic))
    throw new OperatorError(`PAYOUT_DEBTOR_BIC is "${bic}"; it takes a BIC such as COBADEFFXXX.`);
  return { name, iban, bic: bic ?? null };
}
