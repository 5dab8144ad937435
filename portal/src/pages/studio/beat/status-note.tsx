import { Alert, Button, Group, Loader, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconClock, IconLock } from "@tabler/icons-react";
import { t } from "../../../api/locale.ts";
import { momentText } from "../moment.ts";
import type { OwnBeat } from "../studio-queries.ts";
import { TakedownNote } from "./takedown-note.tsx";

interface StatusNoteProps {
  live: OwnBeat;
  isPending: boolean;
  onRetry: () => void;
}

/**
 * The state of a beat: taken down, exclusively sold or being bought, not published because of an error, scheduled,
 * processing or on sale. Renders nothing otherwise.
 */
export function StatusNote({ live, isPending, onRetry }: StatusNoteProps) {
  const { beat, exclusive, locked, takedown } = live;
  if (takedown !== null) return <TakedownNote live={live} />;
  if (exclusive === "sold")
    return (
      <Alert color="grape" variant="light" icon={<IconLock />} role="status" title={t("studio.exclusiveSoldTitle")}>
        <Text size="sm">
          {t("studio.exclusiveSoldNote")} <span lang="en">{locked}</span> {t("studio.itsPageStillOpens")}
        </Text>
      </Alert>
    );
  if (exclusive === "held")
    return (
      <Alert
        color="grape"
        variant="light"
        icon={<IconLock />}
        role="status"
        title={t("studio.exclusiveBeingBoughtTitle")}
      >
        <Text size="sm">
          {t("studio.exclusiveBeingBoughtNote")} <span lang="en">{locked}</span>
        </Text>
      </Alert>
    );
  const { status, rejection, publish_at } = beat;
  if (typeof rejection === "string")
    return (
      <Alert
        color="red"
        variant="light"
        icon={<IconAlertTriangle />}
        title={t("studio.itCouldNotBePublished")}
        role="alert"
      >
        <Text size="sm" lang="en">
          {rejection}
        </Text>
        <Button size="xs" variant="default" mt="xs" loading={isPending} onClick={onRetry}>
          {t("studio.publishAgain")}
        </Button>
      </Alert>
    );
  if (typeof publish_at === "string" && status !== "processing")
    return (
      <Alert color="blue" variant="light" icon={<IconClock />} role="status" title={t("studio.itIsPublishedByItself")}>
        <Text size="sm">{t("studio.scheduledPublishNote", { publishAt: momentText(publish_at) })}</Text>
      </Alert>
    );
  if (status === "processing")
    return (
      <Alert color="blue" variant="light" role="status">
        <Group gap="sm" wrap="nowrap">
          <Loader size="sm" aria-hidden />
          <Text size="sm">{t("studio.thePreviewIsBeingMade")}</Text>
        </Group>
      </Alert>
    );
  if (status === "published")
    return (
      <Alert color="teal" variant="light" icon={<IconCircleCheck />} role="status" title={t("studio.onSale")}>
        <Text size="sm">{t("studio.onSaleNote", { id: String(beat.id) })}</Text>
      </Alert>
    );
  return null;
}
