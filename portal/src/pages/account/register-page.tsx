import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { api, unwrap } from "../../api/client.ts";
import { DocumentLink } from "../../display/document-link.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { SignedOutPage } from "../../shell/signed-out-page.tsx";
import { passwordRule, textField } from "./fields.ts";
import { MailSent } from "./mail-sent.tsx";

const route = getRouteApi("/register");

/** Registers an account. The response does not reveal whether the address has one already. */
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
      title="Create an account"
      lead="To buy beats and sell your own, and for API keys, a request log and webhooks."
      footer={
        <>
          Registered already?{" "}
          <Anchor inherit renderRoot={(props) => <Link to="/sign-in" search={{ next }} {...props} />}>
            Sign in
          </Anchor>
        </>
      }
    >
      {register.isSuccess ? (
        <MailSent>
          {`A mail to ${register.variables.email} has a link that confirms your registration. Open it within 24 hours, on any device${next === undefined ? "" : "; it leads back to where you were"}.`}
        </MailSent>
      ) : (
        <>
          {register.error !== null && <ErrorAlert error={register.error} />}
          <form onSubmit={submit}>
            <Stack gap="sm">
              <TextInput name="name" label="Name" autoComplete="name" maxLength={100} required />
              <TextInput name="email" type="email" label="E-mail" autoComplete="username" maxLength={254} required />
              <PasswordInput name="password" label="Password" autoComplete="new-password" {...passwordRule} required />
              <Button type="submit" loading={register.isPending} mt={4}>
                Create account
              </Button>
              <Text size="xs" c="dimmed">
                By creating an account you accept the <DocumentLink href="/terms">Terms</DocumentLink>.{" "}
                <DocumentLink href="/privacy">Privacy</DocumentLink> says what happens to your data.
              </Text>
            </Stack>
          </form>
        </>
      )}
    </SignedOutPage>
  );
}
