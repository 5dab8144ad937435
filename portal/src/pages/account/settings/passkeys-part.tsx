import { ActionIcon, Button, Group, Stack, Table, Text, TextInput, VisuallyHidden } from "@mantine/core";
import { IconFingerprint, IconPencil, IconTrash } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import { t } from "../../../api/locale.ts";
import { createPasskey, supportsPasskeys } from "../../../api/passkeys.ts";
import { useAccount } from "../../../api/session.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { CloseDialogButton, GuardedModal } from "../../../display/guarded-modal.tsx";
import { RelativeTime } from "../../../display/relative-time.tsx";
import { GuardedForm } from "../../../display/unsaved-work.tsx";
import { Part } from "./account-section.tsx";
import { ConfirmRemoval } from "./confirm-removal.tsx";
import { type Security, useAccountMutation } from "./security-query.ts";

type Passkey = Security["passkeys"][number];

/** The list of the account's passkeys, with controls to add, rename and remove them. */
export function PasskeysPart({ passkeys }: { passkeys: readonly Passkey[] }) {
  const [open, setOpen] = useState<"new" | Passkey | null>(null);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const canAdd = supportsPasskeys();
  return (
    <Part
      id="passkeys"
      title={t("settings.passkeys")}
      lead={t("settings.passkeysLead")}
      actions={
        canAdd && (
          <Button variant="default" leftSection={<IconFingerprint size={16} />} onClick={() => setOpen("new")}>
            {t("settings.addAPasskey")}
          </Button>
        )
      }
    >
      {!canAdd && <Text size="sm">{t("settings.thisBrowserHasNoPasskeys")}</Text>}
      {passkeys.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        <section aria-label={t("settings.yourPasskeys")} tabIndex={0} style={{ overflowX: "auto" }}>
          <Table miw={520}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("settings.name")}</Table.Th>
                <Table.Th>{t("settings.added")}</Table.Th>
                <Table.Th>{t("settings.lastUsed")}</Table.Th>
                <Table.Th pos="relative">
                  <VisuallyHidden>{t("settings.actions")}</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {passkeys.map((passkey) => (
                <Table.Tr key={passkey.id}>
                  <Table.Td dir="auto" style={{ overflowWrap: "anywhere" }}>
                    {passkey.name}
                    {passkey.is_synced && (
                      <Text span size="xs" c="dimmed" ml="xs">
                        {t("settings.synced")}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td>
                    <RelativeTime at={passkey.added_at} />
                  </Table.Td>
                  <Table.Td>
                    {passkey.last_used_at === null ? t("settings.never") : <RelativeTime at={passkey.last_used_at} />}
                  </Table.Td>
                  <Table.Td>
                    <Group gap={4} justify="flex-end" wrap="nowrap">
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={t("settings.renameNamedPasskey", { name: passkey.name })}
                        title={t("settings.renameButton")}
                        onClick={() => setOpen(passkey)}
                      >
                        <IconPencil size={16} />
                      </ActionIcon>
                      <ActionIcon
                        variant="subtle"
                        color="red"
                        aria-label={t("settings.removePasskey", { name: passkey.name })}
                        title={t("settings.remove")}
                        onClick={() => setRemoving(passkey)}
                      >
                        <IconTrash size={16} />
                      </ActionIcon>
                    </Group>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
      {open !== null && <NameDialog passkey={open === "new" ? null : open} onClose={() => setOpen(null)} />}
      {removing !== null && <RemoveDialog passkey={removing} onClose={() => setRemoving(null)} />}
    </Part>
  );
}

/** The dialog that names and creates a passkey, or renames one. */
function NameDialog({ passkey, onClose }: { passkey: Passkey | null; onClose: () => void }) {
  const account = useAccount();
  const [name, setName] = useState(passkey?.name ?? "");
  const save = useAccountMutation(() =>
    passkey === null
      ? createPasskey(name, { email: account?.email ?? "", name: account?.name ?? "" })
      : unwrap(
          api.PATCH("/account/passkeys/{passkey_id}", {
            params: { path: { passkey_id: passkey.id } },
            body: { name },
          }),
        ),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <GuardedModal
      opened
      onClose={onClose}
      closeButtonProps={{ "aria-label": t("shell.close") }}
      title={passkey === null ? t("settings.addAPasskey") : t("settings.renameThePasskey")}
    >
      <GuardedForm onSubmit={submit} error={save.error}>
        <Stack>
          {save.error !== null && <ErrorAlert error={save.error} />}
          <TextInput
            label={t("settings.name")}
            description={t("settings.passkeyNameHint")}
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            data-autofocus
          />
          <Group justify="flex-end" gap="xs">
            <CloseDialogButton>{t("shell.cancel")}</CloseDialogButton>
            <Button type="submit" loading={save.isPending}>
              {passkey === null ? t("settings.makeThePasskey") : t("settings.renameButton")}
            </Button>
          </Group>
        </Stack>
      </GuardedForm>
    </GuardedModal>
  );
}

function RemoveDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const remove = useAccountMutation(() =>
    unwrap(api.DELETE("/account/passkeys/{passkey_id}", { params: { path: { passkey_id: passkey.id } } })),
  );
  return (
    <ConfirmRemoval
      title={t("settings.removePasskeyQuestion", { name: passkey.name })}
      consequence={t("settings.passkeyOpensNoMore")}
      action={t("settings.removeThePasskey")}
      remove={remove}
      onClose={onClose}
    />
  );
}
