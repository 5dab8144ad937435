import { type Answer, isObject, unexpected } from "./sender.ts";

/** What the envelope holds under a name. Throws an APIStatusError when it is not there or of another kind. */
export function member<T>({ body, response }: Answer, name: string, kind: "object" | "array"): T {
  const { status, data } = isObject(body) ? body : {};
  const value = status === "success" && isObject(data) ? data[name] : undefined;
  if (kind === "array" ? Array.isArray(value) : isObject(value)) return value as T;
  throw unexpected(response, `The answer is not what the service sends: it has no ${name}.`);
}
