import { Button, Group, Stack } from "@mantine/core";
import { t } from "../../../api/locale.ts";
import { DecimalInput } from "../../../display/decimal-input.tsx";
import type { Upload } from "../studio-queries.ts";
import { fieldId } from "./field-errors.ts";
import { FieldProblem } from "./field-problem.tsx";
import { SourceNote } from "./source-note.tsx";
import { maxBpm, minBpm, scaledTempo } from "./tempo.ts";

type Analysis = Upload["analysis"];

interface TempoFieldProps {
  /** The producer's tempo; null for the measured tempo. */
  value: number | null;
  analysis: Analysis;
  /**
   * The tempo if the producer sets none: the current tempo, or the tempo that publishing will set. Null while unknown.
   */
  analysed: number | null;
  /** The tempo in the file's name; null if the name has no tempo. */
  nameValue: number | null;
  isAnalysing: boolean;
  error: string | undefined;
  onChange: (bpm: number | null) => void;
}

/**
 * The field of the tempo, with the source, double and half tempo, and other tempos from analysis and the file's name.
 */
export function TempoField({ value, analysis, analysed, nameValue, isAnalysing, error, onChange }: TempoFieldProps) {
  const tempoValue = value ?? analysed;
  const half = tempoValue === null ? null : scaledTempo(tempoValue, 0.5);
  const double = tempoValue === null ? null : scaledTempo(tempoValue, 2);
  const alternatives = [analysis?.bpm ?? null, analysis?.bpm_alternative ?? null].filter(
    (tempo) => tempo !== null && tempo !== tempoValue && tempo !== analysed,
  );
  return (
    <Stack gap="xs">
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <DecimalInput
          id={fieldId("bpm")}
          label={t("studio.tempoBPM")}
          flex={1}
          min={minBpm}
          max={maxBpm}
          placeholder={isAnalysing ? t("studio.foundByAnalysis") : ""}
          value={tempoValue}
          onChange={onChange}
          error={error !== undefined}
          aria-describedby={error === undefined ? undefined : `${fieldId("bpm")}-problem`}
        />
        <Button
          variant="default"
          px="sm"
          aria-label={t("studio.halveTempo")}
          disabled={half === null}
          onClick={() => onChange(half)}
        >
          ÷2
        </Button>
        <Button
          variant="default"
          px="sm"
          aria-label={t("studio.doubleTempo")}
          disabled={double === null}
          onClick={() => onChange(double)}
        >
          ×2
        </Button>
      </Group>
      {error !== undefined && <FieldProblem field="bpm" problem={error} />}
      <Group gap="xs">
        <SourceNote
          source={value === null ? (analysed === null ? null : "analysis") : "producer"}
          confidence={analysis?.bpm_confidence ?? null}
          isAnalysing={isAnalysing}
        />
        {value !== null && analysed !== null && (
          <Button size="compact-xs" variant="subtle" onClick={() => onChange(null)}>
            {t("studio.analysisSaysTempo", { analysed })}
          </Button>
        )}
        {nameValue !== null && nameValue !== tempoValue && (
          <Button size="compact-xs" variant="subtle" onClick={() => onChange(nameValue)}>
            {t("studio.theFilesNameSays", { said: nameValue })}
          </Button>
        )}
        {alternatives.map((tempo) => (
          <Button key={tempo} size="compact-xs" variant="subtle" onClick={() => onChange(tempo)}>
            {t("studio.orTempo", { tempo: tempo ?? "" })}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}
