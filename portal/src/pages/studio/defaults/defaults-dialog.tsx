import { Button, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { t } from "../../../api/locale.ts";
import { useUnsavedWork } from "../../../api/unsaved-work.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { CloseDialogButton, GuardedModal } from "../../../display/guarded-modal.tsx";
import { RowsSkeleton } from "../../../display/page.tsx";
import { Select } from "../../../display/select.tsx";
import { TagsField } from "../../../display/tags-field.tsx";
import { type BeatValues, valuesOfDefaults } from "../beat/beat-values.ts";
import { fieldError } from "../beat/field-errors.ts";
import { LicenseFields } from "../beat/license-fields.tsx";
import { PreviewTagField } from "../beat/preview-tag-field.tsx";
import { PriceFields } from "../beat/price-fields.tsx";
import {
  changeDraftDefaults,
  type DraftDefaults,
  type Options,
  optionsQuery,
  useRefetchOptions,
  useStudioMutation,
} from "../studio-queries.ts";

/** The dialog of the defaults for new beats. */
export function DefaultsDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery(optionsQuery);
  return (
    <GuardedModal
      opened
      onClose={onClose}
      size="lg"
      title={t("studio.whatNewBeatsBeginWith")}
      closeButtonProps={{ "aria-label": t("shell.close") }}
    >
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined ? error === null && <RowsSkeleton rows={5} /> : <Form options={data} onSaved={onClose} />}
    </GuardedModal>
  );
}

interface FormProps {
  options: Options;
  onSaved: () => void;
}

function Form({ options, onSaved }: FormProps) {
  const [initial] = useState(() => valuesOfDefaults(options.draft_defaults));
  const [values, setValues] = useState(initial);
  const refetchOptions = useRefetchOptions();
  const save = useStudioMutation(changeDraftDefaults, async () => {
    await refetchOptions();
    onSaved();
  });
  useUnsavedWork(JSON.stringify(values) !== JSON.stringify(initial) && !save.isSuccess);
  const change = (changes: Partial<BeatValues>) => setValues((before) => ({ ...before, ...changes }));
  const fieldProblem = fieldError(save.error);
  const problems = fieldProblem === null ? {} : { [fieldProblem.field]: fieldProblem.message };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(defaultsOf(values));
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {save.error !== null && fieldProblem === null && <ErrorAlert error={save.error} />}
        <Select
          label={t("studio.genre")}
          placeholder={t("studio.chosenForEachBeat")}
          clearable
          data={options.genres.map(({ name }) => name)}
          value={values.genre === "" ? null : values.genre}
          onChange={(genre) => change({ genre: genre ?? "" })}
          error={problems.genre}
        />
        <TagsField
          label={t("studio.tags")}
          description={t("studio.defaultTagsHint")}
          value={values.tags}
          maxTags={20}
          onChange={(tags) => change({ tags })}
          error={problems.tags}
        />
        <PriceFields
          price={values.price}
          licensePrices={values.licensePrices}
          options={options}
          problems={problems}
          onChange={change}
        />
        <LicenseFields
          licenses={values.licenses}
          freeDownload={values.freeDownload}
          bounds={options.license_bounds}
          problem={problems.license_settings}
          onChange={change}
          isOfOneBeat={false}
        />
        <PreviewTagField
          value={values.previewTag}
          problem={problems.preview_tag}
          onChange={(previewTag) => change({ previewTag })}
        />
        <Group justify="flex-end">
          <CloseDialogButton>{t("shell.cancel")}</CloseDialogButton>
          <Button type="submit" loading={save.isPending}>
            {t("studio.saveTheDefaults")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const defaultsOf = (values: BeatValues): DraftDefaults => ({
  price: values.price,
  license_prices: values.licensePrices,
  genre: values.genre === "" ? null : values.genre,
  tags: values.tags,
  preview_tag: values.previewTag,
  license_settings: values.licenses,
  free_download: values.freeDownload,
});
