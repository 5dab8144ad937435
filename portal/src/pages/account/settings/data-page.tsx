import { Alert, Button, Group, List, Stack, Text, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import { t } from "../../../api/locale.ts";
import { refreshSession, useAccount } from "../../../api/session.ts";
import { fetchWithStepUp } from "../../../api/step-up.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { CloseDialogButton, GuardedModal } from "../../../display/guarded-modal.tsx";
import { GuardedForm } from "../../../display/unsaved-work.tsx";
import { AccountSection, notForDemo, Part } from "./account-section.tsx";

/** Controls that download the account's data or delete the account. */
export function DataPage() {
  const account = useAccount();
  const [isDeleting, setIsDeleting] = useState(false);
  const download = useMutation({ mutationFn: downloadData });
  if (account === null) return <AccountSection>{null}</AccountSection>;
  if (account.is_demo)
    return (
      <AccountSection>
        <Part id="data" title={t("settings.yourData")}>
          <Text size="sm">{notForDemo()}</Text>
        </Part>
      </AccountSection>
    );
  return (
    <AccountSection>
      <Part
        id="data"
        title={t("settings.yourData")}
        lead={t("settings.yourDataLead")}
        actions={
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            loading={download.isPending}
            onClick={() => download.mutate()}
          >
            {t("settings.downloadYourData")}
          </Button>
        }
      >
        {download.error !== null && <ErrorAlert error={download.error} />}
        {download.isSuccess && (
          <Text size="sm" role="status">
            {t("settings.dataFileSaved")}
          </Text>
        )}
      </Part>
      <Part
        id="delete"
        title={t("settings.deleteTheAccount")}
        lead={t("settings.deleteAccountLead")}
        actions={
          <Button variant="default" c="red" onClick={() => setIsDeleting(true)}>
            {t("settings.deleteTheAccount")}
          </Button>
        }
      />
      {isDeleting && <DeleteDialog email={account.email} onClose={() => setIsDeleting(false)} />}
    </AccountSection>
  );
}

/** Downloads the account's data as a file. */
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
  const [typedText, setTypedText] = useState("");
  const erase = useMutation({
    mutationFn: () => unwrap(api.POST("/account/erasure", { body: { email: typedText } })),
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
    <GuardedModal
      opened
      onClose={onClose}
      closeButtonProps={{ "aria-label": t("shell.close") }}
      title={t("settings.deleteTheAccountForGood")}
    >
      <GuardedForm onSubmit={submit} error={erase.error}>
        <Stack>
          {erase.error !== null && <ErrorAlert error={erase.error} />}
          <Alert color="red" variant="light">
            <List size="sm">
              <List.Item>{t("settings.deletionRevokesAccess")}</List.Item>
              <List.Item>{t("settings.deletionEndsSale")}</List.Item>
              <List.Item>{t("settings.deletionEndsDownloads")}</List.Item>
            </List>
          </Alert>
          <TextInput
            label={t("settings.typeToConfirm", { email })}
            autoComplete="off"
            spellCheck={false}
            value={typedText}
            onChange={(event) => setTypedText(event.currentTarget.value)}
            required
            data-autofocus
          />
          <Group justify="flex-end" gap="xs">
            <CloseDialogButton>{t("shell.cancel")}</CloseDialogButton>
            <Button
              type="submit"
              color="red"
              disabled={typedText.trim().toLowerCase() !== email}
              loading={erase.isPending}
            >
              {t("settings.deleteForGood")}
            </Button>
          </Group>
        </Stack>
      </GuardedForm>
    </GuardedModal>
  );
}
