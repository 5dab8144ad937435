import { Button, Group, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../api/client.ts";
import { sessionKey, useAccount } from "../api/session.ts";
import { ErrorAlert } from "../display/error-alert.tsx";

// Above the dialogs of the pages. Escape closes this one alone, so theirs must not see the key.
const zIndex = 250;
const keepsEscape = { "data-mantine-stop-propagation": true };

/** Asks the user to authenticate again. `onClose` says whether they did. */
export function StepUpDialog({ onClose }: { onClose: (isDone: boolean) => void }) {
  const account = useAccount();
  const client = useQueryClient();
  const [password, setPassword] = useState("");
  const isDemo = account?.is_demo === true;
  const signIn = useMutation({
    mutationFn: () =>
      isDemo
        ? unwrap(api.POST("/auth/demo"))
        : unwrap(api.POST("/auth/sign-in", { body: { email: account?.email ?? "", password } })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: sessionKey });
      onClose(true);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <Modal
      opened
      onClose={() => onClose(false)}
      title="Confirm that it is you"
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
            You signed in more than 15 minutes ago.{" "}
            {isDemo
              ? "The demo account needs no password: continue to sign in to it again."
              : `To go on, enter the password of ${account?.email}.`}
          </Text>
          {signIn.error !== null && <ErrorAlert error={signIn.error} />}
          {!isDemo && (
            <>
              {/* For password managers. */}
              <input type="text" autoComplete="username" value={account?.email ?? ""} readOnly hidden />
              <PasswordInput
                label="Password"
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
            <Button variant="default" onClick={() => onClose(false)} {...keepsEscape}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={signIn.isPending}
              {...(isDemo && { "data-autofocus": true })}
              {...keepsEscape}
            >
              Continue
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
