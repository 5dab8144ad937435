import { Badge } from "@mantine/core";

const colors: Record<number, string> = { 2: "teal", 3: "gray", 4: "orange", 5: "red" };

/** A status code in the colour of its class. */
export function StatusBadge({ status }: { status: number }) {
  return (
    <Badge
      variant="light"
      color={colors[Math.floor(status / 100)] ?? "gray"}
      radius="sm"
      ff="monospace"
      style={{ flexShrink: 0 }}
    >
      {status}
    </Badge>
  );
}

/** Why a call was refused, in two or three words: "minute limit", "lacks orders:write". */
export function refusalLabel(refusedBy: string | null): string | null {
  if (refusedBy === null || refusedBy === "") return null;
  const colon = refusedBy.indexOf(":");
  const [kind, name] = colon < 0 ? [refusedBy, ""] : [refusedBy.slice(0, colon), refusedBy.slice(colon + 1)];
  if (kind === "limit") return `${name} limit`;
  if (kind === "permission") return `lacks ${name}`;
  return name === "" ? kind : `${kind} ${name}`;
}

const milliseconds = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

/** "3.14 ms", "1.2 s". */
export const durationLabel = (ms: number): string =>
  ms < 1_000 ? `${milliseconds.format(ms)} ms` : `${milliseconds.format(ms / 1_000)} s`;
