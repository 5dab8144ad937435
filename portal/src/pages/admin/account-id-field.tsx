import { TextInput } from "@mantine/core";
import type { FormEvent } from "react";

interface AccountIdFieldProps {
  value: number | undefined;
  placeholder?: string;
  onChange: (id: number | undefined) => void;
}

/** A field that filters by an account's id. Applies the filter on Enter and when the field loses the focus. */
export function AccountIdField({ value, placeholder, onChange }: AccountIdFieldProps) {
  const read = (field: HTMLInputElement) => {
    const text = field.value.trim();
    const id = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
    if (id !== value) onChange(id);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    read(event.currentTarget.elements.namedItem("account") as HTMLInputElement);
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        label="Account id"
        name="account"
        inputMode="numeric"
        {...(placeholder !== undefined && { placeholder })}
        size="xs"
        w={140}
        key={value}
        defaultValue={value ?? ""}
        onBlur={(event) => read(event.currentTarget)}
      />
    </form>
  );
}
