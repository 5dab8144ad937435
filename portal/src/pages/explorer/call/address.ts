import { idempotencyKeyName } from "./drafts.ts";
import type { FieldValues } from "./explorer-call.ts";
import type { Operation } from "./operations.ts";

/** Of the fields in an address, encoded. What is longer stays in the draft of the browser's tab. */
const maxLength = 4_000;

/** The fields that stand in an address. An Idempotency-Key does not: who opens a link makes a call of their own. */
const addressed = ({ fields }: Operation) => fields.filter(({ name }) => name !== idempotencyKeyName);

/** The texts of a form as search parameters: those that are set, and the required ones, which the form would fill in. */
export function addressOf(operation: Operation, values: FieldValues): Record<string, string> {
  let room = maxLength;
  const given = addressed(operation)
    .map(({ name, isRequired }) => ({ name, isRequired, value: values[name] ?? "" }))
    .filter(({ value, isRequired }) => value !== "" || isRequired);
  const fitting = given.filter(({ name, value }) => {
    const { length } = new URLSearchParams([[name, value]]).toString();
    if (length > room) return false;
    room -= length;
    return true;
  });
  return Object.fromEntries(fitting.map(({ name, value }) => [name, value]));
}

/** The texts that an address gives to the form of an operation; null if it names the operation alone. */
export function valuesIn(search: Readonly<Record<string, unknown>>, operation: Operation): FieldValues | null {
  const given = addressed(operation).filter(({ name }) => Object.hasOwn(search, name) && search[name] !== undefined);
  if (given.length === 0 && search.form === undefined) return null;
  return Object.fromEntries(given.map(({ name }) => [name, String(search[name])]));
}

/** Whether two forms have the same address. */
export const haveSameAddress = (operation: Operation, one: FieldValues, other: FieldValues): boolean =>
  JSON.stringify(addressOf(operation, one)) === JSON.stringify(addressOf(operation, other));
