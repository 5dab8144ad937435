import { Group, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { optionsQuery } from "../../api/market.ts";
import type { MarketSearch } from "./market-search.ts";

interface MarketFiltersProps {
  search: MarketSearch;
  /**
   * Receives the search for the first page. An open beat stays open: what was typed is reported a moment later, when
   * somebody may have opened one.
   */
  onChange: (search: MarketSearch) => void;
}

const debounceMs = 300;

const sortLabels: Record<NonNullable<MarketSearch["sort"]>, string> = {
  newest: "Newest first",
  popular: "Most played first",
  price_asc: "Cheapest first",
  price_desc: "Dearest first",
};

/** Words, genre and order of the beats. */
export function MarketFilters({ search, onChange }: MarketFiltersProps) {
  const { q, genre, sort } = search;
  const [typed, setTyped] = useState(q ?? "");
  const genres = useQuery(optionsQuery).data?.genres ?? [];
  const change = (its: { [Name in keyof MarketSearch]?: MarketSearch[Name] | undefined }) => {
    const { page: _, ...rest } = { ...search, ...its };
    onChange(Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)));
  };
  const report = useDebouncedCallback(
    (text: string) => change({ q: text.trim() === "" ? undefined : text }),
    debounceMs,
  );
  // The address also changes by navigation.
  useEffect(() => setTyped(q ?? ""), [q]);
  return (
    <Group gap="xs" role="search">
      <TextInput
        type="search"
        aria-label="Search beats"
        placeholder="Title, producer, mood, “140 bpm”, “a minor”"
        leftSection={<IconSearch size={16} />}
        value={typed}
        maxLength={200}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          report(currentTarget.value);
        }}
        flex="1 1 260px"
      />
      <Select
        aria-label="Genre"
        placeholder="Any genre"
        data={genres.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={genre === undefined ? null : String(genre)}
        onChange={(value) => change({ genre: value === null ? undefined : Number(value) })}
        searchable
        clearable
        w={180}
      />
      <Select
        aria-label="Order"
        placeholder={q === undefined ? "Newest first" : "Best match first"}
        data={Object.entries(sortLabels).map(([value, label]) => ({ value, label }))}
        value={sort ?? null}
        onChange={(value) => change({ sort: (value ?? undefined) as MarketSearch["sort"] })}
        clearable
        w={180}
      />
    </Group>
  );
}
