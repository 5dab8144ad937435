import { Divider, Paper, SimpleGrid, Stack, Textarea, TextInput, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../../api/locale.ts";
import { Select } from "../../../display/select.tsx";
import { TagsField } from "../../../display/tags-field.tsx";
import type { Options, Upload } from "../studio-queries.ts";
import { type BeatValues, maxTitleLength } from "./beat-values.ts";
import { fieldId } from "./field-errors.ts";
import { FieldProblem } from "./field-problem.tsx";
import { FileField } from "./file-field.tsx";
import { KeyField } from "./key-field.tsx";
import { LicenseFields } from "./license-fields.tsx";
import { PreviewTagField } from "./preview-tag-field.tsx";
import { PriceFields } from "./price-fields.tsx";
import { PublishAtField } from "./publish-at-field.tsx";
import { analysedTempo } from "./tempo.ts";
import { TempoField } from "./tempo-field.tsx";

const maxTags = 20;
const maxDescriptionLength = 2_000;

interface BeatFormProps {
  values: BeatValues;
  options: Options;
  /** The analysis of the recording so far. */
  analysis: Upload["analysis"];
  /** The tempo and key in the name of the recording's file. */
  said: Upload["said"] | null;
  isAnalysing: boolean;
  /** The measured tempo of a beat that is or was on sale, which stays until the producer changes it. */
  publishedTempo?: number | null;
  /** The errors, by the name of the field in the API. */
  problems: Readonly<Record<string, string>>;
  /** The cover of a beat whose cover is not an upload. */
  coverFallback?: ReactNode;
  /** Whether publishing can be scheduled. False for a beat that is on sale, being published or taken down. */
  isSchedulable: boolean;
  onChange: (change: Partial<BeatValues>) => void;
}

/** The fields of a beat. The page provides the buttons. */
export function BeatForm({
  values,
  options,
  analysis,
  said,
  isAnalysing,
  publishedTempo = null,
  problems,
  coverFallback,
  isSchedulable,
  onChange,
}: BeatFormProps) {
  const octave = options.genres.find(({ name }) => name === values.genre)?.octave ?? null;
  return (
    <Stack gap="md">
      <Section title={t("studio.whatItIs")}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <TextInput
            id={fieldId("title")}
            label={t("studio.title")}
            value={values.title}
            maxLength={maxTitleLength}
            onChange={(event) => onChange({ title: event.currentTarget.value })}
            error={problems.title}
          />
          <Select
            id={fieldId("genre")}
            label={t("studio.genre")}
            placeholder={t("studio.chooseOne")}
            data={options.genres.map(({ name }) => name)}
            value={values.genre === "" ? null : values.genre}
            onChange={(genre) => onChange({ genre: genre ?? "" })}
            error={problems.genre}
          />
          <TempoField
            value={values.bpm}
            analysis={analysis}
            analysed={publishedTempo ?? analysedTempo(analysis, octave)}
            nameValue={said?.bpm ?? null}
            isAnalysing={isAnalysing}
            error={problems.bpm}
            onChange={(bpm) => onChange({ bpm })}
          />
          <KeyField
            value={values.key}
            analysis={analysis}
            nameValue={said?.key ?? null}
            isAnalysing={isAnalysing}
            error={problems.key}
            onChange={(key) => onChange({ key })}
          />
        </SimpleGrid>
        <TagsField
          id={fieldId("tags")}
          label={t("studio.tags")}
          description={t("studio.tagsHint", { maxTags })}
          value={values.tags}
          maxTags={maxTags}
          onChange={(tags) => onChange({ tags })}
          error={problems.tags}
        />
        <Textarea
          id={fieldId("description")}
          label={t("studio.descriptionOptional")}
          value={values.description}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={maxDescriptionLength}
          onChange={(event) => onChange({ description: event.currentTarget.value })}
          error={problems.description}
        />
      </Section>
      <Section title={t("studio.whatItCosts")}>
        <PriceFields
          price={values.price}
          licensePrices={values.licensePrices}
          options={options}
          problems={problems}
          onChange={onChange}
        />
      </Section>
      <Section title={t("studio.whatItAllows")}>
        <LicenseFields
          licenses={values.licenses}
          freeDownload={values.freeDownload}
          bounds={options.license_bounds}
          problem={problems.license_settings}
          onChange={onChange}
        />
      </Section>
      <Section title={t("studio.coverStemsAndPreview")}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <FileField
            name="cover"
            label={t("studio.cover")}
            kind="cover"
            accept=".png,.jpg,.jpeg,.webp"
            action={t("face.chooseAPicture")}
            value={values.cover}
            problem={problems.cover}
            onChange={(cover) => onChange({ cover })}
            fallback={coverFallback}
          >
            {t("studio.coverFormatsHint")}
          </FileField>
          <FileField
            name="stems"
            label={t("studio.stemsOptional")}
            kind="stems"
            accept=".zip"
            action={t("studio.chooseAnArchive")}
            value={values.stems}
            problem={problems.stems}
            onChange={(stems) => onChange({ stems })}
          >
            {t("studio.stemsHint")}
          </FileField>
        </SimpleGrid>
        <Divider />
        <PreviewTagField
          value={values.previewTag}
          problem={problems.preview_tag}
          onChange={(previewTag) => onChange({ previewTag })}
        />
      </Section>
      {isSchedulable && (
        <Section title={t("studio.whenItIsPublished")}>
          <PublishAtField
            value={values.publishAt}
            problem={problems.publish_at}
            onChange={(publishAt) => onChange({ publishAt })}
          />
        </Section>
      )}
      {problems.audio !== undefined && <FieldProblem field="audio" problem={problems.audio} />}
    </Stack>
  );
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <Paper withBorder p="md" component="section" aria-label={title}>
    <Title order={2} size="h5" mb="sm">
      {title}
    </Title>
    <Stack gap="md">{children}</Stack>
  </Paper>
);
