import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { countrySpecs, electronicFormatIBAN, isSEPACountry, ValidationErrorsIBAN, validateIBAN } from "ibantools";

const reasons: Partial<Record<ValidationErrorsIBAN, string>> = {
  [ValidationErrorsIBAN.NoIBANProvided]: "it is empty",
  [ValidationErrorsIBAN.NoIBANCountry]: "no country begins like this",
  [ValidationErrorsIBAN.WrongBBANLength]: "it has another length than IBANs of its country",
  [ValidationErrorsIBAN.WrongBBANFormat]: "it has characters that its country's IBANs cannot have",
  [ValidationErrorsIBAN.ChecksumNotNumber]: "its third and fourth characters are not check digits",
  [ValidationErrorsIBAN.WrongIBANChecksum]: "its check digits do not fit: a character is wrong, or two are exchanged",
  [ValidationErrorsIBAN.WrongAccountBankBranchChecksum]: "the account number's own check digits do not fit",
};

/** Parses an IBAN into its stored form: upper case without spaces. Throws 400 with the mistake. */
export function readIban(text: string): string {
  const iban = electronicFormatIBAN(text) ?? "";
  const { valid, errorCodes } = validateIBAN(iban);
  if (valid) return iban;
  const faults = errorCodes.map((code) => reasons[code]).filter((reason) => reason !== undefined);
  throw invalidRequest(
    `The IBAN is refused: ${faults.at(0) ?? "it is not valid"}. Compare it with your bank's.`,
    "iban",
  );
}

/** An IBAN for display: the first and the last four characters. */
export const maskedIban = (iban: string): string => `${iban.slice(0, 4)} … ${iban.slice(-4)}`;

/** The countries whose accounts can receive SEPA transfers, as the first two letters of their IBANs. */
export const sepaCountries: readonly string[] = Object.keys(countrySpecs).filter((country) => isSEPACountry(country));
