import { Button, Group, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError, api, unwrap } from "../api/client.ts";
import { t } from "../api/locale.ts";
import { signInWithPasskey, supportsPasskeys } from "../api/passkeys.ts";
import { sessionKey, useAccount } from "../api/session.ts";
import { CodeField } from "../display/code-field.tsx";
import { ErrorAlert } from "../display/error-alert.tsx";

// The dialog is above the pages' dialogs. Escape must close only this one, so the others must not receive the key.
const zIndex = 250;
const keepsEscape = { "data-mantine-stop-propagation": true };

/** Asks the user to authenticate again. `onClose` receives true if the user did. */
export function StepUpDialog({ onClose }: { onClose: (isDone: boolean) => void }) {
  const account = useAccount();
  const client = useQueryClient();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState<string | null>(null);
  const isDemo = account?.is_demo === true;
  const onSuccess = () => {
    void client.invalidateQueries({ queryKey: sessionKey });
    onClose(true);
  };
  const signIn = useMutation({
    mutationFn: () =>
      isDemo
        ? unwrap(api.POST("/auth/demo"))
        : unwrap(
            api.POST("/auth/sign-in", {
              body: { email: account?.email ?? "", password, ...(code !== null && { code }) },
            }),
          ),
    onSuccess,
    onError: (error) => {
      if (error instanceof ApiError && error.wantsCode) setCode("");
    },
  });
  const passkey = useMutation({ mutationFn: () => signInWithPasskey(), onSuccess });
  // The first response only shows that the account has an authenticator, so it is not shown as an error.
  const [isAsked, setIsAsked] = useState(false);
  const error = passkey.error ?? (code !== null && !isAsked ? null : signIn.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsAsked(code !== null);
    passkey.reset();
    signIn.mutate();
  };
  return (
    <Modal
      opened
      onClose={() => onClose(false)}
      title={t("shell.confirmThatItIsYou")}
      zIndex={zIndex}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose(false);
      }}
    >
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>
            {t("shell.recentSignInNeeded")}{" "}
            {isDemo ? t("shell.stepUpDemoHint") : t("shell.stepUpPasswordHint", { email: account?.email ?? "" })}
          </Text>
          {error !== null && <ErrorAlert error={error} />}
          {!isDemo && code !== null && (
            <CodeField
              description={t("shell.stepUpCodeHint")}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
              // This field replaces the focused one.
              autoFocus
              {...keepsEscape}
            />
          )}
          {!isDemo && code === null && (
            <>
              {/* Password managers need the field. */}
              <input type="text" autoComplete="username" value={account?.email ?? ""} readOnly hidden />
              <PasswordInput
                label={t("shell.password")}
                autoComplete="current-password"
                value={password}
                onChange={(event) => setPassword(event.currentTarget.value)}
                required
                data-autofocus
                {...keepsEscape}
              />
            </>
          )}
          <Group justify="flex-end" gap="xs">
            {!isDemo && supportsPasskeys() && (
              <Button
                variant="subtle"
                mr="auto"
                loading={passkey.isPending}
                onClick={() => passkey.mutate()}
                {...keepsEscape}
              >
                {t("shell.useAPasskey")}
              </Button>
            )}
            <Button variant="default" onClick={() => onClose(false)} {...keepsEscape}>
              {t("shell.cancel")}
            </Button>
            <Button
              type="submit"
              loading={signIn.isPending}
              {...(isDemo && { "data-autofocus": true })}
              {...keepsEscape}
            >
              {t("shell.continue")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
