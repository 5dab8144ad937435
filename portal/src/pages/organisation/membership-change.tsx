import { Button, Checkbox, Group, List, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import type { components } from "../../api/paths.ts";
import { maskedKey } from "../../display/masked-key.ts";
import { words } from "../../display/words.tsx";
import { type Role, useOrganisationMutation } from "./organisation-query.ts";

type Credentials = components["schemas"]["MemberCredentials"];

/** A change of a membership. */
interface MembershipChange {
  title: string;
  /** The member. */
  userId: number;
  /** The new role; null ends the membership. */
  role: Role | null;
  run: (query: { keep_credentials: boolean }) => Promise<unknown>;
}

/**
 * Changes a membership. If the new role does not allow some of the member's keys, endpoints or invitations, a dialog
 * lists them first. The change then revokes them unless the user chooses to keep them.
 */
export function useMembershipChange(onSuccess?: () => Promise<void>) {
  const [pendingChange, setPendingChange] = useState<{ change: MembershipChange; credentials: Credentials } | null>(
    null,
  );
  const apply = useOrganisationMutation(async ({ change, keeps }: { change: MembershipChange; keeps: boolean }) => {
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
      closeButtonProps={{ "aria-label": t("shell.close") }}
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
      <Text size="sm">{t("settings.memberCouldStillUse")}</Text>
      <List size="sm" style={{ overflowWrap: "anywhere" }}>
        {keys.map((key) => (
          <List.Item key={`key ${key.id}`}>
            {words("settings.theAPIKey", { name: <span dir="auto">{key.name}</span>, key: maskedKey(key) })}
          </List.Item>
        ))}
        {endpoints.map(({ id, url }) => (
          <List.Item key={`endpoint ${id}`}>{t("settings.theWebhookEndpoint", { url })}</List.Item>
        ))}
        {invitations.map(({ id, email }) => (
          <List.Item key={`invitation ${id}`}>{t("settings.theInvitationOf", { email })}</List.Item>
        ))}
      </List>
      <Checkbox
        label={t("settings.revokeThem")}
        description={t("settings.revokeThemHint")}
        checked={revokes}
        onChange={(event) => setRevokes(event.currentTarget.checked)}
      />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onCancel}>
          {t("shell.cancel")}
        </Button>
        <Button color="red" loading={isBusy} onClick={() => onChosen(!revokes)}>
          {change.title}
        </Button>
      </Group>
    </Stack>
  );
}
