import { Badge, Button, Group, Skeleton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { lazy, type ReactNode, Suspense } from "react";
import { loadChunk } from "../../../api/load-chunk.ts";
import { type CallSearch, type Change, countFilters } from "../call-search.ts";
import { TextFilter } from "./text-filter.tsx";

const FilterPanel = lazy(async () => ({
  default: (await loadChunk(() => import("./filter-panel.tsx"))).FilterPanel,
}));

interface CallFiltersProps {
  search: CallSearch;
  onChange: (change: Change) => void;
  /** Controls next to the search. */
  children: ReactNode;
}

/** A free-text search, and a button that opens the other filters and shows how many are set. */
export function CallFilters({ search, onChange, children }: CallFiltersProps) {
  const count = countFilters(search);
  const [isOpen, { toggle }] = useDisclosure(count > 0);
  return (
    <div>
      <Group gap="xs">
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
        {children}
      </Group>
      {isOpen && (
        <Suspense fallback={<Skeleton height={130} mt="sm" />}>
          <FilterPanel search={search} count={count} onChange={onChange} />
        </Suspense>
      )}
    </div>
  );
}
