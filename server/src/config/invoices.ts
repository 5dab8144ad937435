import { countryCode } from "@beatmarket/foundation/country.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { electronicFormatIBAN, isValidBIC, isValidIBAN } from "ibantools";

export interface InvoiceSettings {
  /** The seller that invoices name; null if no invoices are issued. */
  seller: InvoiceSeller | null;
}

export interface InvoiceSeller {
  name: string;
  /** One to three lines. */
  address: readonly string[];
  /** ISO 3166-1 alpha-2. */
  country: string;
  vatId: string | null;
  taxNumber: string | null;
  /** The host of the shop. */
  host: string;
}

const names = [
  "INVOICE_SELLER_NAME",
  "INVOICE_SELLER_ADDRESS",
  "INVOICE_SELLER_COUNTRY",
  "INVOICE_SELLER_VAT_ID",
  "INVOICE_SELLER_TAX_NUMBER",
] as const;

/**
 * Reads the settings INVOICE_SELLER_*. The default in demo mode is a fictitious seller. Throws an OperatorError that
 * names the setting and its valid values.
 */
export function readInvoiceSettings(
  text: (name: string) => string | undefined,
  { site, origin, isDemo }: { site: string; origin: string; isDemo: boolean },
): InvoiceSettings {
  const [name, address, country, vatId = null, taxNumber = null] = names.map(text);
  const { hostname: host } = new URL(origin);
  if (names.every((each) => text(each) === undefined)) return { seller: isDemo ? demoSeller(site, host) : null };
  if (name === undefined || address === undefined || country === undefined)
    throw new OperatorError(
      `${names.slice(0, 3).join(", ")} belong together: invoices name the seller by all three. Set them, or none of ${names.join(", ")}.`,
    );
  const lines = address
    .split(";")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (lines.length < 1 || lines.length > 3)
    throw new OperatorError(
      `INVOICE_SELLER_ADDRESS has ${lines.length} lines; it takes one to three, divided by semicolons, such as "Example Street 1; 10115 Berlin".`,
    );
  const countryOfSeller = countryCode(country);
  if (countryOfSeller === null)
    throw new OperatorError(
      `INVOICE_SELLER_COUNTRY is "${country}"; it takes the two letters of ISO 3166-1, such as DE or GB.`,
    );
  if (vatId !== null && !/^[A-Z]{2}[A-Z0-9+*]{2,13}$/.test(vatId))
    throw new OperatorError(
      `INVOICE_SELLER_VAT_ID is "${vatId}"; it begins with the country and has no spaces, such as DE123456789.`,
    );
  return { seller: { name, address: lines, country: countryOfSeller, vatId, taxNumber, host } };
}

/** The fictitious seller on the invoices of a demo. */
export const demoSeller = (site: string, host: string): InvoiceSeller => ({
  name: `${site} (demo)`,
  address: ["Example Street 1", "10115 Berlin"],
  country: "DE",
  vatId: null,
  taxNumber: "00/000/00000 (demo)",
  host,
});

/** The operator's commission on sales, and the payouts of producers. */
export interface PayoutSettings {
  /** The commission on sales of producers without an individual rate, from 0 to 10,000. */
  commissionBasisPoints: number;
  /** The number of days for which the money of a sale is not paid out. */
  payoutClearingDays: number;
  /** The bank account from which files for the bank pay; null if the settings name no account. */
  payoutDebtor: Debtor | null;
}

export interface Debtor {
  name: string;
  iban: string;
  bic: string | null;
}

export const readPayoutSettings = (text: (name: string) => string | undefined): PayoutSettings => ({
  commissionBasisPoints: wholeNumber("COMMISSION_BASIS_POINTS", text("COMMISSION_BASIS_POINTS") ?? "0", {
    max: 10_000,
    unit: "basis points, of which 10000 are all of a sale",
  }),
  payoutClearingDays: wholeNumber("PAYOUT_CLEARING_DAYS", text("PAYOUT_CLEARING_DAYS") ?? "7", {
    max: 365,
    unit: "days",
  }),
  payoutDebtor: payoutDebtor({
    name: text("PAYOUT_DEBTOR_NAME"),
    iban: text("PAYOUT_DEBTOR_IBAN"),
    bic: text("PAYOUT_DEBTOR_BIC"),
  }),
});

function wholeNumber(name: string, value: string, { max, unit }: { max: number; unit: string }): number {
  if (!/^\d{1,9}$/.test(value) || Number(value) > max)
    throw new OperatorError(`${name} is "${value}"; it takes ${unit}: a whole number from 0 to ${max}.`);
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
