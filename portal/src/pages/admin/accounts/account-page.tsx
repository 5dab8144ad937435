import { Alert, Anchor, Button, Checkbox, Group, Stack, Table, Text } from "@mantine/core";
import { IconBan } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { durationLabel } from "../../../display/calls/labels.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Facts } from "../../../display/facts.tsx";
import { Page, RowsSkeleton } from "../../../display/page.tsx";
import { RelativeTime } from "../../../display/relative-time.tsx";
import { Section } from "../../../display/section.tsx";
import { Select } from "../../../display/select.tsx";
import { AccountLink } from "../account-link.tsx";
import { AdminTable } from "../admin-table.tsx";
import { ownerReads, ReasonDialog } from "../reason-dialog.tsx";
import { useAdminMutation } from "../use-admin-mutation.ts";
import { AccountBadges } from "./account-badges.tsx";
import { AccountShop } from "./account-shop.tsx";

type Account = components["schemas"]["AdminAccountDetail"];
type Key = components["schemas"]["AdminKey"];

const route = getRouteApi("/frame/signed-in/operators/admin/accounts/$userId");
const plans = ["standard", "plus", "partner", "internal"] as const;

/** One account: its data, its activity, and the operator's actions. */
export function AdminAccountPage() {
  const { userId } = route.useParams();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["admin", "account", userId],
    queryFn: () => unwrap(api.GET("/admin/accounts/{user_id}", { params: { path: { user_id: userId } } })),
  });
  return (
    <Page
      title={data === undefined ? `Account ${userId}` : (data.email ?? data.name)}
      lead={data && <bdi>{data.email === null ? `@${data.username}` : data.name}</bdi>}
      actions={data && <SuspensionButton account={data} />}
    >
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {isPending && <RowsSkeleton rows={8} height={32} />}
      {data !== undefined && <Details account={data} />}
    </Page>
  );
}

function Details({ account }: { account: Account }) {
  const { day } = account;
  return (
    <Stack gap="lg">
      {account.suspension !== null && (
        <Alert color="red" variant="light" icon={<IconBan />} title="This account is suspended">
          {account.suspension.reason} Since <RelativeTime at={account.suspension.at} />. Its keys get 403, nobody can
          sign in to it, and its webhooks wait.
        </Alert>
      )}
      <Group justify="space-between" align="flex-start" gap="xl">
        <div style={{ flex: "1 1 320px" }}>
          <Facts
            rows={[
              [
                "Id",
                <span key="id" style={{ fontFamily: "var(--mantine-font-family-monospace)" }}>
                  {account.id}
                </span>,
              ],
              ["Username", <bdi key="username">{account.username}</bdi>],
              ["Since", <RelativeTime key="since" at={account.created_at} />],
              ["Kind", <Kind key="kind" account={account} />],
            ]}
          />
        </div>
        <div style={{ flex: "1 1 320px" }}>
          <Facts
            rows={[
              ["Calls, 24 hours", day.calls.toLocaleString("en")],
              ["Refused, failed", `${day.refusals.toLocaleString("en")}, ${day.failures.toLocaleString("en")}`],
              ["p95", day.p95_ms === null ? "no calls" : durationLabel(day.p95_ms)],
              [
                "Last call",
                account.last_used_at === null ? "never" : <RelativeTime key="last" at={account.last_used_at} />,
              ],
            ]}
          />
        </div>
      </Group>
      <Group gap="md">
        <MoreLink to="/admin/calls" search={{ account: account.id }}>
          Calls
        </MoreLink>
        <MoreLink to="/admin/orders" search={{ buyer: account.id }}>
          Orders
        </MoreLink>
        <MoreLink to="/admin/beats" search={{ producer: account.id }}>
          Beats
        </MoreLink>
        <MoreLink to="/admin/reports" search={{ producer: account.id }}>
          Reports
        </MoreLink>
        <MoreLink to="/admin/webhooks" search={{ account: account.id }}>
          Endpoints
        </MoreLink>
        <MoreLink to="/admin/audit" search={{ account: account.id }}>
          Audit log
        </MoreLink>
      </Group>
      <AccountShop account={account} />
      {account.members.length > 0 && (
        <Section title="Members">
          <AdminTable label="Members of the organisation" head={["Member", "Name", "Role", "Joined"]} minWidth={520}>
            {account.members.map(({ user_id, email, name, role, joined_at }) => (
              <Table.Tr key={user_id}>
                <Table.Td>
                  <AccountLink account={{ user_id, email, organisation: null }} />
                </Table.Td>
                <Table.Td>
                  <bdi>{name}</bdi>
                </Table.Td>
                <Table.Td>{role}</Table.Td>
                <Table.Td>
                  <RelativeTime at={joined_at} />
                </Table.Td>
              </Table.Tr>
            ))}
          </AdminTable>
        </Section>
      )}
      <Section title="API keys">
        {account.keys.length === 0 ? (
          <Nothing>No keys.</Nothing>
        ) : (
          <AdminTable
            label="Keys and their plans"
            head={["Key", "Plan", "State", "Last call", "Left of its limits", "Change"]}
          >
            {account.keys.map((key) => (
              <KeyRow key={key.id} apiKey={key} />
            ))}
          </AdminTable>
        )}
      </Section>
      <Section title="Sessions">
        {account.sessions.length === 0 ? (
          <Nothing>Nobody is signed in.</Nothing>
        ) : (
          <AdminTable label="Open sessions" head={["Began", "Last used", "Browser"]} minWidth={480}>
            {account.sessions.map((session) => (
              <Table.Tr key={`${session.started_at} ${session.used_at}`}>
                <Table.Td>
                  <RelativeTime at={session.started_at} />
                </Table.Td>
                <Table.Td>
                  <RelativeTime at={session.used_at} />
                </Table.Td>
                <Table.Td style={{ overflowWrap: "anywhere" }}>{session.user_agent || "not known"}</Table.Td>
              </Table.Tr>
            ))}
          </AdminTable>
        )}
      </Section>
    </Stack>
  );
}

function Kind({ account }: { account: Account }) {
  const badges = <AccountBadges account={account} />;
  if (account.suspension !== null || account.operator || account.marketplace) return badges;
  return account.producer ? "Producer" : "Developer";
}

interface MoreLinkProps {
  to: "/admin/beats" | "/admin/reports" | "/admin/calls" | "/admin/orders" | "/admin/webhooks" | "/admin/audit";
  search: object;
  children: ReactNode;
}

const MoreLink = ({ to, search, children }: MoreLinkProps) => (
  <Anchor size="sm" renderRoot={(props) => <Link to={to} search={search as never} {...props} />}>
    {children}
  </Anchor>
);

const Nothing = ({ children }: { children: ReactNode }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
);

/** Suspends an account, or ends its suspension. Renders nothing for an operator. */
function SuspensionButton({ account }: { account: Account }) {
  const [isOpen, setOpen] = useState(false);
  const [takesBeats, setTakesBeats] = useState(true);
  const isSuspended = account.suspension !== null;
  const close = () => setOpen(false);
  const params = { path: { user_id: account.id } };
  const change = useAdminMutation(
    (reason: string) =>
      isSuspended
        ? unwrap(api.POST("/admin/accounts/{user_id}/unsuspend", { params, body: { reason } }))
        : unwrap(api.POST("/admin/accounts/{user_id}/suspend", { params, body: { reason, keep_beats: !takesBeats } })),
    close,
  );
  if (account.operator) return null;
  const label = isSuspended ? "Lift the suspension" : "Suspend";
  return (
    <>
      <Button
        variant={isSuspended ? "default" : "light"}
        {...(!isSuspended && { color: "red" })}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      <ReasonDialog
        title={isSuspended ? "Lift the suspension" : "Suspend the account"}
        opened={isOpen}
        onClose={close}
        reasonHelp={isSuspended ? "For the audit log." : "Its owner reads it, in a mail and in refused calls."}
        confirmLabel={label}
        isDangerous={!isSuspended}
        error={change.error}
        isPending={change.isPending}
        onConfirm={(reason) => change.mutate(reason)}
      >
        {isSuspended ? (
          "Its keys work again within a second, deliveries that waited are sent, and its beats are on sale again. Its owner gets a mail and signs in again."
        ) : (
          <Stack gap="sm">
            <Text size="sm">
              Within a second its keys are refused with 403, every session ends, and its webhooks wait. Its owner gets a
              mail.
            </Text>
            <Checkbox
              label="Take its beats off sale"
              description="Until the suspension ends. Buyers can still download what they bought."
              checked={takesBeats}
              onChange={(event) => setTakesBeats(event.currentTarget.checked)}
            />
          </Stack>
        )}
      </ReasonDialog>
    </>
  );
}

function KeyRow({ apiKey }: { apiKey: Key }) {
  const path = { key_id: apiKey.id };
  const [plan, setPlan] = useState<Key["plan"] | null>(null);
  const [isRevoking, setRevoking] = useState(false);
  const move = useAdminMutation(
    (body: { plan: Key["plan"]; reason: string }) =>
      unwrap(api.POST("/admin/keys/{key_id}/plan", { params: { path }, body })),
    () => setPlan(null),
  );
  const revoke = useAdminMutation(
    (reason: string) => unwrap(api.POST("/admin/keys/{key_id}/revoke", { params: { path }, body: { reason } })),
    () => setRevoking(false),
  );
  return (
    <Table.Tr>
      <Table.Td>
        <bdi>{apiKey.name}</bdi>{" "}
        <Text span size="xs" c="dimmed" ff="monospace">
          …{apiKey.ends_with}
        </Text>
      </Table.Td>
      <Table.Td>
        {apiKey.state === "revoked" ? (
          apiKey.plan
        ) : (
          <Select
            aria-label={`Plan of ${apiKey.name}`}
            size="xs"
            w={120}
            data={plans}
            value={apiKey.plan}
            onChange={(value) => value !== apiKey.plan && setPlan(value as Key["plan"] | null)}
          />
        )}
      </Table.Td>
      <Table.Td>{apiKey.state}</Table.Td>
      <Table.Td>{apiKey.last_used_at === null ? "never" : <RelativeTime at={apiKey.last_used_at} />}</Table.Td>
      <Table.Td ff="monospace" fz="xs" style={{ whiteSpace: "nowrap" }}>
        {apiKey.windows.map((window) => `${window.remaining}/${window.limit} ${window.name}`).join(" · ") ||
          "no limits"}
      </Table.Td>
      <Table.Td ta="right">
        {apiKey.state === "active" && (
          <Button size="compact-xs" variant="subtle" color="red" onClick={() => setRevoking(true)}>
            Revoke
          </Button>
        )}
        <ReasonDialog
          title={`Move ${apiKey.name} to plan ${plan ?? apiKey.plan}`}
          opened={plan !== null}
          onClose={() => setPlan(null)}
          reasonHelp={ownerReads}
          confirmLabel="Change the plan"
          error={move.error}
          isPending={move.isPending}
          onConfirm={(reason) => plan !== null && move.mutate({ plan, reason })}
        >
          Its limits change within a second.
        </ReasonDialog>
        <ReasonDialog
          title={`Revoke ${apiKey.name}`}
          opened={isRevoking}
          onClose={() => setRevoking(false)}
          reasonHelp={ownerReads}
          confirmLabel="Revoke for good"
          isDangerous
          error={revoke.error}
          isPending={revoke.isPending}
          onConfirm={(reason) => revoke.mutate(reason)}
        >
          Within a second every call with it is refused. This cannot be undone.
        </ReasonDialog>
      </Table.Td>
    </Table.Tr>
  );
}
