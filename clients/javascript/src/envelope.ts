import { isObject, type ParsedResponse, unexpected } from "./sender.ts";

/** A member of the envelope's data. Throws an APIStatusError if it is missing or of another type. */
export function member<T>({ body, response }: ParsedResponse, name: string, kind: "object" | "array"): T {
  const { status, data } = isObject(body) ? body : {};
  const value = status === "success" && isObject(data) ? data[name] : undefined;
  if (kind === "array" ? Array.isArray(value) : isObject(value)) return value as T;
  throw unexpected(response, `The response has an unknown form: it has no ${name}.`);
}
