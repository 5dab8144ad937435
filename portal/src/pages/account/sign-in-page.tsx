import { Anchor, Button, Divider, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, useRef } from "react";
import { api, unwrap } from "../../api/client.ts";
import { sessionQuery } from "../../api/session.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { SignedOutPage } from "../../shell/signed-out-page.tsx";
import { textField } from "./fields.ts";
import { useSignIn } from "./use-sign-in.ts";

const route = getRouteApi("/sign-in");

/** The sign-in form; in demo mode also a sign-in with one click. */
export function SignInPage() {
  const { next } = route.useSearch();
  const { data: session } = useQuery(sessionQuery);
  const signIn = useSignIn(
    (body: { email: string; password: string }) => unwrap(api.POST("/auth/sign-in", { body })),
    next,
  );
  const passwordField = useRef<HTMLInputElement>(null);
  const demo = useSignIn(() => unwrap(api.POST("/auth/demo")), next);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    signIn.mutate(
      { email: textField(form, "email"), password: textField(form, "password") },
      {
        onError: () => {
          passwordField.current?.focus();
          passwordField.current?.select();
        },
      },
    );
  };
  const error = signIn.error ?? demo.error;
  return (
    <SignedOutPage
      title="Sign in"
      lead="API keys, traffic and webhooks of your account."
      footer={
        <>
          New here?{" "}
          <Anchor inherit renderRoot={(props) => <Link to="/register" search={next ? { next } : {}} {...props} />}>
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
      {error !== null && <ErrorAlert error={error} />}
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput name="email" type="email" label="E-mail" autoComplete="username" required />
          <PasswordInput
            ref={passwordField}
            name="password"
            label="Password"
            autoComplete="current-password"
            required
          />
          <Group justify="space-between" mt={4}>
            <Anchor size="sm" renderRoot={(props) => <Link to="/forgot-password" {...props} />}>
              Forgot the password?
            </Anchor>
            <Button type="submit" variant={session?.offers_demo ? "default" : "filled"} loading={signIn.isPending}>
              Sign in
            </Button>
          </Group>
        </Stack>
      </form>
    </SignedOutPage>
  );
}
