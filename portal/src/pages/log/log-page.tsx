import { Alert, Button, Group, Loader, Stack, Switch, Text } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconFilterOff, IconList } from "@tabler/icons-react";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef } from "react";
import { loadChunk } from "../../api/load-chunk.ts";
import { countSet } from "../../api/search-params.ts";
import { EmptyState } from "../../display/empty-state.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { TimeZoneSwitch } from "../../display/time-zone.tsx";
import { CallHistogram } from "./call-histogram.tsx";
import { type CallSearch, type Change, filtersOf } from "./call-search.ts";
import { ExportCalls } from "./export-calls.tsx";
import { CallFilters } from "./filters/call-filters.tsx";
import { CallTable, callLinkId } from "./list/call-table.tsx";
import { useCallByRequestId } from "./list/use-call-by-request-id.ts";
import { useCalls } from "./list/use-calls.ts";
import classes from "./log-page.module.css";
import { useCallKeys } from "./use-call-keys.ts";
import { ViewsMenu } from "./views/views-menu.tsx";

const loadInspector = () => loadChunk(() => import("./inspector/call-inspector.tsx"));
const CallInspector = lazy(async () => ({ default: (await loadInspector()).CallInspector }));

/** The account's calls. The address contains the filters and the open entry. */
export function LogPage() {
  const search = useSearch({ from: "/frame/signed-in/log" });
  const navigate = useNavigate({ from: "/log" });
  const [isLive, setLive] = useLocalStorage({ key: "live-calls", defaultValue: true, getInitialValueInEffect: false });
  const change = (changed: Change, replace = false) =>
    navigate({ search: (previous) => ({ ...previous, ...changed }) as CallSearch, replace, resetScroll: false });
  const lookUpMessage = useCallByRequestId(search.request, (call) => change({ request: undefined, call }, true));
  const list = useCalls(search, isLive);
  const inspection = useInspection(search.call, list, change);
  useEffect(() => {
    // Load the inspector early, so that the first call opens immediately, even during an outage. Ignore a failure:
    // opening a call loads it again and shows the error.
    void loadInspector().catch(() => {});
  }, []);
  const isFiltered = countSet(filtersOf(search)) > 0;
  const isEmpty = list.data !== undefined && list.calls.length === 0 && !list.isSearching && !list.hasNextPage;

  return (
    <div className={classes.page} data-open={search.call !== undefined || undefined}>
      <Page
        title="Request log"
        lead="Every call made with your keys in the last 30 days, refused ones included."
        actions={
          <>
            <TimeZoneSwitch />
            <Switch
              label={list.isBehind ? "Reconnecting" : "Live"}
              checked={isLive}
              onChange={({ currentTarget }) => setLive(currentTarget.checked)}
              disabled={search.to !== undefined}
            />
          </>
        }
      >
        <Stack gap="md" className={classes.tools}>
          {/* Further typing replaces the history entry, so that one step back undoes the whole text. */}
          <CallFilters search={search} onChange={(changed) => change(changed, isTypedOn(search, changed))}>
            <ViewsMenu
              search={search}
              onChoose={(view) =>
                navigate({ search: { ...view, call: search.call } as CallSearch, resetScroll: false })
              }
            />
            <ExportCalls search={search} />
          </CallFilters>
          {(isFiltered || !isEmpty) && <CallHistogram search={search} isLive={isLive} onChange={change} />}
        </Stack>
        {lookUpMessage !== null && (
          <Alert variant="light" icon={<Loader size={16} />} role="status">
            {lookUpMessage}
          </Alert>
        )}
        <div className={classes.split} data-open={search.call !== undefined || undefined}>
          <div className={classes.list} ref={inspection.listRef}>
            {list.isError && list.data === undefined ? (
              <ErrorAlert error={list.error} onRetry={() => list.refetch()} />
            ) : list.data === undefined ? (
              <RowsSkeleton rows={12} height={30} />
            ) : isEmpty ? (
              <NoCalls isFiltered={isFiltered} />
            ) : (
              <Stack gap="sm" aria-busy={list.isPlaceholderData}>
                <CallTable calls={list.calls} openId={search.call} onOpen={inspection.open} />
                <Progress list={list} />
              </Stack>
            )}
          </div>
          {search.call !== undefined && (
            <Suspense fallback={<RowsSkeleton rows={8} />}>
              <CallInspector
                id={search.call}
                headingRef={inspection.headingRef}
                onPrevious={inspection.step(-1)}
                onNext={inspection.step(1)}
                onClose={inspection.close}
              />
            </Suspense>
          )}
        </div>
      </Page>
    </div>
  );
}

/** Opens calls, moves between them, and keeps the focus where the user works: in the list, or in the open call. */
function useInspection(
  openId: number | undefined,
  list: ReturnType<typeof useCalls>,
  change: (changed: Change, replace?: boolean) => unknown,
) {
  const listRef = useRef<HTMLDivElement>(null);
  const headingRef = useRef<HTMLHeadingElement>(null);
  const { calls } = list;
  const focusRow = (id: number) => {
    const link = document.getElementById(callLinkId(id));
    // On a small screen the list is hidden, and its links cannot have the focus.
    if (link?.checkVisibility() !== true) return false;
    link.focus({ preventScroll: true });
    link.scrollIntoView({ block: "nearest" });
    return true;
  };
  const open = (id: number) => {
    focusRow(id);
    change({ call: id });
  };
  const close = () => {
    if (openId === undefined) return;
    change({ call: undefined });
    // Wait for the next frame: on a small screen the hidden list appears only then.
    requestAnimationFrame(() => focusRow(openId) || listRef.current?.querySelector("a")?.focus());
  };
  const neighbour = (step: -1 | 1): number | undefined => {
    const place = calls.findIndex(({ id }) => id === openId);
    return place < 0 ? calls[0]?.id : calls[place + step]?.id;
  };
  const goTo = (id: number) => change({ call: id }, true);
  useCallKeys(
    listRef,
    (step) => {
      const row = document.activeElement?.closest("tr")?.querySelector("a");
      if (openId === undefined && row?.id === undefined) {
        const [first] = calls;
        return first !== undefined && focusRow(first.id);
      }
      if (openId === undefined) {
        const next = calls[calls.findIndex(({ id }) => callLinkId(id) === row?.id) + step];
        return next !== undefined && focusRow(next.id);
      }
      const id = neighbour(step);
      if (id === undefined) {
        if (step === 1 && list.hasNextPage) list.showMore();
        return true;
      }
      const isInList = listRef.current?.contains(document.activeElement) === true;
      if (isInList || document.activeElement === document.body) focusRow(id);
      goTo(id);
      return true;
    },
    close,
  );
  const step = (offset: -1 | 1) => {
    const id = neighbour(offset);
    return id === undefined ? undefined : () => goTo(id);
  };
  return { listRef, headingRef, open, close, step };
}

/** Whether a change replaces a non-empty search text or path with another one. */
const isTypedOn = (search: CallSearch, changed: Change): boolean =>
  (["text", "path"] as const).some((name) => search[name] !== undefined && changed[name] !== undefined);

function NoCalls({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState
      icon={IconFilterOff}
      title="No call matches these filters"
      action={
        <Button variant="default" renderRoot={(props) => <Link to="/log" {...props} />}>
          Show all calls
        </Button>
      }
    >
      The search covered all calls of the last 30 days.
    </EmptyState>
  ) : (
    <EmptyState
      icon={IconList}
      title="No calls yet"
      action={
        <Group gap="xs" justify="center">
          <Button renderRoot={(props) => <Link to="/explorer" {...props} />}>Try a call in the explorer</Button>
          <Button variant="default" renderRoot={(props) => <Link to="/keys" {...props} />}>
            Get an API key
          </Button>
        </Group>
      }
    >
      A call shows here within two seconds. For a refused call, the log gives the reason.
    </EmptyState>
  );
}

const timeFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** The time that the search has reached, with a button to stop or continue the search. */
function Progress({ list }: { list: ReturnType<typeof useCalls> }) {
  const { isSearching, hasNextPage, searchedTo, isError, error } = list;
  if (isError) return <ErrorAlert error={error} onRetry={() => list.fetchNextPage()} />;
  const reached = searchedTo === null ? "" : ` back to ${timeFormat.format(new Date(searchedTo))}`;
  return (
    <Group gap="sm" justify="center" mih={36} role="status">
      {isSearching ? (
        <>
          <Loader size="xs" />
          <Text size="sm">Searched{reached} …</Text>
          <Button size="compact-sm" variant="default" onClick={list.stop}>
            Stop
          </Button>
        </>
      ) : hasNextPage ? (
        <>
          <Text size="sm" c="dimmed">
            Searched{reached}
          </Text>
          <Button size="compact-sm" variant="default" onClick={list.showMore}>
            Show older calls
          </Button>
        </>
      ) : (
        <Text size="sm" c="dimmed">
          No older calls.
        </Text>
      )}
    </Group>
  );
}
