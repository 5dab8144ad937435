import { isObject, type ParsedResponse, unexpected } from "./sender.ts";

/** A member of the envelope's data. Throws an APIStatusError if it is missing or of another type. */
export function member<T>({ body, response }: ParsedResponse, name: string, kind: "object" | "array" | "number"): T {
  const { status, data } = isObject(body) ? body : {};
  const value = status === "success" && isObject(data) ? data[name] : undefined;
  const isKind = { object: isObject, array: Array.isArray, number: Number.isSafeInteger }[kind];
  if (isKind(value)) return value as T;
  throw unexpected(response, `The response has an unknown form: it has no ${name}.`);
}
