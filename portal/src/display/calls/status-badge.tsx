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
      miw="max-content"
    >
      {status}
    </Badge>
  );
}
