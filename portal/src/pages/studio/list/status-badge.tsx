import { Badge } from "@mantine/core";
import { t } from "../../../api/locale.ts";
import type { BeatStatus, Exclusive } from "../studio-queries.ts";

const badges = {
  draft: { color: "gray", label: "studio.draft" },
  processing: { color: "blue", label: "studio.processing" },
  published: { color: "teal", label: "studio.published" },
  withdrawn: { color: "orange", label: "studio.withdrawn" },
} as const satisfies Record<BeatStatus, object>;

export const statusLabel = (status: BeatStatus): string => t(badges[status].label);

const frozenBadges = {
  held: { color: "grape", label: "studio.beingBought" },
  sold: { color: "grape", label: "studio.sold" },
} as const;

const takenDownBadge = { color: "red", label: "studio.takenDown" } as const;

interface BeatState {
  status: BeatStatus;
  exclusive: Exclusive;
  isTakenDown: boolean;
}

/** A beat's status, as producers see it. */
export function BeatStatusBadge({ status, exclusive, isTakenDown }: BeatState) {
  const statusBadge = exclusive === "available" ? badges[status] : frozenBadges[exclusive];
  const { color, label } = isTakenDown ? takenDownBadge : statusBadge;
  return (
    <Badge color={color} variant="light" radius="sm" tt="none" miw="max-content">
      {t(label)}
    </Badge>
  );
}
