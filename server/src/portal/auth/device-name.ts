// The first match counts, since most browsers also name the browsers that they descend from.
const browsers = [
  ["Edg", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["FxiOS", "Firefox"],
  ["CriOS", "Chrome"],
  ["HeadlessChrome", "Chrome"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
  ["curl/", "curl"],
] as const;
const systems = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["CrOS", "ChromeOS"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

/** A browser in words, `Firefox on Linux`, from its user agent, which may be forged. */
export function deviceName(userAgent: string): string {
  const named = (names: readonly (readonly [mark: string, name: string])[]) =>
    names.find(([mark]) => userAgent.includes(mark))?.[1];
  const browser = named(browsers) ?? "An unknown browser";
  const system = named(systems);
  return system === undefined ? browser : `${browser} on ${system}`;
}
