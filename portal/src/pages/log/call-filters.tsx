import { Badge, Button, Collapse, Group, Select, SimpleGrid, TextInput } from "@mantine/core";
import { useDebouncedCallback, useDisclosure } from "@mantine/hooks";
import { IconAdjustmentsHorizontal, IconSearch, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { operations } from "../../../../contract/snippets/operations.ts";
import { loggedKeysQuery } from "../../api/calls.ts";
import { DateTimeInput } from "../../display/date-time-input.tsx";
import { type CallSearch, countFilters, errorCodes, type TimeRange } from "./call-search.ts";

interface CallFiltersProps {
  search: CallSearch;
  onChange: (change: { [Name in keyof CallSearch]?: CallSearch[Name] | undefined }) => void;
}

const debounceMs = 300;

/** A free-text search, and a button that opens the other filters and shows how many are set. */
export function CallFilters({ search, onChange }: CallFiltersProps) {
  const count = countFilters(search);
  const [isOpen, { toggle }] = useDisclosure(count > 0);
  return (
    <div>
      <Group gap="xs" wrap="nowrap">
        <TextFilter
          label="Search calls"
          placeholder="Path, query, error, request id, user agent"
          value={search.text}
          maxLength={200}
          onChange={(text) => onChange({ text })}
          isSearch
        />
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={16} />}
          rightSection={
            count > 0 && (
              <Badge size="sm" circle>
                {count}
              </Badge>
            )
          }
          onClick={toggle}
          aria-expanded={isOpen}
          style={{ flexShrink: 0 }}
        >
          Filters
        </Button>
      </Group>
      <Collapse expanded={isOpen}>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="xs" verticalSpacing="xs" pt="sm">
          <OutcomeFilter search={search} onChange={onChange} />
          <Choice
            label="Error code"
            value={search.code}
            data={[...errorCodes]}
            onChange={(code) => onChange({ code })}
          />
          <KeyFilter search={search} onChange={onChange} />
          <TimeFilter search={search} onChange={onChange} />
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
          {count > 0 && (
            <Button
              variant="subtle"
              color="gray"
              leftSection={<IconX size={14} />}
              style={{ alignSelf: "end" }}
              onClick={() => onChange(noFilters)}
            >
              Clear filters
            </Button>
          )}
        </SimpleGrid>
      </Collapse>
    </div>
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
    onChange={(chosen) => onChange(chosen ?? undefined)}
    searchable
    clearable
    size="xs"
    comboboxProps={{ withinPortal: true }}
  />
);

const statuses = [200, 201, 304, 400, 401, 403, 404, 405, 406, 409, 413, 415, 429, 500, 503];

function OutcomeFilter({ search, onChange }: CallFiltersProps) {
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
      onChange={(value) =>
        onChange(
          value?.endsWith("xx")
            ? { class: value as NonNullable<CallSearch["class"]>, status: undefined }
            : { class: undefined, status: value === undefined ? undefined : Number(value) },
        )
      }
    />
  );
}

function KeyFilter({ search, onChange }: CallFiltersProps) {
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

const timeRangeLabels: Record<TimeRange, string> = {
  "15m": "Last 15 minutes",
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
};

function TimeFilter({ search: { last, from, to }, onChange }: CallFiltersProps) {
  const isBetween = from !== undefined || to !== undefined;
  return (
    <>
      <Choice
        label="Time"
        value={isBetween ? "between" : last}
        data={[
          ...Object.entries(timeRangeLabels).map(([value, label]) => ({ value, label })),
          { value: "between", label: "From … to …" },
        ]}
        onChange={(value) =>
          onChange(
            value === "between"
              ? { last: undefined, from: new Date(Date.now() - 86_400_000).toISOString() }
              : { last: value as TimeRange | undefined, from: undefined, to: undefined },
          )
        }
      />
      {isBetween && (
        <>
          <DateTimeInput
            size="xs"
            hasSeconds
            label="From"
            value={from}
            onChange={(value) => onChange({ from: value })}
          />
          <DateTimeInput size="xs" hasSeconds label="To" value={to} onChange={(value) => onChange({ to: value })} />
        </>
      )}
    </>
  );
}

interface TextFilterProps {
  label: string;
  placeholder: string;
  value: string | undefined;
  maxLength: number;
  onChange: (value: string | undefined) => void;
  /** The main field: with an icon instead of a visible label. */
  isSearch?: boolean;
}

/** A text field that reports its value when typing pauses. */
function TextFilter({ label, placeholder, value = "", maxLength, onChange, isSearch = false }: TextFilterProps) {
  const [typed, setTyped] = useState(value);
  const report = useDebouncedCallback((text: string) => onChange(text.trim() === "" ? undefined : text), debounceMs);
  // The address also changes by navigation and by clearing the filters.
  useEffect(() => setTyped(value), [value]);
  return (
    <TextInput
      {...(isSearch
        ? { "aria-label": label, leftSection: <IconSearch size={16} />, type: "search" }
        : { label, size: "xs" })}
      placeholder={placeholder}
      value={typed}
      maxLength={maxLength}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        report(currentTarget.value);
      }}
      style={{ flexGrow: 1 }}
    />
  );
}
