import { Switch, TextInput } from "@mantine/core";
import { Select } from "../../../../display/select.tsx";
import { TagsField } from "../../../../display/tags-field.tsx";
import type { Field } from "../../call/operations.ts";
import { listOf, valuesOf } from "../../call/value-list.ts";
import { type ControlProps, commonProps } from "./control-props.tsx";
import { KeyControl } from "./key-wheel/key-control.tsx";
import { TimeControl } from "./time-control.tsx";

const inputModes: Partial<Record<Field["kind"], "numeric" | "decimal">> = { integer: "numeric", number: "decimal" };

/** The control for a field's type. It does not validate, because the API does. */
export function FieldControl({ field, value, onChange }: ControlProps) {
  const common = commonProps(field);
  if (field.kind === "musical-key") return <KeyControl field={field} value={value} onChange={onChange} />;
  if (field.kind === "date-time") return <TimeControl field={field} value={value} onChange={onChange} />;
  if (field.kind === "boolean") {
    const byDefault = field.defaultValue === "true";
    return (
      <Switch
        label={field.name}
        description={common.description}
        checked={value === "" ? byDefault : value === "true"}
        onChange={({ currentTarget: { checked } }) => onChange(checked === byDefault ? "" : String(checked))}
      />
    );
  }
  if (field.isList) {
    return (
      <TagsField
        {...common}
        {...(field.kind === "choice" && { choices: field.choices })}
        value={valuesOf(value)}
        onChange={(texts) => onChange(listOf(texts))}
      />
    );
  }
  if (field.kind === "choice")
    return (
      <Select
        {...common}
        clearable={!field.isRequired}
        data={field.choices}
        value={field.choices.includes(value) ? value : null}
        onChange={(option) => onChange(option ?? "")}
      />
    );
  return (
    <TextInput
      {...common}
      name={`${field.place}-${field.name}`}
      autoComplete="off"
      spellCheck={false}
      inputMode={inputModes[field.kind]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
