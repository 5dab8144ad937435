import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { api, unwrap } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import { DocumentLink } from "../../display/document-link.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { words } from "../../display/words.tsx";
import { SignedOutPage } from "../../shell/signed-out-page.tsx";
import { passwordRule, textField } from "./fields.ts";
import { MailSent } from "./mail-sent.tsx";

const route = getRouteApi("/register");

/** Registers an account. The response does not reveal whether the address already has an account. */
export function RegisterPage() {
  const { next } = route.useSearch();
  const register = useMutation({
    mutationFn: (body: { name: string; email: string; password: string }) =>
      unwrap(api.POST("/auth/register", { body: { ...body, ...(next !== undefined && { next }) } })),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    register.mutate({
      name: textField(form, "name"),
      email: textField(form, "email"),
      password: textField(form, "password"),
    });
  };
  return (
    <SignedOutPage
      title={t("search.createAnAccount")}
      lead={t("entry.registerLead")}
      footer={words("entry.registeredAlreadySignIn", {
        link: (text) => (
          <Anchor inherit renderRoot={(props) => <Link to="/sign-in" search={{ next }} {...props} />}>
            {text}
          </Anchor>
        ),
      })}
    >
      {register.isSuccess ? (
        <MailSent>
          {t(next === undefined ? "entry.registrationMailSent" : "entry.registrationMailLeadsBack", {
            email: register.variables.email,
          })}
        </MailSent>
      ) : (
        <>
          {register.error !== null && <ErrorAlert error={register.error} />}
          <form onSubmit={submit}>
            <Stack gap="sm">
              <TextInput name="name" label={t("entry.name")} autoComplete="name" maxLength={100} required />
              <TextInput
                name="email"
                type="email"
                label={t("entry.eMail")}
                autoComplete="username"
                maxLength={254}
                required
              />
              <PasswordInput
                name="password"
                label={t("shell.password")}
                autoComplete="new-password"
                {...passwordRule()}
                required
              />
              <Button type="submit" loading={register.isPending} mt={4}>
                {t("entry.createAccount")}
              </Button>
              <Text size="xs" c="dimmed">
                {words("entry.acceptTermsNote", {
                  terms: (text) => <DocumentLink href="/terms">{text}</DocumentLink>,
                  privacy: (text) => <DocumentLink href="/privacy">{text}</DocumentLink>,
                })}
              </Text>
            </Stack>
          </form>
        </>
      )}
    </SignedOutPage>
  );
}
