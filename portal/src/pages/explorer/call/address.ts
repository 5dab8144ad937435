import { idempotencyKeyName } from "./drafts.ts";
import type { FieldValues } from "./explorer-call.ts";
import type { Operation } from "./operations.ts";

/** The maximum length of the encoded fields in an address. Further fields stay in the draft of the browser's tab. */
const maxLength = 4_000;

/**
 * The fields in an address. The Idempotency-Key is not among them, because a person who opens a link makes a new call.
 */
const addressed = ({ fields }: Operation) => fields.filter(({ name }) => name !== idempotencyKeyName);

/**
 * The texts of a form as search parameters: set fields, and required fields even if empty, because the form would fill
 * missing fields with examples. Omits fields that would make the address too long.
 */
export function addressOf(operation: Operation, values: FieldValues): Record<string, string> {
  let room = maxLength;
  const parameters = addressed(operation)
    .map(({ name, isRequired }) => ({ name, isRequired, value: values[name] ?? "" }))
    .filter(({ value, isRequired }) => value !== "" || isRequired);
  const fitting = parameters.filter(({ name, value }) => {
    const { length } = new URLSearchParams([[name, value]]).toString();
    if (length > room) return false;
    room -= length;
    return true;
  });
  return Object.fromEntries(fitting.map(({ name, value }) => [name, value]));
}

/** The texts of an operation's form in an address; null if the address has neither a field nor `form`. */
export function valuesIn(search: Readonly<Record<string, unknown>>, operation: Operation): FieldValues | null {
  const parameters = addressed(operation).filter(
    ({ name }) => Object.hasOwn(search, name) && search[name] !== undefined,
  );
  if (parameters.length === 0 && search.form === undefined) return null;
  return Object.fromEntries(parameters.map(({ name }) => [name, String(search[name])]));
}

/** Whether two forms have the same address. */
export const haveSameAddress = (operation: Operation, values: FieldValues, otherValues: FieldValues): boolean =>
  JSON.stringify(addressOf(operation, values)) === JSON.stringify(addressOf(operation, otherValues));
