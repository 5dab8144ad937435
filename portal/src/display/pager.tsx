import { Button, Pagination } from "@mantine/core";
import { IconFileOff } from "@tabler/icons-react";
import { t } from "../api/locale.ts";
import { EmptyState } from "./empty-state.tsx";

interface PagerProps {
  page: number;
  lastPage: number;
  /** Receives the page number, or undefined for the first page. */
  onOpen: (page: number | undefined) => void;
}

/**
 * Links to the pages of a list. If `page` is beyond the last one, a button for the first page. Renders nothing for a
 * single page.
 */
export function Pager({ page, lastPage, onOpen }: PagerProps) {
  if (page > lastPage)
    return (
      <EmptyState
        icon={IconFileOff}
        title={t("ui.missingPageTitle", { page: String(page) })}
        action={
          <Button variant="default" onClick={() => onOpen(undefined)}>
            {t("ui.firstPage")}
          </Button>
        }
      >
        {t("ui.missingPageHint", { lastPage: String(lastPage) })}
      </EmptyState>
    );
  if (lastPage === 1) return null;
  return (
    <Pagination
      total={lastPage}
      value={page}
      onChange={(to) => onOpen(to > 1 ? to : undefined)}
      getControlProps={(control) => ({ "aria-label": control === "next" ? t("ui.nextPage") : t("ui.previousPage") })}
    />
  );
}
