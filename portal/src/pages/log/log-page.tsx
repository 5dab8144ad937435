import { Alert, Button, Group, Loader, Paper, Stack, Switch, Text } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconFilterOff, IconList } from "@tabler/icons-react";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { countSet } from "../../api/search-params.ts";
import { EmptyState } from "../../display/empty-state.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { CallDrawer } from "./call-drawer.tsx";
import { CallFilters } from "./call-filters.tsx";
import { type CallSearch, filtersOf } from "./call-search.ts";
import { CallTable } from "./call-table.tsx";
import { useCallByRequestId } from "./use-call-by-request-id.ts";
import { useCalls } from "./use-calls.ts";

type Change = { [Name in keyof CallSearch]?: CallSearch[Name] | undefined };

/** The account's calls. The address contains the filters and the open entry. */
export function LogPage() {
  const search = useSearch({ from: "/frame/signed-in/log" });
  const navigate = useNavigate({ from: "/log" });
  const [isLive, setLive] = useLocalStorage({ key: "live-calls", defaultValue: true, getInitialValueInEffect: false });
  const change = (changed: Change, replace = false) =>
    navigate({ search: (known) => ({ ...known, ...changed }) as CallSearch, replace, resetScroll: false });
  const searching = useCallByRequestId(search.request, (call) => change({ request: undefined, call }, true));
  const list = useCalls(search, isLive);

  return (
    <Page
      title="Request log"
      lead="Every call made with your keys in the last 30 days, refused ones included."
      actions={
        <Switch
          label={list.isBehind ? "Reconnecting" : "Live"}
          checked={isLive}
          onChange={({ currentTarget }) => setLive(currentTarget.checked)}
          disabled={search.to !== undefined}
        />
      }
    >
      {/* Typing on is one step back. */}
      <CallFilters search={search} onChange={(changed) => change(changed, isTypedOn(search, changed))} />
      {searching !== null && (
        <Alert variant="light" icon={<Loader size={16} />} role="status">
          {searching}
        </Alert>
      )}
      {list.isError && list.data === undefined ? (
        <ErrorAlert error={list.error} onRetry={() => list.refetch()} />
      ) : list.data === undefined ? (
        <RowsSkeleton rows={12} height={30} />
      ) : list.calls.length === 0 && !list.isSearching && !list.hasNextPage ? (
        <NoCalls isFiltered={countSet(filtersOf(search)) > 0} />
      ) : (
        <Stack gap="sm">
          <Paper withBorder style={{ overflow: "hidden" }} aria-busy={list.isPlaceholderData}>
            <CallTable calls={list.calls} openId={search.call} onOpen={(call) => change({ call })} />
          </Paper>
          <Progress list={list} />
        </Stack>
      )}
      <CallDrawer id={search.call} onClose={() => change({ call: undefined })} />
    </Page>
  );
}

/** Whether a text that is there already is changed to another. */
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

const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** How far back the search went, with a button to stop or continue it. */
function Progress({ list }: { list: ReturnType<typeof useCalls> }) {
  const { isSearching, hasNextPage, searchedTo, isError, error } = list;
  if (isError) return <ErrorAlert error={error} onRetry={() => list.fetchNextPage()} />;
  const reached = searchedTo === null ? "" : ` back to ${day.format(new Date(searchedTo))}`;
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
