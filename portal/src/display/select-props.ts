import type { NativeSelectProps } from "@mantine/core";

export interface Option {
  value: string;
  label: string;
}

type Data = readonly (string | Option | { group: string; items: Option[] })[];

/** What both kinds of field take. */
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
  /** Null: nothing is chosen. */
  value: string | null;
  onChange: (value: string | null) => void;
  /** What stands for nothing. */
  placeholder?: string | undefined;
  /** Whether somebody may go back to nothing. */
  clearable?: boolean;
}
