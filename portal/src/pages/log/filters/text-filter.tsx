import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useState } from "react";

const debounceMs = 300;

interface TextFilterProps {
  label: string;
  placeholder: string;
  value: string | undefined;
  maxLength: number;
  onChange: (value: string | undefined) => void;
  /** Whether this is the main search field, which has an icon instead of a visible label. */
  isSearch?: boolean;
}

/** A text field that reports its value when typing pauses. */
export function TextFilter({ label, placeholder, value = "", maxLength, onChange, isSearch = false }: TextFilterProps) {
  const [typedText, setTypedText] = useState(value);
  const report = useDebouncedCallback((text: string) => onChange(text.trim() === "" ? undefined : text), debounceMs);
  // The address also changes by navigation and by clearing the filters.
  useEffect(() => setTypedText(value), [value]);
  return (
    <TextInput
      {...(isSearch
        ? { "aria-label": label, leftSection: <IconSearch size={16} />, type: "search" }
        : { label, size: "xs" })}
      placeholder={placeholder}
      value={typedText}
      maxLength={maxLength}
      onChange={({ currentTarget }) => {
        setTypedText(currentTarget.value);
        report(currentTarget.value);
      }}
      style={isSearch ? { flex: "1 1 240px" } : { flexGrow: 1 }}
    />
  );
}
