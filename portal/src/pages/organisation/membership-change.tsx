import { Button, Checkbox, Group, List, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { components } from "../../api/paths.ts";
import { maskedKey } from "../../display/masked-key.ts";
import { type Role, useChange } from "./organisation-query.ts";

type Credentials = components["schemas"]["MemberCredentials"];

/** A change of a membership, with its member. */
interface MembershipChange {
  title: string;
  userId: number;
  /** Null if the membership ends. */
  role: Role | null;
  run: (query: { keep_credentials: boolean }) => Promise<unknown>;
}

/**
 * Changes a membership. If the member made keys, endpoints or invitations that the new role does not allow, a dialog
 * lists them first. They are revoked with the change unless the owner keeps them. /
 */
export function useMembershipChange(onSuccess?: () => Promise<void>) {
  const [pendingChange, setPendingChange] = useState<{ change: MembershipChange; credentials: Credentials } | null>(
    null,
  );
  const apply = useChange(async ({ change, keeps }: { change: MembershipChange; keeps: boolean }) => {
    await change.run({ keep_credentials: keeps });
    setPendingChange(null);
    await onSuccess?.();
  });
  const look = useMutation({
    mutationFn: async (change: MembershipChange) => {
      const { userId, role } = change;
      const params = { path: { user_id: userId }, query: role === null ? {} : { role } };
      const credentials = await unwrap(api.GET("/organisation/members/{user_id}/credentials", { params }));
      if (Object.values(credentials).flat().length > 0) setPendingChange({ change, credentials });
      else apply.mutate({ change, keeps: false });
    },
  });
  const dialog: ReactNode = (
    <Modal
      opened={pendingChange !== null}
      onClose={() => setPendingChange(null)}
      title={pendingChange?.change.title}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {pendingChange !== null && (
        <Choice
          {...pendingChange}
          isBusy={apply.isPending}
          onCancel={() => setPendingChange(null)}
          onChosen={(keeps) => apply.mutate({ change: pendingChange.change, keeps })}
        />
      )}
    </Modal>
  );
  return { begin: look.mutate, error: look.error ?? apply.error, isBusy: look.isPending || apply.isPending, dialog };
}

interface ChoiceProps {
  change: MembershipChange;
  credentials: Credentials;
  isBusy: boolean;
  onCancel: () => void;
  onChosen: (keeps: boolean) => void;
}

function Choice({ change, credentials, isBusy, onCancel, onChosen }: ChoiceProps) {
  const [revokes, setRevokes] = useState(true);
  const { keys, endpoints, invitations } = credentials;
  return (
    <Stack>
      <Text size="sm">This member made, and could go on to use:</Text>
      <List size="sm" style={{ overflowWrap: "anywhere" }}>
        {keys.map((key) => (
          <List.Item key={`key ${key.id}`}>
            the API key <span dir="auto">{key.name}</span> ({maskedKey(key)})
          </List.Item>
        ))}
        {endpoints.map(({ id, url }) => (
          <List.Item key={`endpoint ${id}`}>the webhook endpoint {url}</List.Item>
        ))}
        {invitations.map(({ id, email }) => (
          <List.Item key={`invitation ${id}`}>the invitation of {email}</List.Item>
        ))}
      </List>
      <Checkbox
        label="Revoke them"
        description="Programs that use the keys stop at once. Endpoints are disabled; what happens is kept for them, as skipped. Rotate the secrets of other endpoints that the member has seen."
        checked={revokes}
        onChange={(event) => setRevokes(event.currentTarget.checked)}
      />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button color="red" loading={isBusy} onClick={() => onChosen(!revokes)}>
          {change.title}
        </Button>
      </Group>
    </Stack>
  );
}
