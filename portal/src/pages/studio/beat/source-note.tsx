import { Badge, Group, Text } from "@mantine/core";

interface SourceNoteProps {
  /** Who says the value: its producer, analysis, or no one yet. */
  source: "producer" | "analysis" | null;
  /** The confidence of the analysis, from 0 to 1; null if it gives none. */
  confidence: number | null;
  isAnalysing: boolean;
}

/** Where a tempo or key comes from, and how sure that is. */
export function SourceNote({ source, confidence, isAnalysing }: SourceNoteProps) {
  if (source === null)
    return (
      <Text size="xs" c="dimmed" role="status">
        {isAnalysing ? "The analysis finds it once the file has arrived." : "The analysis found none."}
      </Text>
    );
  return (
    <Group gap="xs">
      <Badge size="sm" radius="sm" tt="none" variant="light" color={source === "producer" ? "violet" : "blue"}>
        {source === "producer" ? "Yours" : "Analysis"}
      </Badge>
      {source === "analysis" && confidence !== null && (
        <Text size="xs" c="dimmed">
          {Math.round(confidence * 100)} % sure
        </Text>
      )}
    </Group>
  );
}
