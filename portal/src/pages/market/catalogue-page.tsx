import { Button, Drawer, Group, NativeSelect, SegmentedControl, Stack, Text, VisuallyHidden } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconAdjustmentsHorizontal, IconLayoutGrid, IconList, IconMusicOff } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { beatsQuery } from "../../api/catalogue.ts";
import { optionsQuery } from "../../api/market.ts";
import { ApiCall } from "../../display/calls/api-call.tsx";
import { EmptyState } from "../../display/empty-state.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { SkipLink } from "../../display/skip-link.tsx";
import classes from "./catalogue.module.css";
import {
  type CatalogueSearch,
  catalogueCall,
  catalogueQuery,
  lastPage,
  pageSize,
  withoutFilters,
} from "./catalogue-search.ts";
import { ActiveFilters } from "./filters/active-filters.tsx";
import { type Change, Filters } from "./filters/filters.tsx";
import { BeatCovers } from "./results/beat-covers.tsx";
import { BeatTable } from "./results/beat-table.tsx";
import { Understood } from "./results/understood.tsx";
import { useResultKeys } from "./results/use-result-keys.ts";
import { SearchBox } from "./search-box.tsx";

const route = getRouteApi("/frame/market");

const sortLabels: Record<NonNullable<CatalogueSearch["sort"]>, string> = {
  newest: "Newest first",
  popular: "Most played first",
  price_asc: "Cheapest first",
  price_desc: "Dearest first",
  bpm_asc: "Slowest first",
  bpm_desc: "Fastest first",
};

/** The catalogue: search, filters and playing, with or without an account. The address contains the whole state. */
export function CataloguePage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const [areFiltersOpen, filters] = useDisclosure();
  const isWide = useMediaQuery("(min-width: 62em)", true, { getInitialValueInEffect: false });
  const currency = useQuery(optionsQuery).data?.currency ?? "USD";
  const results = useInfiniteQuery(beatsQuery((page) => catalogueQuery(search, page), lastPage));
  const pages = results.data?.pages ?? [];
  const [first] = pages;
  // A beat that moved to the next page between two reads is shown once.
  const beats = [...new Map(pages.flatMap((page) => page.beats).map((beat) => [beat.id, beat])).values()];
  const facets = first?.facets ?? {};
  const total = first?.total ?? 0;
  useResultKeys(beats);

  const open = (to: CatalogueSearch, replace = false) =>
    void navigate({ to: "/market", search: to, replace, resetScroll: false });
  const change = (fields: Change, replace = false) => open({ ...search, ...fields } as CatalogueSearch, replace);
  // Further typing replaces the history entry, so that Back undoes the whole search.
  const type = (q: string | undefined) => change({ q, read: undefined }, search.q !== undefined && q !== undefined);
  const choices = <Filters search={search} facets={facets} currency={currency} onChange={(value) => change(value)} />;
  const Beats = search.view === "list" ? BeatTable : BeatCovers;

  return (
    <Page
      title="Catalogue"
      documentTitle={search.q === undefined ? "Catalogue" : `${search.q} · Catalogue`}
      lead="Find a beat, listen to it, and buy a license."
      actions={<ApiCall call={catalogueCall(search)} />}
    >
      <SkipLink to="beats">Skip to the beats</SkipLink>
      <div className={classes.columns}>
        {isWide && (
          <aside className={classes.filters} aria-label="Filters">
            {choices}
          </aside>
        )}
        <Stack gap="md">
          <Group gap="xs">
            <SearchBox q={search.q} onChange={type} />
            {!isWide && (
              <Button variant="default" leftSection={<IconAdjustmentsHorizontal size={16} />} onClick={filters.open}>
                Filters
              </Button>
            )}
            <NativeSelect
              aria-label="Order"
              value={search.sort ?? ""}
              data={[
                { value: "", label: search.q === undefined ? "Most played first" : "Best match first" },
                ...Object.entries(sortLabels)
                  .filter(([value]) => search.q !== undefined || value !== "popular")
                  .map(([value, label]) => ({ value, label })),
              ]}
              onChange={({ currentTarget }) =>
                change({ sort: (currentTarget.value || undefined) as CatalogueSearch["sort"] })
              }
            />
            <SegmentedControl
              aria-label="How beats are shown"
              value={search.view ?? "covers"}
              data={[
                { value: "covers", label: <ViewIcon icon={IconLayoutGrid} name="Covers" /> },
                { value: "list", label: <ViewIcon icon={IconList} name="List" /> },
              ]}
              onChange={(view) => change({ view: view === "list" ? "list" : undefined })}
            />
          </Group>
          <ActiveFilters
            search={search}
            facets={facets}
            currency={currency}
            onChange={(value) => change(value)}
            onClear={(to) => open(to)}
          />
          {first?.interpreted !== undefined && (
            <Understood interpreted={first.interpreted} currency={currency} onWords={() => change({ read: "words" })} />
          )}
          {results.error !== null && beats.length === 0 && (
            <ErrorAlert error={results.error} onRetry={() => void results.refetch()} />
          )}
          {results.isPending && <RowsSkeleton rows={6} height={84} />}
          {first !== undefined && (
            <Text size="sm" c="dimmed" role="status">
              {total === 1 ? "1 beat" : `${total.toLocaleString("en")} beats`}
            </Text>
          )}
          {first !== undefined && total === 0 && (
            <EmptyState
              icon={IconMusicOff}
              title="No beat found"
              action={
                <Button variant="default" onClick={() => open(withoutFilters({ ...search, q: undefined } as object))}>
                  Show all beats
                </Button>
              }
            >
              Take back a filter, or try fewer or other words.
            </EmptyState>
          )}
          {beats.length > 0 && (
            <section
              id="beats"
              tabIndex={-1}
              className={classes.results}
              aria-label="Beats"
              aria-busy={results.isPlaceholderData}
              data-old={results.isPlaceholderData || undefined}
            >
              <Beats beats={beats} currency={currency} />
            </section>
          )}
          {results.isFetchNextPageError && (
            <ErrorAlert error={results.error} onRetry={() => void results.fetchNextPage()} />
          )}
          {results.hasNextPage && (
            <Button
              variant="default"
              mx="auto"
              loading={results.isFetchingNextPage}
              onClick={() => void results.fetchNextPage()}
            >
              Show {Math.min(pageSize, total - beats.length)} more
            </Button>
          )}
          {pages.length === lastPage && total > beats.length && (
            <Text size="sm" c="dimmed" ta="center">
              These are the first {beats.length.toLocaleString("en")}. Filters find the others; programs walk all of
              them with an API key.
            </Text>
          )}
        </Stack>
      </div>
      <Drawer
        opened={areFiltersOpen && !isWide}
        onClose={filters.close}
        title="Filters"
        closeButtonProps={{ "aria-label": "Close the filters" }}
      >
        <Stack>
          {choices}
          <Button onClick={filters.close}>
            {total === 1 ? "Show 1 beat" : `Show ${total.toLocaleString("en")} beats`}
          </Button>
        </Stack>
      </Drawer>
    </Page>
  );
}

const ViewIcon = ({ icon: Icon, name }: { icon: typeof IconList; name: string }) => (
  <>
    <Icon size={16} style={{ display: "block" }} aria-hidden />
    <VisuallyHidden>{name}</VisuallyHidden>
  </>
);
