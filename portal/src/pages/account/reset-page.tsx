import { Anchor, Button, PasswordInput, Stack } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { answered, api } from "../../api/client.ts";
import { ProblemAlert } from "../../display/problem-alert.tsx";
import { Entrance } from "../../shell/entrance.tsx";
import { useEntering } from "./entering.ts";
import { passwordRule, textField } from "./fields.ts";

/** Where the link of a mail about a forgotten password leads. */
export function ResetPage() {
  const { hash: token } = useLocation();
  const reset = useEntering((password: string) => answered(api.POST("/auth/reset", { body: { token, password } })));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    reset.mutate(textField(new FormData(event.currentTarget), "password"));
  };
  return (
    <Entrance
      title="Choose a new password"
      lead="Every session of your account ends, and you are signed in here."
      footer={
        <Anchor inherit renderRoot={(its) => <Link to="/forgot-password" {...its} />}>
          Ask for another link
        </Anchor>
      }
    >
      {reset.error !== null && <ProblemAlert error={reset.error} />}
      <form onSubmit={submit}>
        <Stack gap="sm">
          <PasswordInput name="password" label="New password" autoComplete="new-password" {...passwordRule} required />
          <Button type="submit" loading={reset.isPending}>
            Save and sign in
          </Button>
        </Stack>
      </form>
    </Entrance>
  );
}
