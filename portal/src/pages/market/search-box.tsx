import { Kbd, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { t } from "../../api/locale.ts";

const debounceMs = 250;

/** The field of the search text, which it reports shortly after the last letter. */
export function SearchBox({ q, onChange }: { q: string | undefined; onChange: (q: string | undefined) => void }) {
  const [typedText, setTypedText] = useState(q ?? "");
  const reported = useRef(q);
  const report = useDebouncedCallback((text: string) => {
    reported.current = text.trim() === "" ? undefined : text;
    onChange(reported.current);
  }, debounceMs);
  // The address also changes by navigation, which overrides a text that was not reported yet.
  useEffect(() => {
    if (q === reported.current) return;
    report.cancel();
    reported.current = q;
    setTypedText(q ?? "");
  }, [q, report]);
  return (
    <search style={{ flex: "1 1 280px" }}>
      <TextInput
        id="catalogue-search"
        type="search"
        aria-label={t("market.searchBeats")}
        aria-keyshortcuts="/"
        placeholder={t("market.searchPlaceholder")}
        leftSection={<IconSearch size={16} />}
        rightSection={
          <Kbd size="xs" visibleFrom="sm">
            /
          </Kbd>
        }
        value={typedText}
        maxLength={200}
        onChange={({ currentTarget }) => {
          setTypedText(currentTarget.value);
          report(currentTarget.value);
        }}
      />
    </search>
  );
}
