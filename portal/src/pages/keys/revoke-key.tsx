import { Alert, Button, Group, Modal, Stack, Table, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { answered, api } from "../../api/client.ts";
import type { components } from "../../api/paths.ts";
import { RowsSkeleton } from "../../display/page.tsx";
import { ProblemAlert } from "../../display/problem-alert.tsx";
import { RelativeTime } from "../../display/relative-time.tsx";
import type { ApiKey } from "./queries.ts";
import { useKeyChange } from "./use-key-change.ts";

interface RevokeKeyProps {
  /** Null: closed. */
  apiKey: ApiKey | null;
  onClose: () => void;
}

/** Stops a key for good, after a look at what would stop with it. */
export function RevokeKey({ apiKey, onClose }: RevokeKeyProps) {
  return (
    <Modal
      opened={apiKey !== null}
      onClose={onClose}
      title="Revoke API key"
      size="lg"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {apiKey !== null && <Revocation apiKey={apiKey} onClose={onClose} />}
    </Modal>
  );
}

function Revocation({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const path = { key_id: apiKey.id };
  const use = useQuery({
    queryKey: ["key-use", apiKey.id],
    queryFn: () => answered(api.GET("/keys/{key_id}/use", { params: { path } })),
  });
  const revoke = useKeyChange(() => answered(api.POST("/keys/{key_id}/revoke", { params: { path } })));
  const confirm = () => revoke.mutate(undefined, { onSuccess: onClose });
  return (
    <Stack>
      {revoke.error !== null && <ProblemAlert error={revoke.error} />}
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        <b dir="auto">{apiKey.name}</b> stops within a second, everywhere and for good. To replace it without a gap,
        rotate it instead.
      </Text>
      {use.isPending && <RowsSkeleton rows={3} />}
      {use.isError && <ProblemAlert error={use.error} onRetry={() => void use.refetch()} />}
      {use.isSuccess && <Use use={use.data} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep it
        </Button>
        <Button color="red" loading={revoke.isPending} disabled={use.isPending} onClick={confirm}>
          Revoke
        </Button>
      </Group>
    </Stack>
  );
}

function Use({ use }: { use: components["schemas"]["KeyUse"] }) {
  const calls = use.operations.reduce((sum, operation) => sum + operation.calls, 0);
  if (calls === 0)
    return (
      <Alert color="teal" variant="light" icon={<IconCircleCheck />}>
        Nothing has used it in the last seven days.
      </Alert>
    );
  return (
    <Stack gap="xs">
      <Alert color="orange" variant="light" icon={<IconAlertTriangle />}>
        {calls.toLocaleString("en")} {calls === 1 ? "call was" : "calls were"} made with it in the last seven days (
        {use.operations
          .slice(0, 3)
          .map(({ operation }) => operation)
          .join(", ")}
        ). These programs will be refused:
      </Alert>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section aria-label="Programs that used the key" tabIndex={0} style={{ overflowX: "auto" }}>
        <Table fz="sm" verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Program</Table.Th>
              <Table.Th>From</Table.Th>
              <Table.Th ta="right">Calls</Table.Th>
              <Table.Th>Last</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {use.clients.map(({ client_address, user_agent, calls: its, last_at }) => (
              <Table.Tr key={`${client_address} ${user_agent}`}>
                <Table.Td style={{ overflowWrap: "anywhere" }} dir="auto">
                  {user_agent || "unnamed"}
                </Table.Td>
                <Table.Td>{client_address}</Table.Td>
                <Table.Td ta="right">{its.toLocaleString("en")}</Table.Td>
                <Table.Td>
                  <RelativeTime at={last_at} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {use.clients_are_partial && (
        <Text size="xs" c="dimmed">
          By its newest 20,000 calls.
        </Text>
      )}
    </Stack>
  );
}
