import { Anchor, Button, PasswordInput, Stack } from "@mantine/core";
import { getRouteApi, Link, useLocation } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { api, unwrap } from "../../api/client.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { SignedOutPage } from "../../shell/signed-out-page.tsx";
import { passwordRule, textField } from "./fields.ts";
import { useSignIn } from "./use-sign-in.ts";

const route = getRouteApi("/reset-password");

/** The page that the link in a password reset mail opens. */
export function ResetPage() {
  const { hash: token } = useLocation();
  const { next } = route.useSearch();
  const reset = useSignIn((password: string) => unwrap(api.POST("/auth/reset", { body: { token, password } })), next);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    reset.mutate(textField(new FormData(event.currentTarget), "password"));
  };
  return (
    <SignedOutPage
      title="Choose a new password"
      lead="Every session of your account ends, and you are signed in here."
      footer={
        <Anchor inherit renderRoot={(props) => <Link to="/forgot-password" search={{ next }} {...props} />}>
          Ask for another link
        </Anchor>
      }
    >
      {reset.error !== null && <ErrorAlert error={reset.error} />}
      <form onSubmit={submit}>
        <Stack gap="sm">
          <PasswordInput name="password" label="New password" autoComplete="new-password" {...passwordRule} required />
          <Button type="submit" loading={reset.isPending}>
            Save and sign in
          </Button>
        </Stack>
      </form>
    </SignedOutPage>
  );
}
