import { Badge, Button, Collapse, Group, Select, SimpleGrid, TextInput } from "@mantine/core";
import { useDebouncedCallback, useDisclosure } from "@mantine/hooks";
import { IconAdjustmentsHorizontal, IconSearch, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { operations } from "../../../../contract/snippets/operations.ts";
import { answered, api } from "../../api/client.ts";
import { type CallSearch, countFilters, errorCodes, type LookBack } from "./call-search.ts";

interface CallFiltersProps {
  search: CallSearch;
  onChange: (change: { [Name in keyof CallSearch]?: CallSearch[Name] | undefined }) => void;
}

const typingPauseMs = 300;

/** What is looked for: free text in front, the rest behind a button that says how many filters there are. */
export function CallFilters({ search, onChange }: CallFiltersProps) {
  const count = countFilters(search);
  const [isOpen, { toggle }] = useDisclosure(count > 0);
  return (
    <div>
      <Group gap="xs" wrap="nowrap">
        <TypedFilter
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
            data={[...Object.keys(operations), { value: "none", label: "none of ours" }]}
            onChange={(operation) => onChange({ operation })}
          />
          <Choice
            label="Method"
            value={search.method}
            data={["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]}
            onChange={(method) => onChange({ method })}
          />
          <TypedFilter
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
              onClick={() => onChange(nothing)}
            >
              Clear filters
            </Button>
          )}
        </SimpleGrid>
      </Collapse>
    </div>
  );
}

const nothing = {
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
  const known =
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
        { group: "Status", items: known.map((status) => ({ value: String(status), label: String(status) })) },
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

/** The account's keys, newest first, those that are gone too. */
export const callKeysQuery = {
  queryKey: ["call keys"],
  queryFn: () => answered(api.GET("/calls/keys")),
  staleTime: 60_000,
};

function KeyFilter({ search, onChange }: CallFiltersProps) {
  const keys = useQuery(callKeysQuery).data?.keys ?? [];
  return (
    <Choice
      label="API key"
      value={search.key === undefined ? undefined : String(search.key)}
      data={keys.map(({ id, name, ends_with }) => ({ value: String(id), label: `${name} …${ends_with}` }))}
      onChange={(key) => onChange({ key: key === undefined ? undefined : Number(key) })}
    />
  );
}

const lookBackLabels: Record<LookBack, string> = {
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
          ...Object.entries(lookBackLabels).map(([value, label]) => ({ value, label })),
          { value: "between", label: "From … to …" },
        ]}
        onChange={(value) =>
          onChange(
            value === "between"
              ? { last: undefined, from: new Date(Date.now() - 86_400_000).toISOString() }
              : { last: value as LookBack | undefined, from: undefined, to: undefined },
          )
        }
      />
      {isBetween && (
        <>
          <MomentInput label="From" value={from} onChange={(value) => onChange({ from: value })} />
          <MomentInput label="To" value={to} onChange={(value) => onChange({ to: value })} />
        </>
      )}
    </>
  );
}

interface MomentInputProps {
  label: string;
  /** ISO 8601. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A moment in the reader's own time. */
const MomentInput = ({ label, value, onChange }: MomentInputProps) => (
  <TextInput
    type="datetime-local"
    step={1}
    size="xs"
    label={label}
    value={value === undefined ? "" : localMoment(new Date(value))}
    onChange={({ currentTarget }) =>
      onChange(currentTarget.value === "" ? undefined : new Date(currentTarget.value).toISOString())
    }
  />
);

const localMoment = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);

interface TypedFilterProps {
  label: string;
  placeholder: string;
  value: string | undefined;
  maxLength: number;
  onChange: (value: string | undefined) => void;
  /** The main field: no label above it, a glass within. */
  isSearch?: boolean;
}

/** A text that counts once typing pauses. */
function TypedFilter({ label, placeholder, value = "", maxLength, onChange, isSearch = false }: TypedFilterProps) {
  const [typed, setTyped] = useState(value);
  const settle = useDebouncedCallback((text: string) => onChange(text.trim() === "" ? undefined : text), typingPauseMs);
  // The address may change by other ways than this field: back, a link, a cleared filter.
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
        settle(currentTarget.value);
      }}
      style={{ flexGrow: 1 }}
    />
  );
}
