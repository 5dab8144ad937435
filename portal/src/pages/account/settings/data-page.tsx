import { Alert, Button, Group, List, Modal, Stack, Text, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import { refreshSession, useAccount } from "../../../api/session.ts";
import { fetchWithStepUp } from "../../../api/step-up.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { GuardedForm } from "../../../display/unsaved-work.tsx";
import { AccountSection, notForDemo, Part } from "./account-section.tsx";

/** What the marketplace knows of the account: taken along, or erased. */
export function DataPage() {
  const account = useAccount();
  const [isDeleting, setIsDeleting] = useState(false);
  const take = useMutation({ mutationFn: downloadData });
  if (account === null) return <AccountSection>{null}</AccountSection>;
  if (account.is_demo)
    return (
      <AccountSection>
        <Part id="data" title="Your data">
          <Text size="sm">{notForDemo}</Text>
        </Part>
      </AccountSection>
    );
  return (
    <AccountSection>
      <Part
        id="data"
        title="Your data"
        lead="Everything that belongs to the account as one JSON file: profile, keys without their secrets, webhook endpoints, beats, orders, sessions and the security log."
        actions={
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            loading={take.isPending}
            onClick={() => take.mutate()}
          >
            Download your data
          </Button>
        }
      >
        {take.error !== null && <ErrorAlert error={take.error} />}
        {take.isSuccess && (
          <Text size="sm" role="status">
            The file is saved. You also get a mail about it.
          </Text>
        )}
      </Part>
      <Part
        id="delete"
        title="Delete the account"
        lead="At once and for good. Keys and webhooks stop, beats are taken off sale, and your name goes from orders that have to be kept."
        actions={
          <Button variant="default" c="red" onClick={() => setIsDeleting(true)}>
            Delete the account
          </Button>
        }
      />
      {isDeleting && <DeleteDialog email={account.email} onClose={() => setIsDeleting(false)} />}
    </AccountSection>
  );
}

/** Saves the file as the browser saves downloads. */
async function downloadData(): Promise<void> {
  const request = new Request("/portal/api/account/export", { method: "POST", credentials: "same-origin" });
  const read = async () => {
    const response = await fetchWithStepUp(request);
    return response.ok ? { data: await response.blob(), response } : { error: await response.json(), response };
  };
  const url = URL.createObjectURL(await unwrap(read()));
  const link = document.createElement("a");
  link.href = url;
  link.download = "beat-marketplace-account.json";
  link.click();
  URL.revokeObjectURL(url);
}

function DeleteDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const client = useQueryClient();
  const router = useRouter();
  const [typed, setTyped] = useState("");
  const erase = useMutation({
    mutationFn: () => unwrap(api.POST("/account/erasure", { body: { email: typed } })),
    onSuccess: async () => {
      await refreshSession(client);
      router.history.push("/portal/sign-in");
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    erase.mutate();
  };
  return (
    <Modal opened onClose={onClose} closeButtonProps={{ "aria-label": "Close" }} title="Delete the account for good?">
      <GuardedForm onSubmit={submit} error={erase.error}>
        <Stack>
          {erase.error !== null && <ErrorAlert error={erase.error} />}
          <Alert color="red" variant="light">
            <List size="sm">
              <List.Item>Every API key is revoked, every webhook endpoint deleted, every session ends.</List.Item>
              <List.Item>Your beats are taken off sale; who bought a license keeps it.</List.Item>
              <List.Item>Licenses that you bought stay valid, but you can download their files no more.</List.Item>
            </List>
          </Alert>
          <TextInput
            label={`Type ${email} to confirm`}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            required
            data-autofocus
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" disabled={typed.trim().toLowerCase() !== email} loading={erase.isPending}>
              Delete for good
            </Button>
          </Group>
        </Stack>
      </GuardedForm>
    </Modal>
  );
}
