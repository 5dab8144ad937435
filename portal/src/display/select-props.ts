import type { NativeSelectProps } from "@mantine/core";

export interface Option {
  value: string;
  label: string;
}

type Data = readonly (string | Option | { group: string; items: Option[] })[];

/** Props that the browser's select and the combobox share. */
type FieldProps = Pick<
  NativeSelectProps,
  | "id"
  | "label"
  | "title"
  | "aria-label"
  | "description"
  | "error"
  | "required"
  | "disabled"
  | "size"
  | "w"
  | "maw"
  | "className"
  | "inputWrapperOrder"
>;

export interface SelectProps extends FieldProps {
  data: Data;
  /** The chosen value; null without a choice. */
  value: string | null;
  onChange: (value: string | null) => void;
  /** The label of the empty choice. */
  placeholder?: string | undefined;
  /** Whether the choice can be cleared. */
  clearable?: boolean;
}
