import { Group, Progress, Text } from "@mantine/core";
import { bytesInWords, percentOf, type SentFile } from "./sending.ts";

const words: Record<SentFile["state"], string> = {
  queued: "Waits for other files",
  sending: "Uploading",
  waiting: "No connection; resumes when it is back",
  paused: "Paused",
  failed: "Stopped",
  sent: "Uploaded",
};

/** How much of a file has been sent. */
export function FileProgress({ file }: { file: SentFile }) {
  const { sent, state } = file;
  const percent = percentOf(sent, file.file.size);
  const color = { failed: "red", waiting: "orange", paused: "gray" }[state as string] ?? "violet";
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="xs" c="dimmed">
          {words[state]}
        </Text>
        <Text size="xs" c="dimmed">
          {percent} % of {bytesInWords(file.file.size)}
        </Text>
      </Group>
      <Progress.Root size="sm">
        <Progress.Section value={percent} color={color} aria-label={`Upload of ${file.file.name}`} />
      </Progress.Root>
      {file.problem !== null && (
        <Text size="xs" c="red" mt={4} role="alert">
          {file.problem}
        </Text>
      )}
    </div>
  );
}
