import { Anchor, Button, PasswordInput, Stack } from "@mantine/core";
import { getRouteApi, Link, useLocation } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { api, unwrap } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { words } from "../../display/words.tsx";
import { SignedOutPage } from "../../shell/signed-out-page.tsx";
import { textField } from "./fields.ts";
import { useSignIn } from "./use-sign-in.ts";

const route = getRouteApi("/confirm");

/** The page of the link in a registration mail. */
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
      title={t("entry.confirmYourRegistration")}
      lead={t("entry.confirmRegistrationLead")}
      footer={words("entry.registerAgainOrSignIn", {
        again: (text) => (
          <Anchor inherit renderRoot={(props) => <Link to="/register" search={{ next }} {...props} />}>
            {text}
          </Anchor>
        ),
        signIn: (text) => (
          <Anchor inherit renderRoot={(props) => <Link to="/sign-in" search={{ next }} {...props} />}>
            {text}
          </Anchor>
        ),
      })}
    >
      {confirm.error !== null && <ErrorAlert error={confirm.error} />}
      <form onSubmit={submit}>
        <Stack gap="sm">
          <PasswordInput name="password" label={t("shell.password")} autoComplete="current-password" required />
          <Button type="submit" loading={confirm.isPending}>
            {t("entry.confirmAndSignIn")}
          </Button>
        </Stack>
      </form>
    </SignedOutPage>
  );
}
