import { Button, Group, Stack } from "@mantine/core";
import { t } from "../../../api/locale.ts";
import { Select } from "../../../display/select.tsx";
import type { Upload } from "../studio-queries.ts";
import { fieldId } from "./field-errors.ts";
import { SourceNote } from "./source-note.tsx";

const notes = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];
const keys = ["major", "minor"].flatMap((mode) => notes.map((note) => `${note} ${mode}`));

interface KeyFieldProps {
  /** The producer's key; null for the measured key. */
  value: string | null;
  analysis: Upload["analysis"];
  /** The key in the file's name; null if the name has no key. */
  nameValue: string | null;
  isAnalysing: boolean;
  error: string | undefined;
  onChange: (key: string | null) => void;
}

/** The field of the musical key, with the source of the value, and other keys from analysis and the file's name. */
export function KeyField({ value, analysis, nameValue, isAnalysing, error, onChange }: KeyFieldProps) {
  const measuredKey = analysis?.key ?? null;
  const keyValue = value ?? measuredKey;
  const other = analysis?.key_alternative ?? null;
  // An imported beat may have a key in another notation, which must remain a choice.
  const data = keyValue === null || keys.includes(keyValue) ? keys : [keyValue, ...keys];
  return (
    <Stack gap="xs">
      <Select
        id={fieldId("key")}
        label={t("studio.key")}
        data={data}
        value={keyValue}
        onChange={onChange}
        placeholder={isAnalysing ? t("studio.foundByAnalysis") : t("studio.notKnown")}
        error={error}
      />
      <Group gap="xs">
        <SourceNote
          source={value === null ? (measuredKey === null ? null : "analysis") : "producer"}
          confidence={analysis?.key_confidence ?? null}
          isAnalysing={isAnalysing}
        />
        {value !== null && measuredKey !== null && (
          <Button size="compact-xs" variant="subtle" onClick={() => onChange(null)}>
            {t("studio.analysisSaysKey", { measuredKey })}
          </Button>
        )}
        {nameValue !== null && nameValue !== keyValue && (
          <Button size="compact-xs" variant="subtle" onClick={() => onChange(nameValue)}>
            {t("studio.theFilesNameSays", { said: nameValue })}
          </Button>
        )}
        {other !== null && other !== keyValue && (
          <Button size="compact-xs" variant="subtle" onClick={() => onChange(other)}>
            {t("studio.orKey", { other })}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
