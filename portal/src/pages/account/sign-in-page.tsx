import { Anchor, Button, Divider, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { IconFingerprint } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, useRef, useState } from "react";
import { ApiError, api, unwrap } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import { signInWithPasskey, supportsPasskeys } from "../../api/passkeys.ts";
import { sessionQuery } from "../../api/session.ts";
import { CodeField } from "../../display/code-field.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { words } from "../../display/words.tsx";
import { SignedOutPage } from "../../shell/signed-out-page.tsx";
import { textField } from "./fields.ts";
import { useSignIn } from "./use-sign-in.ts";

const route = getRouteApi("/sign-in");

interface Credentials {
  email: string;
  password: string;
  code?: string;
}

/** The sign-in form. In demo mode it has a button that signs in with one click. */
export function SignInPage() {
  const { next } = route.useSearch();
  const { data: session } = useQuery(sessionQuery);
  const [credentials, setCredentials] = useState<Credentials | null>(null);
  const signIn = useSignIn((body: Credentials) => unwrap(api.POST("/auth/sign-in", { body })), next);
  const field = useRef<HTMLInputElement>(null);
  const demo = useSignIn(() => unwrap(api.POST("/auth/demo")), next);
  const passkey = useSignIn(() => signInWithPasskey(), next);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const entered =
      credentials === null
        ? { email: textField(form, "email"), password: textField(form, "password") }
        : { ...credentials, code: textField(form, "code") };
    signIn.mutate(entered, {
      onError: (error) => {
        if (error instanceof ApiError && error.wantsCode) setCredentials(entered);
        field.current?.focus();
        field.current?.select();
      },
    });
  };
  const footer = (
    <>
      {words("entry.newHereCreateAnAccount", {
        link: (text) => (
          <Anchor inherit renderRoot={(props) => <Link to="/register" search={{ next }} {...props} />}>
            {text}
          </Anchor>
        ),
      })}
    </>
  );
  if (credentials !== null)
    return (
      <SignedOutPage title={t("entry.enterTheCode")} lead={t("entry.enterCodeLead")}>
        {credentials.code !== undefined && signIn.error !== null && <ErrorAlert error={signIn.error} />}
        <form onSubmit={submit}>
          <Stack gap="sm">
            <CodeField
              ref={field}
              description={t("entry.codeHint")}
              // This step replaces the one whose field had the focus.
              autoFocus
            />
            <Group justify="space-between" mt={4}>
              <Button variant="subtle" onClick={() => setCredentials(null)}>
                {t("player.back")}
              </Button>
              <Button type="submit" loading={signIn.isPending}>
                {t("shell.signIn")}
              </Button>
            </Group>
          </Stack>
        </form>
      </SignedOutPage>
    );
  const error = signIn.error ?? demo.error ?? passkey.error;
  return (
    <SignedOutPage title={t("shell.signIn")} lead={t("entry.signInLead")} footer={footer}>
      {session?.offers_demo && (
        <>
          <Stack gap="xs">
            <Button loading={demo.isPending} onClick={() => demo.mutate(undefined)}>
              {t("entry.tryDemoAccount")}
            </Button>
            <Text size="xs" c="dimmed" ta="center">
              {t("entry.demoAccountHint")}
            </Text>
          </Stack>
          <Divider label={t("entry.orWithYourOwn")} />
        </>
      )}
      {error !== null && <ErrorAlert error={error} />}
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput name="email" type="email" label={t("entry.eMail")} autoComplete="username" required />
          <PasswordInput
            ref={field}
            name="password"
            label={t("shell.password")}
            autoComplete="current-password"
            required
          />
          <Group justify="space-between" mt={4}>
            <Anchor size="sm" renderRoot={(props) => <Link to="/forgot-password" search={{ next }} {...props} />}>
              {t("entry.forgotThePassword")}
            </Anchor>
            <Button type="submit" variant={session?.offers_demo ? "default" : "filled"} loading={signIn.isPending}>
              {t("shell.signIn")}
            </Button>
          </Group>
        </Stack>
      </form>
      {supportsPasskeys() && (
        <Button
          variant="default"
          leftSection={<IconFingerprint size={16} />}
          loading={passkey.isPending}
          onClick={() => passkey.mutate(undefined)}
        >
          {t("entry.signInWithAPasskey")}
        </Button>
      )}
    </SignedOutPage>
  );
}
