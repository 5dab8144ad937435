import { Anchor, Button, PasswordInput, Stack } from "@mantine/core";
import { getRouteApi, Link, useLocation } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { api, unwrap } from "../../api/client.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { SignedOutPage } from "../../shell/signed-out-page.tsx";
import { textField } from "./fields.ts";
import { useSignIn } from "./use-sign-in.ts";

const route = getRouteApi("/confirm");

/** The page that the link in a registration mail opens. */
export function ConfirmPage() {
  const { hash: token } = useLocation();
  const { next } = route.useSearch();
  const confirm = useSignIn(
    (password: string) => unwrap(api.POST("/auth/confirm", { body: { token, password } })),
    next,
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    confirm.mutate(textField(new FormData(event.currentTarget), "password"));
  };
  return (
    <SignedOutPage
      title="Confirm your registration"
      lead="Enter the password that you chose when you registered."
      footer={
        <>
          <Anchor inherit renderRoot={(props) => <Link to="/register" search={{ next }} {...props} />}>
            Register again
          </Anchor>
          , or{" "}
          <Anchor inherit renderRoot={(props) => <Link to="/sign-in" search={{ next }} {...props} />}>
            sign in
          </Anchor>
        </>
      }
    >
      {confirm.error !== null && <ErrorAlert error={confirm.error} />}
      <form onSubmit={submit}>
        <Stack gap="sm">
          <PasswordInput name="password" label="Password" autoComplete="current-password" required />
          <Button type="submit" loading={confirm.isPending}>
            Confirm and sign in
          </Button>
        </Stack>
      </form>
    </SignedOutPage>
  );
}
