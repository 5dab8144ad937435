import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBookmark, IconBookmarkPlus, IconCheck, IconSettings } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useRef } from "react";
import { loadChunk } from "../../../api/load-chunk.ts";
import { Menu, MenuItem, MenuSection } from "../../../display/menu.tsx";
import type { CallSearch } from "../call-search.ts";
import { builtInViews, queryText, sameFilters, searchOf, viewsQuery } from "./saved-views.ts";

const SaveView = lazy(async () => ({ default: (await loadChunk(() => import("./save-view.tsx"))).SaveView }));
const ManageViews = lazy(async () => ({ default: (await loadChunk(() => import("./manage-views.tsx"))).ManageViews }));

interface ViewsMenuProps {
  search: CallSearch;
  onChoose: (search: CallSearch) => void;
}

/** Named filters: built-in filters, and the account's own filters. */
export function ViewsMenu({ search, onChoose }: ViewsMenuProps) {
  const views = useQuery(viewsQuery).data?.views ?? [];
  const [isSaving, saving] = useDisclosure();
  const [isManaging, managing] = useDisclosure();
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    saving.close();
    managing.close();
    button.current?.focus();
  };
  const savedViews = views.map((view) => ({ name: view.name, search: searchOf(view) }));
  const current = [...savedViews, ...builtInViews].find((view) => sameFilters(view.search, search));
  const item = (view: { name: string; search: CallSearch }) => (
    <MenuItem
      key={view.name}
      onClick={() => onChoose(view.search)}
      end={view === current ? <IconCheck size={14} aria-label="shown" /> : null}
    >
      <span dir="auto">{view.name}</span>
    </MenuItem>
  );
  return (
    <>
      <Menu
        width={260}
        buttonRef={button}
        target={(props) => (
          <Button {...props} variant="default" leftSection={<IconBookmark size={16} />}>
            <span dir="auto">{current === undefined ? "Views" : `View: ${current.name}`}</span>
          </Button>
        )}
      >
        {builtInViews.map(item)}
        {savedViews.length > 0 && <MenuSection label="Yours" />}
        {savedViews.map(item)}
        <MenuSection />
        <MenuItem icon={<IconBookmarkPlus size={16} />} onClick={saving.open} disabled={queryText(search) === ""}>
          Save these filters…
        </MenuItem>
        <MenuItem icon={<IconSettings size={16} />} onClick={managing.open} disabled={views.length === 0}>
          Manage views…
        </MenuItem>
      </Menu>
      <Suspense>
        {isSaving && <SaveView query={queryText(search)} onClose={close} />}
        {isManaging && <ManageViews views={views} query={queryText(search)} onClose={close} />}
      </Suspense>
    </>
  );
}
