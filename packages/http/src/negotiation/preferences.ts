/** One member of an Accept, Accept-Encoding or Accept-Language header. */
export interface Preference {
  /** In lower case, without parameters. */
  value: string;
  /** From 0, which excludes the value, to 1. */
  q: number;
}

const maxMemoized = 500;
const maxMemoizedLength = 200;

/**
 * Parses the members of an Accept, Accept-Encoding or Accept-Language header, in their order (RFC 9110 12.4.2). Omits
 * members with a malformed q.
 */
export const preferences = (header: string): Preference[] =>
  header
    .split(",")
    .map((member) => {
      const [value = "", ...parameters] = member.split(";").map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return { value, q: weight === undefined ? 1 : Number(weight.slice(2)) };
    })
    .filter(({ q }) => q >= 0 && q <= 1);

/** Caches the result of a negotiation by header value. */
export function memoized<T>(negotiate: (header: string) => T): (header: string) => T {
  const results = new Map<string, T>();
  return (header) => {
    const cached = results.get(header);
    if (cached !== undefined) return cached;
    const result = negotiate(header);
    if (results.size < maxMemoized && header.length < maxMemoizedLength) results.set(header, result);
    return result;
  };
}
