import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { t } from "../../../api/locale.ts";
import { useUnsavedWork } from "../../../api/unsaved-work.ts";
import { type LicenseType, licenseLabels } from "../../../display/beats/licenses.ts";
import { DecimalInput } from "../../../display/decimal-input.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { CloseDialogButton, GuardedModal } from "../../../display/guarded-modal.tsx";
import { Select } from "../../../display/select.tsx";
import { TagsField } from "../../../display/tags-field.tsx";
import { type BeatEdit, optionsQuery } from "../studio-queries.ts";

interface EditDialogProps {
  count: number;
  error: Error | null;
  isPending: boolean;
  onSend: (change: Omit<BeatEdit, "beat_id">) => void;
  onClose: () => void;
}

const types = Object.keys(licenseLabels) as LicenseType[];
const emptyValues = {
  price: null as number | null,
  genre: null as string | null,
  added: [] as string[],
  removed: [] as string[],
  /** For a license type, whether it is for sale; without an entry or with null, it stays as it is. */
  sold: {} as Partial<Record<LicenseType, string | null>>,
};

/** The dialog that edits many beats. An empty field does not change the beats. */
export const EditDialog = ({ count, onClose, ...props }: EditDialogProps) => (
  <GuardedModal
    opened
    onClose={onClose}
    size="lg"
    title={t("studio.editBeats", { count })}
    closeButtonProps={{ "aria-label": t("shell.close") }}
  >
    <Form {...props} />
  </GuardedModal>
);

function Form({ error, isPending, onSend }: Omit<EditDialogProps, "count" | "onClose">) {
  const { data: options } = useQuery(optionsQuery);
  const [values, setValues] = useState(emptyValues);
  useUnsavedWork(values !== emptyValues);
  const change = (fields: Partial<typeof emptyValues>) => setValues((before) => ({ ...before, ...fields }));
  const { price, genre, added, removed, sold } = values;
  const settings = types.flatMap((type) => (sold[type] == null ? [] : [[type, { sold: sold[type] === "yes" }]]));
  const isEmpty = price === null && genre === null && added.length + removed.length + settings.length === 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSend({
      changes: {
        // Derive the other prices from the new basic price.
        ...(price !== null && { price, license_prices: null }),
        ...(genre !== null && { genre }),
        ...(settings.length > 0 && { license_settings: Object.fromEntries(settings) }),
      },
      ...(added.length > 0 && { add_tags: added }),
      ...(removed.length > 0 && { remove_tags: removed }),
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {error !== null && <ErrorAlert error={error} />}
        <Text size="sm">{t("studio.editBeatsHint")}</Text>
        <DecimalInput
          label={t("studio.basicPrice", { currency: options?.currency ?? "" })}
          min={0}
          max={21_474_836.47}
          isMoney
          value={price}
          onChange={(price) => change({ price })}
        />
        <Text size="xs" c="dimmed">
          {t("studio.otherPricesFollow")}
        </Text>
        <Select
          label={t("studio.genre")}
          placeholder={t("studio.asItIs")}
          clearable
          data={options?.genres.map(({ name }) => name) ?? []}
          value={genre}
          onChange={(genre) => change({ genre })}
        />
        <TagsField label={t("studio.addTags")} value={added} maxTags={20} onChange={(added) => change({ added })} />
        <TagsField
          label={t("studio.removeTags")}
          value={removed}
          maxTags={20}
          onChange={(removed) => change({ removed })}
        />
        <Group grow align="start">
          {types.map((type) => (
            <Select
              key={type}
              label={licenseLabels[type]}
              placeholder={t("studio.asItIs")}
              clearable
              data={[
                { value: "yes", label: t("studio.sold") },
                { value: "no", label: t("studio.notSold") },
              ]}
              value={sold[type] ?? null}
              onChange={(value) => change({ sold: { ...sold, [type]: value } })}
            />
          ))}
        </Group>
        <Group justify="flex-end">
          <CloseDialogButton>{t("shell.cancel")}</CloseDialogButton>
          <Button type="submit" disabled={isEmpty} loading={isPending}>
            {t("studio.changeThem")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
