import { NativeSelect, TextInput } from "@mantine/core";
import { lazy, Suspense } from "react";
import { loadChunk } from "../api/load-chunk.ts";
import type { SelectProps } from "./select-props.ts";

const Combobox = lazy(() => loadChunk(() => import("./combobox.tsx")).then((module) => ({ default: module.Combobox })));

/** The length of the longest list without a filter. */
const maxNative = 15;

/** A choice from a list. Uses the browser's select, or a filtering combobox for a long list without groups. */
export function Select({ data, ...props }: SelectProps) {
  const options = data.flatMap((item) => {
    if (typeof item === "string") return { value: item, label: item };
    return "group" in item ? [] : item;
  });
  if (options.length > maxNative && options.length === data.length) {
    const { clearable: _, onChange: __, value, ...field } = props;
    const label = options.find((option) => option.value === value)?.label ?? "";
    return (
      <Suspense fallback={<TextInput {...field} value={label} disabled />}>
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
