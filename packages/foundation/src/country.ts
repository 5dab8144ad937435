/** Made on first use, since making it takes a hundredth of a server's start. */
let regions: Intl.DisplayNames | undefined;

function nameOf(region: string): string | undefined {
  regions ??= new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  return regions.of(region);
}

/** Codes that CLDR names, and that ISO 3166-1 gives to no country: unions, reserved codes and the unknown region. */
const unassigned = new Set(["AC", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "QO", "TA", "UN", "XA", "XB", "ZZ"]);

/**
 * The ISO 3166-1 code of a country, or XK for Kosovo. Replaces another code that is in use, such as UK, by the code
 * of its country (GB). Null if no country has the code.
 */
export function countryCode(code: string): string | null {
  if (!/^[A-Z]{2}$/.test(code)) return null;
  const region = new Intl.Locale(`und-${code}`).region ?? code;
  return unassigned.has(region) || nameOf(region) === undefined ? null : region;
}

/** Whether the text is the ISO 3166-1 code of a country, or XK, which is in use for Kosovo. */
export const isCountryCode = (text: string): boolean => countryCode(text) === text;
