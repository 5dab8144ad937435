import { Button, SimpleGrid } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { operations } from "../../../../../contract/snippets/operations.ts";
import { loggedKeysQuery } from "../../../api/calls.ts";
import { DateTimeInput } from "../../../display/date-time-input.tsx";
import { Select } from "../../../display/select.tsx";
import { type CallSearch, type Change, errorCodes, readMs } from "../call-search.ts";
import { TextFilter } from "./text-filter.tsx";

interface FilterPanelProps {
  search: CallSearch;
  /** The number of filters that are set. */
  count: number;
  onChange: (change: Change) => void;
}

/** All filters except the free text. */
export function FilterPanel({ search, count, onChange }: FilterPanelProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="xs" verticalSpacing="xs" pt="sm">
      <OutcomeFilter search={search} onChange={onChange} />
      <Choice label="Error code" value={search.code} data={[...errorCodes]} onChange={(code) => onChange({ code })} />
      <KeyFilter search={search} onChange={onChange} />
      <DateTimeInput
        size="xs"
        hasSeconds
        label="From"
        value={search.from}
        onChange={(from) => onChange({ from, last: undefined })}
      />
      <DateTimeInput
        size="xs"
        hasSeconds
        label="To"
        value={search.to}
        onChange={(to) => onChange({ to, last: undefined })}
      />
      <Choice
        label="Operation"
        value={search.operation}
        data={[...Object.keys(operations), { value: "none", label: "unknown path" }]}
        onChange={(operation) => onChange({ operation })}
      />
      <Choice
        label="Method"
        value={search.method}
        data={["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]}
        onChange={(method) => onChange({ method })}
      />
      <TextFilter
        label="Path contains"
        placeholder="/v1/beats/7"
        value={search.path}
        maxLength={500}
        onChange={(path) => onChange({ path })}
      />
      <TextFilter
        label="Took at least (ms)"
        placeholder="500"
        value={search.min_ms === undefined ? undefined : String(search.min_ms)}
        maxLength={7}
        onChange={(text) => onChange({ min_ms: text === undefined ? undefined : readMs(text) })}
      />
      {count > 0 && (
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          leftSection={<IconX size={14} />}
          style={{ alignSelf: "end", justifySelf: "start" }}
          onClick={() => onChange(noFilters)}
        >
          Clear filters
        </Button>
      )}
    </SimpleGrid>
  );
}

const noFilters = {
  class: undefined,
  status: undefined,
  code: undefined,
  method: undefined,
  operation: undefined,
  path: undefined,
  key: undefined,
  last: undefined,
  from: undefined,
  to: undefined,
  min_ms: undefined,
};

interface ChoiceProps {
  label: string;
  value: string | undefined;
  data: (string | { value: string; label: string } | { group: string; items: { value: string; label: string }[] })[];
  onChange: (value: string | undefined) => void;
}

const Choice = ({ label, value, data, onChange }: ChoiceProps) => (
  <Select
    label={label}
    placeholder="Any"
    value={value ?? null}
    data={data}
    onChange={(option) => onChange(option ?? undefined)}
    clearable
    size="xs"
  />
);

const statuses = [200, 201, 304, 400, 401, 403, 404, 405, 406, 409, 413, 415, 429, 500, 503];

function OutcomeFilter({ search, onChange }: Pick<FilterPanelProps, "search" | "onChange">) {
  const options =
    search.status === undefined || statuses.includes(search.status) ? statuses : [...statuses, search.status];
  return (
    <Choice
      label="Status"
      value={search.status === undefined ? search.class : String(search.status)}
      data={[
        {
          group: "Class",
          items: [
            { value: "2xx", label: "2xx succeeded" },
            { value: "3xx", label: "3xx not modified" },
            { value: "4xx", label: "4xx refused" },
            { value: "5xx", label: "5xx failed" },
          ],
        },
        { group: "Status", items: options.map((status) => ({ value: String(status), label: String(status) })) },
      ]}
      onChange={(value) => {
        if (value?.endsWith("xx")) onChange({ class: value as NonNullable<CallSearch["class"]>, status: undefined });
        else onChange({ class: undefined, status: value === undefined ? undefined : Number(value) });
      }}
    />
  );
}

function KeyFilter({ search, onChange }: Pick<FilterPanelProps, "search" | "onChange">) {
  const keys = useQuery(loggedKeysQuery).data?.keys ?? [];
  return (
    <Choice
      label="API key"
      value={search.key === undefined ? undefined : String(search.key)}
      data={keys.map(({ id, name, ends_with }) => ({ value: String(id), label: `${name} …${ends_with}` }))}
      onChange={(key) => onChange({ key: key === undefined ? undefined : Number(key) })}
    />
  );
}
