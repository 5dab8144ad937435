import { Button, Loader, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { ApiError, api, unwrap } from "../../api/client.ts";
import { isConnectionLost } from "../../api/connection.ts";
import type { components } from "../../api/paths.ts";
import { type Account, useAccount } from "../../api/session.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { SignedOutPage } from "../../shell/signed-out-page.tsx";
import { passwordRule, textField } from "./fields.ts";
import { useSignIn } from "./use-sign-in.ts";

type Offer = components["schemas"]["InvitationOffer"];

/** The page that the link of an invitation opens: who has its mailbox joins, with an account or by making one. */
export function JoinPage() {
  const { hash: token } = useLocation();
  const account = useAccount();
  const offer = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => unwrap(api.POST("/invitations/find", { body: { token } })),
    retry: isConnectionLost,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <SignedOutPage title="Join an organisation">
      {offer.error !== null && <ErrorAlert error={offer.error} />}
      {offer.isPending && <Loader size="sm" aria-label="Loading" />}
      {offer.isSuccess && (
        <>
          <Text size="sm">
            <strong dir="auto">{offer.data.organisation}</strong> invites <strong>{offer.data.email}</strong> as{" "}
            {offer.data.role}.
          </Text>
          <Next offer={offer.data} token={token} account={account} />
        </>
      )}
    </SignedOutPage>
  );
}

const ended: Record<Exclude<Offer["state"], "open">, string> = {
  expired: "The invitation has expired. Ask an owner of the organisation to send it again.",
  revoked: "An owner of the organisation revoked the invitation. Ask them for another one.",
  accepted: "The invitation was accepted already. Sign in, and choose the organisation in the account menu.",
};

function Next({ offer, token, account }: { offer: Offer; token: string; account: Account | null }) {
  if (offer.state !== "open") return <Text size="sm">{ended[offer.state]}</Text>;
  if (account !== null && account.email === offer.email) return <Accept token={token} />;
  if (account !== null)
    return (
      <>
        <Text size="sm">
          You are signed in as {account.email}. Sign in to the account of {offer.email} instead, or ask an owner to
          invite {account.email}.
        </Text>
        {offer.has_account ? <SignIn offer={offer} token={token} /> : <Register offer={offer} token={token} />}
      </>
    );
  return offer.has_account ? <SignIn offer={offer} token={token} /> : <Register offer={offer} token={token} />;
}

const accept = (token: string) => unwrap(api.POST("/invitations/accept", { body: { token } }));

function Accept({ token }: { token: string }) {
  const join = useSignIn(() => accept(token));
  return (
    <>
      {join.error !== null && <ErrorAlert error={join.error} />}
      <Button loading={join.isPending} onClick={() => join.mutate(undefined)}>
        Join
      </Button>
    </>
  );
}

/** For a mailbox that has an account. */
function SignIn({ offer, token }: { offer: Offer; token: string }) {
  const join = useSignIn(async (form: FormData) => {
    const code = textField(form, "code");
    const body = { email: offer.email, password: textField(form, "password"), ...(code !== "" && { code }) };
    await unwrap(api.POST("/auth/sign-in", { body }));
    await accept(token);
  });
  const wantsCode = join.error instanceof ApiError && join.error.wantsCode;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    join.mutate(new FormData(event.currentTarget));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {join.error !== null && <ErrorAlert error={join.error} />}
        <TextInput label="E-mail" value={offer.email} readOnly autoComplete="username" />
        <PasswordInput name="password" label="Password" autoComplete="current-password" required />
        {wantsCode && <TextInput name="code" label="Code of the authenticator" autoComplete="one-time-code" required />}
        <Button type="submit" loading={join.isPending}>
          Sign in and join
        </Button>
      </Stack>
    </form>
  );
}

/** For a mailbox without an account. */
function Register({ offer, token }: { offer: Offer; token: string }) {
  const join = useSignIn((form: FormData) => {
    const body = { token, name: textField(form, "name"), password: textField(form, "password") };
    return unwrap(api.POST("/invitations/register", { body }));
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    join.mutate(new FormData(event.currentTarget));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {join.error !== null && <ErrorAlert error={join.error} />}
        <TextInput label="E-mail" value={offer.email} readOnly autoComplete="username" />
        <TextInput name="name" label="Your name" autoComplete="name" maxLength={100} required />
        <PasswordInput name="password" label="Password" autoComplete="new-password" {...passwordRule} required />
        <Button type="submit" loading={join.isPending}>
          Create the account and join
        </Button>
      </Stack>
    </form>
  );
}
