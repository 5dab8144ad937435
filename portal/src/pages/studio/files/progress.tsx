import { Group, Progress, Text } from "@mantine/core";
import { t } from "../../../api/locale.ts";
import { bytesInWords, percentOf, type SentFile } from "./sending.ts";

const words = {
  queued: "studio.waitsForOtherFiles",
  sending: "studio.uploading",
  waiting: "studio.uploadWaitsForConnection",
  paused: "studio.paused",
  failed: "studio.stopped",
  sent: "studio.uploaded",
} as const satisfies Record<SentFile["state"], string>;

const colors: Readonly<Partial<Record<SentFile["state"], string>>> = {
  failed: "red",
  waiting: "orange",
  paused: "gray",
};

/** The progress of sending a file. */
export function FileProgress({ file }: { file: SentFile }) {
  const { sentBytes, state } = file;
  const percent = percentOf(sentBytes, file.file.size);
  const color = colors[state] ?? "violet";
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="xs" c="dimmed">
          {t(words[state])}
        </Text>
        <Text size="xs" c="dimmed">
          {t("studio.percentOfSize", { percent, size: bytesInWords(file.file.size) })}
        </Text>
      </Group>
      <Progress.Root size="sm">
        <Progress.Section
          value={percent}
          color={color}
          aria-label={t("studio.uploadProgressLabel", { name: file.file.name })}
        />
      </Progress.Root>
      {file.problem !== null && (
        <Text size="xs" c="red" mt={4} role="alert">
          {file.problem}
        </Text>
      )}
    </div>
  );
}
