import { Anchor, Button, Divider, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { answered, api } from "../../api/client.ts";
import { sessionQuery } from "../../api/session.ts";
import { ProblemAlert } from "../../display/problem-alert.tsx";
import { Entrance } from "../../shell/entrance.tsx";
import { useEntering } from "./entering.ts";
import { textField } from "./fields.ts";

const route = getRouteApi("/sign-in");

/** Signing in, and in demo mode the way in with one click. */
export function SignInPage() {
  const { next } = route.useSearch();
  const { data: session } = useQuery(sessionQuery);
  const signIn = useEntering(
    (body: { email: string; password: string }) => answered(api.POST("/auth/sign-in", { body })),
    next,
  );
  const demo = useEntering(() => answered(api.POST("/auth/demo")), next);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    signIn.mutate({ email: textField(form, "email"), password: textField(form, "password") });
  };
  const problem = signIn.error ?? demo.error;
  return (
    <Entrance
      title="Sign in"
      lead="API keys, traffic and webhooks of your account."
      footer={
        <>
          New here?{" "}
          <Anchor inherit renderRoot={(its) => <Link to="/register" search={next ? { next } : {}} {...its} />}>
            Create an account
          </Anchor>
        </>
      }
    >
      {session?.offers_demo && (
        <>
          <Stack gap={6}>
            <Button loading={demo.isPending} onClick={() => demo.mutate(undefined)}>
              Try it with the demo account
            </Button>
            <Text size="xs" c="dimmed" ta="center">
              One click, no password. Everyone on this server shares it.
            </Text>
          </Stack>
          <Divider label="or with your own" />
        </>
      )}
      {problem !== null && <ProblemAlert error={problem} />}
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput name="email" type="email" label="E-mail" autoComplete="username" required />
          <PasswordInput name="password" label="Password" autoComplete="current-password" required />
          <Group justify="space-between" mt={4}>
            <Anchor size="sm" renderRoot={(its) => <Link to="/forgot-password" {...its} />}>
              Forgot the password?
            </Anchor>
            <Button type="submit" variant={session?.offers_demo ? "default" : "filled"} loading={signIn.isPending}>
              Sign in
            </Button>
          </Group>
        </Stack>
      </form>
    </Entrance>
  );
}
