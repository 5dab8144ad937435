import { Button, Group, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { t } from "../../api/locale.ts";
import { Select } from "../../display/select.tsx";
import { soldBeatsQuery } from "./sales-queries.ts";
import { readSalesSearch, type SalesSearch } from "./sales-search.ts";

interface SalesFiltersProps {
  search: SalesSearch;
  /** Receives the search for the first page. */
  onChange: (search: SalesSearch) => void;
}

/** The filters of the sales: first and last day, and beat. */
export function SalesFilters({ search, onChange }: SalesFiltersProps) {
  const { from, to, beat } = search;
  const beats = useQuery(soldBeatsQuery).data?.beats ?? [];
  const change = (values: { [Name in keyof SalesSearch]?: SalesSearch[Name] | undefined }) => {
    const { page: _, ...filters } = { ...search, ...values };
    onChange(readSalesSearch(filters));
  };
  return (
    <Group gap="xs" align="flex-end">
      <TextInput
        type="date"
        size="xs"
        label={t("sales.fromUTC")}
        value={from ?? ""}
        {...(to !== undefined && { max: to })}
        onChange={({ currentTarget }) => change({ from: currentTarget.value })}
      />
      <TextInput
        type="date"
        size="xs"
        label={t("sales.toInclusiveUTC")}
        value={to ?? ""}
        {...(from !== undefined && { min: from })}
        onChange={({ currentTarget }) => change({ to: currentTarget.value })}
      />
      <Select
        size="xs"
        label={t("sales.beat")}
        placeholder={t("sales.allBeats")}
        data={beats.map(({ id, title }) => ({ value: String(id), label: title }))}
        value={beat === undefined ? null : String(beat)}
        onChange={(value) => change({ beat: value === null ? undefined : Number(value) })}
        clearable
        w={240}
      />
      {(from !== undefined || to !== undefined || beat !== undefined) && (
        <Button size="xs" variant="subtle" color="gray" onClick={() => onChange({})}>
          {t("sales.clearFilters")}
        </Button>
      )}
    </Group>
  );
}
