import { Anchor, Button, Checkbox, PasswordInput, Stack } from "@mantine/core";
import { getRouteApi, Link, useLocation } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { api, unwrap } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { SignedOutPage } from "../../shell/signed-out-page.tsx";
import { passwordRule, textField } from "./fields.ts";
import { useSignIn } from "./use-sign-in.ts";

const route = getRouteApi("/reset-password");

/** The page of the link in a password reset mail. */
export function ResetPage() {
  const { hash: token } = useLocation();
  const { next } = route.useSearch();
  const reset = useSignIn(
    ({ password, keeps }: { password: string; keeps: boolean }) =>
      unwrap(api.POST("/auth/reset", { body: { token, password, keep_credentials: keeps } })),
    next,
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    reset.mutate({ password: textField(fields, "password"), keeps: fields.get("revoke") === null });
  };
  return (
    <SignedOutPage
      title={t("entry.chooseANewPassword")}
      lead={t("entry.resetPasswordLead")}
      footer={
        <Anchor inherit renderRoot={(props) => <Link to="/forgot-password" search={{ next }} {...props} />}>
          {t("entry.askForAnotherLink")}
        </Anchor>
      }
    >
      {reset.error !== null && <ErrorAlert error={reset.error} />}
      <form onSubmit={submit}>
        <Stack gap="sm">
          <PasswordInput
            name="password"
            label={t("entry.newPassword")}
            autoComplete="new-password"
            {...passwordRule()}
            required
          />
          <Checkbox
            name="revoke"
            defaultChecked
            label={t("entry.revokeFromNewDevice")}
            description={t("entry.revokeNewDeviceHint")}
          />
          <Button type="submit" loading={reset.isPending}>
            {t("entry.saveAndSignIn")}
          </Button>
        </Stack>
      </form>
    </SignedOutPage>
  );
}
