import { Badge } from "@mantine/core";
import type { BeatStatus, Exclusive } from "../studio-queries.ts";

const badges: Record<BeatStatus, { color: string; label: string }> = {
  draft: { color: "gray", label: "Draft" },
  processing: { color: "blue", label: "Processing" },
  published: { color: "teal", label: "Published" },
  withdrawn: { color: "orange", label: "Withdrawn" },
};

export const statusLabels = Object.fromEntries(
  Object.entries(badges).map(([status, { label }]) => [status, label]),
) as Record<BeatStatus, string>;

const frozenBadges = { held: { color: "grape", label: "Being bought" }, sold: { color: "grape", label: "Sold" } };

const takenDownBadge = { color: "red", label: "Taken down" };

interface BeatState {
  status: BeatStatus;
  exclusive: Exclusive;
  isTakenDown: boolean;
}

/** What a beat is to its producer. */
export function BeatStatusBadge({ status, exclusive, isTakenDown }: BeatState) {
  const { color, label } = isTakenDown
    ? takenDownBadge
    : exclusive === "available"
      ? badges[status]
      : frozenBadges[exclusive];
  return (
    <Badge color={color} variant="light" radius="sm" tt="none" miw="max-content">
      {label}
    </Badge>
  );
}
