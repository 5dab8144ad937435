import { Anchor, Button, PasswordInput, Stack } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { answered, api } from "../../api/client.ts";
import { ProblemAlert } from "../../display/problem-alert.tsx";
import { Entrance } from "../../shell/entrance.tsx";
import { useEntering } from "./entering.ts";
import { textField } from "./fields.ts";

/** Where the link of a registration's mail leads. */
export function ConfirmPage() {
  const { hash: token } = useLocation();
  const confirm = useEntering((password: string) => answered(api.POST("/auth/confirm", { body: { token, password } })));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    confirm.mutate(textField(new FormData(event.currentTarget), "password"));
  };
  return (
    <Entrance
      title="Confirm your registration"
      lead="Enter the password that you chose when you registered."
      footer={
        <Anchor inherit renderRoot={(its) => <Link to="/register" {...its} />}>
          Register again
        </Anchor>
      }
    >
      {confirm.error !== null && <ProblemAlert error={confirm.error} />}
      <form onSubmit={submit}>
        <Stack gap="sm">
          <PasswordInput name="password" label="Password" autoComplete="current-password" required />
          <Button type="submit" loading={confirm.isPending}>
            Confirm and sign in
          </Button>
        </Stack>
      </form>
    </Entrance>
  );
}
