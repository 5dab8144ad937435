import { Anchor, Stack, Table, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { EmptyState } from "../../../display/empty-state.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../../display/page.tsx";
import { RelativeTime } from "../../../display/relative-time.tsx";
import { type AccountsSearch, withChanges } from "../admin-search.ts";
import { AdminTable } from "../admin-table.tsx";
import { CursorPager, KindTabs, SearchBox } from "../list-controls.tsx";
import { AccountBadges } from "./account-badges.tsx";
import { LimitRequests } from "./limit-requests.tsx";

const route = getRouteApi("/frame/signed-in/operators/admin/accounts");

/** The accounts, with a search by address, name, id or key. */
export function AccountsPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const open = (change: Parameters<typeof withChanges<AccountsSearch>>[1]) =>
    void navigate({ to: "/admin/accounts", search: withChanges(search, change), resetScroll: false });
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["admin", "accounts", search],
    queryFn: () => unwrap(api.GET("/admin/accounts", { params: { query: search } })),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title="Accounts" lead="Everyone who has an account, newest first.">
      <Stack gap="sm">
        <LimitRequests />
        <SearchBox
          label="Search accounts"
          placeholder="E-mail, name, id, key or its last four characters"
          value={search.q}
          onSearch={(q) => void withoutKey(q).then((key) => open({ q: key }))}
        >
          <KindTabs
            label="Kind of account"
            value={search.kind}
            choices={{ suspended: "Suspended", operators: "Operators", organisations: "Organisations" }}
            onChange={(kind) => open({ kind })}
          />
        </SearchBox>
        {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
        {isPending && <RowsSkeleton rows={10} height={32} />}
        {data?.accounts.length === 0 && (
          <EmptyState icon={IconUsers} title="No account matches">
            An address and a name are found by their beginning, a key by its last four characters.
          </EmptyState>
        )}
        {data !== undefined && data.accounts.length > 0 && (
          <AdminTable
            label="Accounts"
            head={["Account", "Name", "Id", "Keys", "Last call", "Since", "Status"]}
            numbers={[2, 3]}
          >
            {data.accounts.map((account) => (
              <AccountRow key={account.id} account={account} />
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

/** Replaces a whole API key in the search by its SHA-256, so that the address does not contain the key. */
async function withoutKey(q: string | undefined): Promise<string | undefined> {
  if (q === undefined || !/^bm_(test_[0-9a-z]{16}_)?[0-9A-Za-z]{46}$/.test(q)) return q;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(q));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function AccountRow({ account }: { account: components["schemas"]["AdminAccount"] }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor
          inherit
          fw={600}
          renderRoot={(props) => <Link to="/admin/accounts/$userId" params={{ userId: account.id }} {...props} />}
        >
          {account.email ?? `@${account.username}`}
        </Anchor>
      </Table.Td>
      <Table.Td maw={220}>
        <Text size="sm" truncate>
          <bdi>{account.name}</bdi>
        </Text>
      </Table.Td>
      <Table.Td ta="right" ff="monospace">
        {account.id}
      </Table.Td>
      <Table.Td ta="right">{account.active_keys}</Table.Td>
      <Table.Td>{account.last_used_at === null ? "never" : <RelativeTime at={account.last_used_at} />}</Table.Td>
      <Table.Td>
        <RelativeTime at={account.created_at} />
      </Table.Td>
      <Table.Td>
        <AccountBadges account={account} />
      </Table.Td>
    </Table.Tr>
  );
}
