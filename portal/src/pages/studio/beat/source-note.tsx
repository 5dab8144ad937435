import { Badge, Group, Text } from "@mantine/core";
import { t } from "../../../api/locale.ts";

interface SourceNoteProps {
  /** The source of the value; null while there is no value. */
  source: "producer" | "analysis" | null;
  /** The confidence of the analysis, from 0 to 1; null if it gives none. */
  confidence: number | null;
  isAnalysing: boolean;
}

/** The source of a tempo or key, and the confidence. */
export function SourceNote({ source, confidence, isAnalysing }: SourceNoteProps) {
  if (source === null)
    return (
      <Text size="xs" c="dimmed" role="status">
        {isAnalysing ? t("studio.analysisPending") : t("studio.theAnalysisFoundNone")}
      </Text>
    );
  return (
    <Group gap="xs">
      <Badge size="sm" radius="sm" tt="none" variant="light" color={source === "producer" ? "violet" : "blue"}>
        {source === "producer" ? t("studio.yours") : t("studio.analysis")}
      </Badge>
      {source === "analysis" && confidence !== null && (
        <Text size="xs" c="dimmed">
          {t("studio.percentSure", { confidence: Math.round(confidence * 100) })}
        </Text>
      )}
    </Group>
  );
}
