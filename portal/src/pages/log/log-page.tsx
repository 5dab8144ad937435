import { Alert, Button, Group, Loader, Paper, Stack, Switch, Text } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconFilterOff, IconList } from "@tabler/icons-react";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { EmptyState } from "../../display/empty-state.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { ProblemAlert } from "../../display/problem-alert.tsx";
import { CallDrawer } from "./call-drawer.tsx";
import { CallFilters } from "./call-filters.tsx";
import { type CallSearch, filtersOf } from "./call-search.ts";
import { CallTable } from "./call-table.tsx";
import { useCallOfRequest } from "./use-call-of-request.ts";
import { useCalls } from "./use-calls.ts";

type Change = { [Name in keyof CallSearch]?: CallSearch[Name] | undefined };

/** Every call of the account. Filters and the open entry stand in the address. */
export function LogPage() {
  const search = useSearch({ from: "/frame/signed-in/log" });
  const navigate = useNavigate({ from: "/log" });
  const [isLive, setLive] = useLocalStorage({ key: "live-calls", defaultValue: true, getInitialValueInEffect: false });
  const change = (changed: Change, replace = false) =>
    navigate({ search: (known) => ({ ...known, ...changed }) as CallSearch, replace, resetScroll: false });
  const waiting = useCallOfRequest(search.request, (call) => change({ request: undefined, call }, true));
  const list = useCalls(search, isLive);

  return (
    <Page
      title="Request log"
      lead="Every call made with your keys, refused ones too, for 30 days."
      actions={
        <Switch
          label="Live"
          checked={isLive}
          onChange={({ currentTarget }) => setLive(currentTarget.checked)}
          disabled={search.to !== undefined}
        />
      }
    >
      <CallFilters search={search} onChange={(changed) => change(changed, true)} />
      {waiting !== null && (
        <Alert variant="light" icon={<Loader size={16} />} role="status">
          {waiting}
        </Alert>
      )}
      {list.isError && list.data === undefined ? (
        <ProblemAlert error={list.error} onRetry={() => list.refetch()} />
      ) : list.data === undefined ? (
        <RowsSkeleton rows={12} height={30} />
      ) : list.calls.length === 0 && !list.isSearching && !list.hasNextPage ? (
        <NoCalls isFiltered={Object.keys(filtersOf(search)).length > 0} />
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

function NoCalls({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState
      icon={IconFilterOff}
      title="No call passes these filters"
      action={
        <Button variant="default" renderRoot={(its) => <Link to="/log" {...its} />}>
          Show all calls
        </Button>
      }
    >
      Everything that is kept was searched: calls of the last 30 days.
    </EmptyState>
  ) : (
    <EmptyState
      icon={IconList}
      title="No calls yet"
      action={
        <Group gap="xs" justify="center">
          <Button renderRoot={(its) => <Link to="/explorer" {...its} />}>Try a call in the explorer</Button>
          <Button variant="default" renderRoot={(its) => <Link to="/keys" {...its} />}>
            Get an API key
          </Button>
        </Group>
      }
    >
      As soon as one of your keys is used, each call shows here within two seconds, with why it was refused if it was.
    </EmptyState>
  );
}

const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** How far the list goes, and a way on. */
function Progress({ list }: { list: ReturnType<typeof useCalls> }) {
  const { isSearching, hasNextPage, searchedTo, isError, error } = list;
  if (isError) return <ProblemAlert error={error} onRetry={() => list.fetchNextPage()} />;
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
          That is all of them.
        </Text>
      )}
    </Group>
  );
}
