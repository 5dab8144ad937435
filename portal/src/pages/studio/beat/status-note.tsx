import { Alert, Button, Group, Loader, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconClock, IconLock } from "@tabler/icons-react";
import { momentText } from "../moment.ts";
import type { OwnBeat } from "../studio-queries.ts";
import { TakedownNote } from "./takedown-note.tsx";

interface StatusNoteProps {
  live: OwnBeat;
  isPending: boolean;
  onRetry: () => void;
}

/** What happens to the beat now, or why its last publishing failed. */
export function StatusNote({ live, isPending, onRetry }: StatusNoteProps) {
  const { beat, exclusive, locked, takedown } = live;
  if (takedown !== null) return <TakedownNote live={live} />;
  if (exclusive === "sold")
    return (
      <Alert
        color="grape"
        variant="light"
        icon={<IconLock />}
        role="status"
        title="Sold: its exclusive license is bought"
      >
        <Text size="sm">
          It has left the lists and the search, and no license of it can be bought. {locked} Its page still opens for
          those who have the address.
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
        title="Its exclusive license is being bought"
      >
        <Text size="sm">Until then no license of it can be bought. {locked}</Text>
      </Alert>
    );
  const { status, rejection, publish_at } = beat;
  if (typeof rejection === "string")
    return (
      <Alert color="red" variant="light" icon={<IconAlertTriangle />} title="It could not be published" role="alert">
        <Text size="sm">{rejection}</Text>
        <Button size="xs" variant="default" mt="xs" loading={isPending} onClick={onRetry}>
          Publish again
        </Button>
      </Alert>
    );
  if (typeof publish_at === "string" && status !== "processing")
    return (
      <Alert color="blue" variant="light" icon={<IconClock />} role="status" title="It is published by itself">
        <Text size="sm">On {momentText(publish_at)}. Another moment, or none, is set below.</Text>
      </Alert>
    );
  if (status === "processing")
    return (
      <Alert color="blue" variant="light" role="status">
        <Group gap="sm" wrap="nowrap">
          <Loader size="sm" aria-hidden />
          <Text size="sm">
            The preview is being made. The beat goes on sale as soon as it is ready; you need not wait here.
          </Text>
        </Group>
      </Alert>
    );
  if (status === "published")
    return (
      <Alert color="teal" variant="light" icon={<IconCircleCheck />} role="status" title="On sale">
        <Text size="sm">
          It is in the lists and the search as beat {beat.id}. What you change here is changed for everyone at once.
        </Text>
      </Alert>
    );
  return null;
}
