import { Button, Pagination } from "@mantine/core";
import { IconFileOff } from "@tabler/icons-react";
import { EmptyState } from "./empty-state.tsx";

interface PagerProps {
  page: number;
  lastPage: number;
  /** Undefined is the first page. */
  onOpen: (page: number | undefined) => void;
}

/** Leads to the pages of a list, and back from a page beyond its last one. Nothing where there is one page. */
export function Pager({ page, lastPage, onOpen }: PagerProps) {
  if (page > lastPage)
    return (
      <EmptyState
        icon={IconFileOff}
        title={`There is no page ${page}`}
        action={
          <Button variant="default" onClick={() => onOpen(undefined)}>
            First page
          </Button>
        }
      >
        The last one is page {lastPage}.
      </EmptyState>
    );
  if (lastPage === 1) return null;
  return (
    <Pagination
      total={lastPage}
      value={page}
      onChange={(to) => onOpen(to > 1 ? to : undefined)}
      getControlProps={(control) => ({ "aria-label": `${control} page` })}
    />
  );
}
