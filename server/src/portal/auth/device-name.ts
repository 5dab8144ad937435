// The first that fits: most browsers name those that they descend from, too.
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

/** A browser in words, `Firefox on Linux`, by its user agent, which it may have made up. */
export function deviceName(userAgent: string): string {
  const named = (names: readonly (readonly [mark: string, name: string])[]) =>
    names.find(([mark]) => userAgent.includes(mark))?.[1];
  const browser = named(browsers) ?? "An unknown browser";
  const system = named(systems);
  return system === undefined ? browser : `${browser} on ${system}`;
}
