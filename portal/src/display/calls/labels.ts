/** The cause of a refusal in a few words, "minute limit" or "lacks orders:write"; null without a refusal. */
export function refusalLabel(refusedBy: string | null): string | null {
  if (refusedBy === null || refusedBy === "") return null;
  const colon = refusedBy.indexOf(":");
  const [kind, name] = colon < 0 ? [refusedBy, ""] : [refusedBy.slice(0, colon), refusedBy.slice(colon + 1)];
  if (kind === "limit") return `${name} limit`;
  if (kind === "permission") return `lacks ${name}`;
  return name === "" ? kind : `${kind} ${name}`;
}

const significant = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

/** A duration with at most three significant digits: "3.14 ms", "1.2 s". */
export const durationLabel = (ms: number): string =>
  ms < 1_000 ? `${significant.format(ms)} ms` : `${significant.format(ms / 1_000)} s`;
