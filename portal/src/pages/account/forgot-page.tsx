import { Anchor, Button, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { answered, api } from "../../api/client.ts";
import { ProblemAlert } from "../../display/problem-alert.tsx";
import { Entrance } from "../../shell/entrance.tsx";
import { textField } from "./fields.ts";
import { MailSent } from "./mail-sent.tsx";

/** Asking for a link to choose a new password. */
export function ForgotPage() {
  const ask = useMutation({
    mutationFn: (email: string) => answered(api.POST("/auth/request-reset", { body: { email } })),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    ask.mutate(textField(new FormData(event.currentTarget), "email"));
  };
  return (
    <Entrance
      title="Choose a new password"
      lead="We send you a link. It works, too, for an account that an operator made for you."
      footer={
        <Anchor inherit renderRoot={(its) => <Link to="/sign-in" {...its} />}>
          Back to sign-in
        </Anchor>
      }
    >
      {ask.isSuccess ? (
        <MailSent>
          {`If ${ask.variables} has an account here, a mail with a link is on its way. Open it within an hour.`}
        </MailSent>
      ) : (
        <>
          {ask.error !== null && <ProblemAlert error={ask.error} />}
          <form onSubmit={submit}>
            <Stack gap="sm">
              <TextInput name="email" type="email" label="E-mail" autoComplete="username" required />
              <Button type="submit" loading={ask.isPending}>
                Send the link
              </Button>
            </Stack>
          </form>
        </>
      )}
    </Entrance>
  );
}
