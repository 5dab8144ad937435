// Reads the parameters of a page's address. An address may contain anything, so invalid values are ignored.

/** Reads one parameter: its value, or undefined for an invalid text. */
type Reader<Value> = (text: string) => Value | undefined;

/** The largest `integer` of PostgreSQL, and so the largest page number. */
const maxInteger = 2_147_483_647;
const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

type Readers<Search extends object> = { [Name in keyof Required<Search>]: Reader<Required<Search>[Name]> };

/**
 * A `validateSearch` of the router. Missing, unknown and invalid parameters become undefined in the result, because the
 * router keeps the address's value for an absent name. With `others: "keep"`, the result omits unknown names, so the
 * address keeps them for a page that reads them itself.
 */
export const searchParams =
  <Search extends object>(readers: Readers<Search>, { others = "drop" }: { others?: "drop" | "keep" } = {}) =>
  (search: Record<string, unknown>): Search => {
    const read = ([name, reader]: [string, Reader<unknown>]) => {
      const value = Object.hasOwn(search, name) ? search[name] : undefined;
      // Links within the portal may pass numbers.
      const text = typeof value === "number" ? String(value) : value;
      return [name, typeof text === "string" ? reader(text) : undefined];
    };
    const dropped = others === "drop" ? Object.keys(search).map((name) => [name, undefined]) : [];
    return Object.fromEntries([...dropped, ...Object.entries<Reader<unknown>>(readers).map(read)]) as Search;
  };

/** The number of parameters that are set. */
export const countSet = (search: object): number => Object.values(search).filter((value) => value !== undefined).length;

/** Parses a query string for the router. The last value of a repeated parameter counts. */
export const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

/** The inverse of `parseSearch`. Omits undefined and null. */
export function stringifySearch(search: Record<string, unknown>): string {
  const present = Object.entries(search).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
}

/** A well-formed text without NUL that is not only white space, cut at `maxLength` UTF-16 units. */
export const text =
  (maxLength: number): Reader<string> =>
  (value) => {
    const shortened = value.replaceAll("\0", "").slice(0, maxLength).toWellFormed();
    return shortened.trim() === "" ? undefined : shortened;
  };

export const integer =
  (min: number, max: number = maxInteger): Reader<number> =>
  (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  };

/** An amount of money in the main unit, with at most two decimals. */
export const amount: Reader<number> = (value) => (/^\d{1,8}(\.\d{1,2})?$/.test(value) ? Number(value) : undefined);

export const id: Reader<number> = integer(1, Number.MAX_SAFE_INTEGER);
/** A page number of at least 2. The address of the first page has no number. */
export const page: Reader<number> = integer(2);

export const oneOf =
  <Value extends string>(values: readonly Value[]): Reader<Value> =>
  (value) =>
    values.find((each) => each === value);

/** A time in ISO 8601 within the years that the API accepts, 1970 to 9999. */
export const moment: Reader<string> = (value) => {
  const ms = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  return ms >= 0 && ms <= lastMs ? new Date(ms).toISOString() : undefined;
};

/** A day of the calendar in the years 1000 to 2999: `2026-11-01`. */
export const day: Reader<string> = (value) =>
  /^[12]\d{3}-\d\d-\d\d$/.test(value) &&
  Number.isFinite(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value)
    ? value
    : undefined;
