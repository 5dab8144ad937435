import { Alert, Button, Group, Modal, Stack, Table, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { ApiKey } from "../../api/keys.ts";
import type { components } from "../../api/paths.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { useKeyMutation } from "../../display/keys/use-key-mutation.ts";
import { RowsSkeleton } from "../../display/page.tsx";
import { RelativeTime } from "../../display/relative-time.tsx";

interface RevokeKeyProps {
  /** The key; null closes the dialog. */
  apiKey: ApiKey | null;
  onClose: () => void;
}

/** The dialog that revokes a key, with the programs that used it in the last seven days. */
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
    queryFn: () => unwrap(api.GET("/keys/{key_id}/use", { params: { path } })),
  });
  const revoke = useKeyMutation(() => unwrap(api.POST("/keys/{key_id}/revoke", { params: { path } })));
  const confirm = () => revoke.mutate(undefined, { onSuccess: onClose });
  return (
    <Stack>
      {revoke.error !== null && <ErrorAlert error={revoke.error} />}
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        <b dir="auto">{apiKey.name}</b> stops working within a second, permanently. To replace it without an
        interruption, rotate it instead.
      </Text>
      {use.isPending && <RowsSkeleton rows={3} />}
      {use.isError && <ErrorAlert error={use.error} onRetry={() => void use.refetch()} />}
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
        ). The API will refuse these programs:
      </Alert>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section aria-label="Programs that used the key" tabIndex={0} style={{ overflowX: "auto" }}>
        <Table fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Program</Table.Th>
              <Table.Th>From</Table.Th>
              <Table.Th ta="right">Calls</Table.Th>
              <Table.Th>Last</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {use.clients.map(({ client_address, user_agent, calls: clientCalls, last_at }) => (
              <Table.Tr key={`${client_address} ${user_agent}`}>
                <Table.Td style={{ overflowWrap: "anywhere" }} dir="auto">
                  {user_agent || "unnamed"}
                </Table.Td>
                <Table.Td>{client_address}</Table.Td>
                <Table.Td ta="right">{clientCalls.toLocaleString("en")}</Table.Td>
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
          Counted from its latest 20,000 calls.
        </Text>
      )}
    </Stack>
  );
}
