import { Anchor, Button, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { api, unwrap } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { SignedOutPage } from "../../shell/signed-out-page.tsx";
import { textField } from "./fields.ts";
import { MailSent } from "./mail-sent.tsx";

const route = getRouteApi("/forgot-password");

/** Requests a mail with a password reset link. */
export function ForgotPage() {
  const { next } = route.useSearch();
  const request = useMutation({
    mutationFn: (email: string) =>
      unwrap(api.POST("/auth/request-reset", { body: { email, ...(next !== undefined && { next }) } })),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    request.mutate(textField(new FormData(event.currentTarget), "email"));
  };
  return (
    <SignedOutPage
      title={t("entry.chooseANewPassword")}
      lead={t("entry.forgotPasswordLead")}
      footer={
        <Anchor inherit renderRoot={(props) => <Link to="/sign-in" search={{ next }} {...props} />}>
          {t("entry.backToSignIn")}
        </Anchor>
      }
    >
      {request.isSuccess ? (
        <MailSent>{t("entry.resetMailSent", { email: request.variables })}</MailSent>
      ) : (
        <>
          {request.error !== null && <ErrorAlert error={request.error} />}
          <form onSubmit={submit}>
            <Stack gap="sm">
              <TextInput name="email" type="email" label={t("entry.eMail")} autoComplete="username" required />
              <Button type="submit" loading={request.isPending}>
                {t("entry.sendTheLink")}
              </Button>
            </Stack>
          </form>
        </>
      )}
    </SignedOutPage>
  );
}
