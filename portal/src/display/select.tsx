import { NativeSelect, type NativeSelectProps } from "@mantine/core";

interface SelectProps extends Omit<NativeSelectProps, "value" | "onChange" | "children"> {
  data: NonNullable<NativeSelectProps["data"]>;
  /** Null: nothing is chosen. */
  value: string | null;
  onChange: (value: string | null) => void;
  /** What stands for nothing. */
  placeholder?: string | undefined;
  /** Whether somebody may go back to nothing. */
  clearable?: boolean;
}

/** A choice from a list, by the browser's own select: Mantine's would bring 40 kB of placing and searching along. */
export function Select({ data, value, onChange, placeholder = "", clearable = false, ...props }: SelectProps) {
  const nothing = { value: "", label: placeholder, disabled: !clearable };
  return (
    <NativeSelect
      {...props}
      data={clearable || value === null ? [nothing, ...data] : data}
      value={value ?? ""}
      onChange={({ currentTarget }) => onChange(currentTarget.value === "" ? null : currentTarget.value)}
    />
  );
}
