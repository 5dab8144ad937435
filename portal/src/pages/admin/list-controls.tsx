import { Button, Group, SegmentedControl, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";

interface SearchBoxProps {
  label: string;
  placeholder: string;
  value: string | undefined;
  onSearch: (text: string | undefined) => void;
  children?: ReactNode;
}

/** A search field that searches on submit, so that each address has a complete search. `children` are more filters. */
export function SearchBox({ label, placeholder, value = "", onSearch, children }: SearchBoxProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(text.trim() || undefined);
  };
  return (
    <Group gap="xs" component="form" role="search" onSubmit={submit}>
      <TextInput
        aria-label={label}
        placeholder={placeholder}
        leftSection={<IconSearch size={16} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        style={{ flex: "1 1 260px" }}
        maxLength={254}
      />
      <Button type="submit" variant="default">
        Search
      </Button>
      {children}
    </Group>
  );
}

interface TabsProps<Value extends string> {
  label: string;
  value: Value | undefined;
  /** Labels by value. The tabs show them after "All". */
  choices: Readonly<Record<Value, string>>;
  onChange: (value: Value | undefined) => void;
}

/** A choice between all kinds and one kind. */
export function KindTabs<Value extends string>({ label, value, choices, onChange }: TabsProps<Value>) {
  return (
    <SegmentedControl
      aria-label={label}
      size="xs"
      data={[
        { value: "", label: "All" },
        ...Object.entries<string>(choices).map(([name, text]) => ({ value: name, label: text })),
      ]}
      value={value ?? ""}
      onChange={(value) => onChange((value || undefined) as Value | undefined)}
    />
  );
}

interface PagerProps<Cursor> {
  /** The cursor of the next page; null on the last page. */
  next: Cursor | null;
  /** The cursor of this page; undefined on the first page. */
  before: Cursor | undefined;
  onOpen: (before: Cursor | undefined) => void;
  /** The labels of the buttons and the text of the last page; by default for a list that is newest first. */
  labels?: { first: string; next: string; end: string };
}

const newestFirst = { first: "Newest", next: "Older", end: "Nothing older" };

/**
 * Buttons for the newest and older entries. Lists over all accounts use cursors, because numbered pages would shift.
 * Renders nothing for a single page.
 */
export function CursorPager<Cursor>({ next, before, onOpen, labels = newestFirst }: PagerProps<Cursor>) {
  if (next === null && before === undefined) return null;
  return (
    <Group justify="space-between">
      <Button variant="default" size="xs" disabled={before === undefined} onClick={() => onOpen(undefined)}>
        {labels.first}
      </Button>
      <Text size="xs" c="dimmed">
        {next === null ? labels.end : ""}
      </Text>
      <Button variant="default" size="xs" disabled={next === null} onClick={() => next !== null && onOpen(next)}>
        {labels.next}
      </Button>
    </Group>
  );
}
