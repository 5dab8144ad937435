import { Anchor, Button, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { api, unwrap } from "../../api/client.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { SignedOutPage } from "../../shell/signed-out-page.tsx";
import { passwordRule, textField } from "./fields.ts";

/** The page behind the link that is mailed to the former address after a change of address. */
export function UndoEmailPage() {
  const { hash: token } = useLocation();
  const undo = useMutation({
    mutationFn: (password: string) => unwrap(api.POST("/auth/undo-email", { body: { token, password } })),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    undo.mutate(textField(new FormData(event.currentTarget), "password"));
  };
  if (undo.isSuccess)
    return (
      <SignedOutPage title="The account is yours again">
        <Text size="sm" role="status">
          It has this address and your new password, and every session has ended. Sign in, look at the security log, and
          rotate your API keys.
        </Text>
        <Anchor size="sm" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
          Sign in
        </Anchor>
      </SignedOutPage>
    );
  return (
    <SignedOutPage
      title="Take your account back"
      lead="It gets this address again, and every session ends. Choose a new password: the person who changed the address may know the old one."
    >
      {undo.error !== null && <ErrorAlert error={undo.error} />}
      <form onSubmit={submit}>
        <Stack gap="sm">
          <PasswordInput name="password" label="New password" autoComplete="new-password" {...passwordRule} required />
          <Button type="submit" loading={undo.isPending}>
            Take it back
          </Button>
        </Stack>
      </form>
    </SignedOutPage>
  );
}
