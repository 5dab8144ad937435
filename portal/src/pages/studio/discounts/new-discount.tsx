import { Button, Checkbox, Group, Stack, TextInput } from "@mantine/core";
import { type SyntheticEvent, useState } from "react";
import { t } from "../../../api/locale.ts";
import { useUnsavedWork } from "../../../api/unsaved-work.ts";
import { DateTimeInput } from "../../../display/date-time-input.tsx";
import { DecimalInput } from "../../../display/decimal-input.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { CloseDialogButton, GuardedModal } from "../../../display/guarded-modal.tsx";
import { Select } from "../../../display/select.tsx";
import { BeatPicker } from "./beat-picker.tsx";
import { useCreateDiscount } from "./discount-queries.ts";
import { type Draft, emptyDraft, fieldsOf, kinds, types } from "./draft.ts";

/** The form of a new discount. */
export const NewDiscount = ({ currency, onClose }: { currency: string; onClose: () => void }) => (
  <GuardedModal
    opened
    onClose={onClose}
    title={t("studio.newDiscount")}
    closeButtonProps={{ "aria-label": t("shell.close") }}
  >
    <Form currency={currency} onSaved={onClose} />
  </GuardedModal>
);

function Form({ currency, onSaved }: { currency: string; onSaved: () => void }) {
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const create = useCreateDiscount(onSaved);
  useUnsavedWork(draft !== emptyDraft);
  const change = (fields: Partial<Draft>) => setDraft((before) => ({ ...before, ...fields }));
  const save = (event: SyntheticEvent) => {
    event.preventDefault();
    create.mutate(fieldsOf(draft));
  };
  return (
    <form onSubmit={save}>
      <Stack>
        {create.error !== null && <ErrorAlert error={create.error} />}
        <TextInput
          label={t("studio.name")}
          description={t("studio.discountNameHint")}
          required
          maxLength={80}
          value={draft.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <TextInput
          label={t("ui.code")}
          description={t("studio.discountCodeHint")}
          pattern="[A-Za-z0-9][A-Za-z0-9_\-]{2,31}"
          maxLength={32}
          autoComplete="off"
          value={draft.code}
          onChange={({ currentTarget }) => change({ code: currentTarget.value })}
        />
        <Select
          label={t("studio.takesOff")}
          data={kinds.map(({ value, label }) => ({ value, label: t(label) }))}
          value={draft.kind}
          onChange={(kind) => change({ kind: kinds.find(({ value }) => value === kind)?.value ?? draft.kind })}
        />
        <EffectFields draft={draft} change={change} currency={currency} />
        <Checkbox.Group
          label={t("studio.licenses")}
          description={t("studio.noneChosenAllTypes")}
          value={draft.types}
          onChange={(selection) => change({ types: types.filter((type) => selection.includes(type)) })}
        >
          <Group mt="xs">
            {types.map((type) => (
              <Checkbox key={type} value={type} label={type} />
            ))}
          </Group>
        </Checkbox.Group>
        <BeatPicker value={draft.beats} onChange={(beats) => change({ beats })} />
        <Group grow align="start">
          <DateTimeInput label={t("ui.from")} value={draft.from} onChange={(from) => change({ from })} />
          <DateTimeInput label={t("studio.until")} value={draft.until} onChange={(until) => change({ until })} />
        </Group>
        <Group grow align="start">
          <WholeNumber label={t("studio.uses")} value={draft.maxUses} onChange={(maxUses) => change({ maxUses })} />
          <WholeNumber
            label={t("studio.usesOfABuyer")}
            value={draft.perBuyer}
            onChange={(perBuyer) => change({ perBuyer })}
          />
        </Group>
        <Group justify="flex-end">
          <CloseDialogButton>{t("shell.cancel")}</CloseDialogButton>
          <Button type="submit" loading={create.isPending}>
            {t("studio.makeDiscount")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface EffectProps {
  draft: Draft;
  change: (fields: Partial<Draft>) => void;
  currency: string;
}

/** The fields of the chosen kind. */
function EffectFields({ draft, change, currency }: EffectProps) {
  switch (draft.kind) {
    case "percent":
      return (
        <WholeNumber
          label={t("studio.percent")}
          required
          value={draft.percent}
          onChange={(percent) => change({ percent })}
        />
      );
    case "amount":
      return (
        <DecimalInput
          label={t("studio.amountIn", { currency })}
          required
          isMoney
          min={0.01}
          max={21_474_836.47}
          value={draft.amount}
          onChange={(amount) => change({ amount })}
        />
      );
    case "pack":
      return (
        <Group grow align="start">
          <WholeNumber label={t("studio.licenses")} required value={draft.size} onChange={(size) => change({ size })} />
          <WholeNumber label={t("studio.packPaid")} required value={draft.paid} onChange={(paid) => change({ paid })} />
        </Group>
      );
    case "ownership":
      return null;
  }
}

interface WholeNumberProps {
  label: string;
  required?: boolean;
  /** The typed digits; may be empty. */
  value: string;
  onChange: (value: string) => void;
}

const WholeNumber = ({ onChange, ...props }: WholeNumberProps) => (
  <TextInput
    {...props}
    inputMode="numeric"
    pattern="[1-9][0-9]{0,6}"
    autoComplete="off"
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
