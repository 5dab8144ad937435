import { Anchor, Button, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { api, unwrap } from "../../api/client.ts";
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
      title="Choose a new password"
      lead="We send you a link. It also works for an account that an operator created for you."
      footer={
        <Anchor inherit renderRoot={(props) => <Link to="/sign-in" search={{ next }} {...props} />}>
          Back to sign-in
        </Anchor>
      }
    >
      {request.isSuccess ? (
        <MailSent>
          {`If ${request.variables} has an account here, a mail with a link is on its way. Open it within an hour. If we mailed one in the last ten minutes, its link still works, and no other is sent.`}
        </MailSent>
      ) : (
        <>
          {request.error !== null && <ErrorAlert error={request.error} />}
          <form onSubmit={submit}>
            <Stack gap="sm">
              <TextInput name="email" type="email" label="E-mail" autoComplete="username" required />
              <Button type="submit" loading={request.isPending}>
                Send the link
              </Button>
            </Stack>
          </form>
        </>
      )}
    </SignedOutPage>
  );
}
