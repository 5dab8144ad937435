import { Alert, Box, Button, Code, Group, Modal, SimpleGrid, Stack, Text } from "@mantine/core";
import { IconCheck, IconDeviceMobile } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import { t } from "../../../api/locale.ts";
import type { components } from "../../../api/paths.ts";
import { CodeField } from "../../../display/code-field.tsx";
import { CopyButton } from "../../../display/copy-button.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { CloseDialogButton, GuardedModal } from "../../../display/guarded-modal.tsx";
import { RelativeTime } from "../../../display/relative-time.tsx";
import { GuardedForm } from "../../../display/unsaved-work.tsx";
import { words } from "../../../display/words.tsx";
import { Part } from "./account-section.tsx";
import { ConfirmRemoval } from "./confirm-removal.tsx";
import { type Security, useAccountMutation } from "./security-query.ts";

type Proposal = components["schemas"]["ProposedAuthenticator"];

/** The account's authenticator app and its recovery codes. */
export function AuthenticatorPart({ authenticator }: { authenticator: Security["authenticator"] }) {
  const [dialog, setDialog] = useState<"remove" | "codes" | null>(null);
  const propose = useMutation({ mutationFn: () => unwrap(api.POST("/account/authenticator/proposals")) });
  const close = () => {
    setDialog(null);
    propose.reset();
  };
  return (
    <Part
      id="authenticator"
      title={t("settings.authenticatorApp")}
      lead={t("settings.authenticatorLead")}
      actions={
        authenticator === null ? (
          <Button
            variant="default"
            leftSection={<IconDeviceMobile size={16} />}
            loading={propose.isPending}
            onClick={() => propose.mutate()}
          >
            {t("settings.setUpAnApp")}
          </Button>
        ) : (
          <Group gap="xs">
            <Button variant="default" onClick={() => setDialog("codes")}>
              {t("settings.newRecoveryCodes")}
            </Button>
            <Button variant="default" c="red" onClick={() => setDialog("remove")}>
              {t("settings.remove")}
            </Button>
          </Group>
        )
      }
    >
      {propose.error !== null && <ErrorAlert error={propose.error} />}
      {authenticator !== null && (
        <Text size="sm">
          {words("settings.authenticatorOnSince", {
            addedAt: <RelativeTime at={authenticator.added_at} />,
            recoveryCodesLeft: recoveryCodesLeft(authenticator.recovery_codes_left),
          })}
        </Text>
      )}
      {propose.data !== undefined && <SetUpDialog proposal={propose.data} onClose={close} />}
      {dialog === "remove" && <RemoveDialog onClose={close} />}
      {dialog === "codes" && <RecoveryCodesDialog onClose={close} />}
    </Part>
  );
}

const recoveryCodesLeft = (count: number): string =>
  count === 0 ? t("settings.noRecoveryCodeIsLeft") : t("settings.recoveryCodesLeft", { count });

/** Shows a QR code and recovery codes. A code from the app completes the set-up. */
function SetUpDialog({ proposal, onClose }: { proposal: Proposal; onClose: () => void }) {
  const [code, setCode] = useState("");
  const { secret, recovery_codes, proof } = proposal;
  const add = useAccountMutation(() =>
    unwrap(api.POST("/account/authenticator", { body: { secret, recovery_codes, proof, code } })),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  if (add.isSuccess)
    return (
      <GuardedModal
        opened
        onClose={onClose}
        closeButtonProps={{ "aria-label": t("shell.close") }}
        title={t("settings.theAuthenticatorIsOn")}
      >
        <Stack>
          <Alert color="teal" variant="light" icon={<IconCheck />} role="status">
            {t("settings.authenticatorOnNote")}
          </Alert>
          <RecoveryCodes codes={recovery_codes} />
          <Group justify="flex-end">
            <CloseDialogButton variant="filled" data-autofocus>
              {t("settings.iHaveKeptThem")}
            </CloseDialogButton>
          </Group>
        </Stack>
      </GuardedModal>
    );
  return (
    <GuardedModal
      opened
      onClose={onClose}
      closeButtonProps={{ "aria-label": t("shell.close") }}
      title={t("settings.setUpAnAuthenticatorApp")}
      size="lg"
    >
      <GuardedForm onSubmit={submit} error={add.error}>
        <Stack>
          <Group align="flex-start" gap="lg">
            <QrCode {...proposal.qr} />
            <Stack gap="xs" style={{ flex: "1 1 220px" }}>
              <Text size="sm">{t("settings.scanOrEnterKey")}</Text>
              <Group gap={4} wrap="nowrap">
                <Code data-testid="totp-secret" style={{ overflowWrap: "anywhere" }}>
                  {secret}
                </Code>
                <CopyButton value={secret} label={t("settings.copyTheKey")} />
              </Group>
              <Text size="sm" c="dimmed">
                {t("settings.notOnUntilCode")}
              </Text>
            </Stack>
          </Group>
          {add.error !== null && <ErrorAlert error={add.error} />}
          <CodeField
            description={t("settings.authenticatorCodeHint")}
            inputMode="numeric"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end" gap="xs">
            <CloseDialogButton>{t("shell.cancel")}</CloseDialogButton>
            <Button type="submit" loading={add.isPending}>
              {t("settings.turnItOn")}
            </Button>
          </Group>
        </Stack>
      </GuardedForm>
    </GuardedModal>
  );
}

/** The QR code is dark on white in both colour schemes, because many apps cannot read inverted codes. */
function QrCode({ size, path }: Proposal["qr"]) {
  return (
    <Box bg="white" p={4} style={{ borderRadius: 6, lineHeight: 0 }}>
      <svg
        width={184}
        height={184}
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={t("settings.qrCodeOfTheKey")}
      >
        <path d={path} fill="black" shapeRendering="crispEdges" />
      </svg>
    </Box>
  );
}

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <Stack gap="xs">
      <Text size="sm">{t("settings.keepRecoveryCodes")}</Text>
      <SimpleGrid cols={2} spacing={4} verticalSpacing={4} data-testid="recovery-codes">
        {codes.map((code) => (
          <Code key={code}>{code}</Code>
        ))}
      </SimpleGrid>
      <Group gap={4}>
        <CopyButton value={codes.join("\n")} label={t("settings.copyTheRecoveryCodes")} />
        <Text size="sm" c="dimmed">
          {t("settings.copyAllOfThem")}
        </Text>
      </Group>
    </Stack>
  );
}

function RemoveDialog({ onClose }: { onClose: () => void }) {
  const remove = useAccountMutation(() => unwrap(api.DELETE("/account/authenticator")));
  return (
    <ConfirmRemoval
      title={t("settings.removeAuthenticatorTitle")}
      consequence={t("settings.passwordAloneOpens")}
      action={t("settings.confirmAuthenticatorRemoval")}
      remove={remove}
      onClose={onClose}
    />
  );
}

function RecoveryCodesDialog({ onClose }: { onClose: () => void }) {
  const renew = useAccountMutation(() => unwrap(api.POST("/account/authenticator/recovery-codes")));
  return (
    <Modal
      opened
      onClose={onClose}
      closeButtonProps={{ "aria-label": t("shell.close") }}
      title={t("settings.newRecoveryCodes")}
    >
      <Stack>
        {renew.error !== null && <ErrorAlert error={renew.error} />}
        {renew.data === undefined ? (
          <Text size="sm">{t("settings.presentCodesStopWorking")}</Text>
        ) : (
          <RecoveryCodes codes={renew.data.recovery_codes} />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {renew.isSuccess ? t("settings.iHaveKeptThem") : t("shell.cancel")}
          </Button>
          {!renew.isSuccess && (
            <Button loading={renew.isPending} onClick={() => renew.mutate()} data-autofocus>
              {t("settings.makeNewCodes")}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
