import { NativeSelect, TextInput } from "@mantine/core";
import { lazy, Suspense } from "react";
import { loadChunk } from "../api/load-chunk.ts";
import type { SelectProps } from "./select-props.ts";

const Combobox = lazy(() => loadChunk(() => import("./combobox.tsx")).then((module) => ({ default: module.Combobox })));

/** A longer list gets a field that filters it. */
const maxNative = 15;

/** A choice from a list: by the browser's own select, or, from a long list without groups, by a field that filters it. */
export function Select({ data, ...props }: SelectProps) {
  const options = data.flatMap((item) =>
    typeof item === "string" ? { value: item, label: item } : "group" in item ? [] : item,
  );
  if (options.length > maxNative && options.length === data.length) {
    const { clearable: _, onChange: __, value, ...field } = props;
    const chosen = options.find((option) => option.value === value)?.label ?? "";
    return (
      <Suspense fallback={<TextInput {...field} value={chosen} disabled />}>
        <Combobox options={options} {...props} />
      </Suspense>
    );
  }
  return <NativeChoice data={data} {...props} />;
}

function NativeChoice({ data, value, onChange, placeholder = "", clearable = false, ...props }: SelectProps) {
  const nothing = { value: "", label: placeholder, disabled: !clearable };
  return (
    <NativeSelect
      {...props}
      data={clearable || value === null ? [nothing, ...data] : [...data]}
      value={value ?? ""}
      onChange={({ currentTarget }) => onChange(currentTarget.value === "" ? null : currentTarget.value)}
    />
  );
}
