import { Anchor, Badge, Stack, Table, Text } from "@mantine/core";
import { IconMusicOff } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { EmptyState } from "../../../display/empty-state.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../../display/page.tsx";
import { ProducerLink } from "../../../display/producer-link.tsx";
import { RelativeTime } from "../../../display/relative-time.tsx";
import { AccountLink } from "../account-link.tsx";
import { type BeatsSearch, withChanges } from "../admin-search.ts";
import { AdminTable } from "../admin-table.tsx";
import { CursorPager, KindTabs, SearchBox } from "../list-controls.tsx";
import { TakedownButton } from "./takedown-button.tsx";

type Beat = components["schemas"]["AdminBeat"];

const route = getRouteApi("/frame/signed-in/operators/admin/beats");

/** Beats of all producers, and takedowns. */
export function AdminBeatsPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const open = (change: Parameters<typeof withChanges<BeatsSearch>>[1]) =>
    void navigate({ to: "/admin/beats", search: withChanges(search, change), resetScroll: false });
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["admin", "beats", search],
    queryFn: () => unwrap(api.GET("/admin/beats", { params: { query: queryOf(search) } })),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Beats"
      lead="Beats of all producers, newest first. A beat that is taken down is on no list and no page, and not for sale."
    >
      <Stack gap="sm">
        <SearchBox
          label="Search beats"
          placeholder="Beat id, title or producer"
          value={search.q}
          onSearch={(q) => open({ q })}
        >
          <KindTabs
            label="Which beats"
            value={search.state}
            choices={{ down: "Taken down", up: "Not taken down" }}
            onChange={(state) => open({ state })}
          />
        </SearchBox>
        {search.producer !== undefined && (
          <Text size="sm" c="dimmed">
            Only those of account {search.producer}.{" "}
            <Anchor component="button" size="sm" onClick={() => open({ producer: undefined })}>
              Show all
            </Anchor>
          </Text>
        )}
        {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
        {isPending && <RowsSkeleton rows={10} height={32} />}
        {data?.beats.length === 0 && (
          <EmptyState icon={IconMusicOff} title="No such beats">
            A beat is found by its id, or a part of its title or its producer's name. Drafts are not found: only their
            producers see them.
          </EmptyState>
        )}
        {data !== undefined && data.beats.length > 0 && (
          <AdminTable label="Beats" head={["Beat", "Title", "Producer", "State", "Orders", "Takedown"]} numbers={[4]}>
            {data.beats.map((beat) => (
              <BeatRow key={beat.id} beat={beat} />
            ))}
          </AdminTable>
        )}
        {data !== undefined && (
          <CursorPager next={data.next} before={search.before} onOpen={(before) => open({ before })} />
        )}
      </Stack>
    </Page>
  );
}

const queryOf = ({ state, ...search }: BeatsSearch) => ({
  ...search,
  ...(state !== undefined && { taken_down: state === "down" }),
});

function BeatRow({ beat }: { beat: Beat }) {
  return (
    <Table.Tr>
      <Table.Td ff="monospace">
        <Anchor inherit href={`/beats/${beat.id}`}>
          {beat.id}
        </Anchor>
      </Table.Td>
      <Table.Td maw={260}>
        <Text size="sm" truncate>
          <bdi>{beat.title}</bdi>
        </Text>
        <LastTakedown beat={beat} />
      </Table.Td>
      <Table.Td maw={220}>
        <ProducerLink id={beat.producer.user_id} name={beat.producer_name} />
        <Text size="xs" c="dimmed" component="div" truncate>
          <AccountLink account={beat.producer} />
        </Text>
      </Table.Td>
      <Table.Td>
        <Badge color={beat.is_taken_down ? "red" : "gray"} variant="light" radius="sm" tt="none" miw="max-content">
          {beat.is_taken_down ? "taken down" : beat.status}
        </Badge>
      </Table.Td>
      <Table.Td ta="right">{beat.orders}</Table.Td>
      <Table.Td>
        <TakedownButton beat={beat} />
      </Table.Td>
    </Table.Tr>
  );
}

/** The newest takedown, if any, with the producer's answer. */
function LastTakedown({ beat: { takedowns } }: { beat: Beat }) {
  const [last] = takedowns;
  if (last === undefined) return null;
  return (
    <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: "anywhere" }}>
      Taken down <RelativeTime at={last.taken_down_at} />
      {last.withdraws_files && " with the files of its buyers"}: {last.reason}
      {last.restored_at !== null && (
        <>
          {" "}
          Restored <RelativeTime at={last.restored_at} />.
        </>
      )}
      {last.answer !== null && (
        <div>
          Its producer answers: <bdi style={{ whiteSpace: "pre-wrap" }}>{last.answer}</bdi>
        </div>
      )}
    </Text>
  );
}
