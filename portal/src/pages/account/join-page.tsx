import { Anchor, Button, Loader, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { ApiError, api, unwrap } from "../../api/client.ts";
import { isConnectionLost } from "../../api/connection.ts";
import { t } from "../../api/locale.ts";
import type { components } from "../../api/paths.ts";
import { type Account, sessionQuery, useAccount } from "../../api/session.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { words } from "../../display/words.tsx";
import { SignedOutPage } from "../../shell/signed-out-page.tsx";
import { passwordRule, textField } from "./fields.ts";
import { useSignIn } from "./use-sign-in.ts";

type Offer = components["schemas"]["InvitationOffer"];

/** The page of an invitation's link. The owner of the mailbox signs in or registers, and joins. */
export function JoinPage() {
  const { hash: token } = useLocation();
  const account = useAccount();
  const offer = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => unwrap(api.POST("/invitations/find", { body: { token } })),
    retry: isConnectionLost,
    staleTime: Number.POSITIVE_INFINITY,
  });
  // The mutation is not in SignIn, because a sign-in unmounts SignIn and the outcome must stay visible.
  const join = useSignIn<void>(() => unwrap(api.POST("/invitations/accept", { body: { token } })));
  return (
    <SignedOutPage title={t("entry.joinAnOrganisation")}>
      {join.error !== null && <ErrorAlert error={join.error} />}
      {offer.error !== null && <ErrorAlert error={offer.error} />}
      {offer.isPending && <Loader size="sm" aria-label={t("entry.loading")} />}
      {offer.isSuccess && (
        <>
          <Text size="sm">
            {words("entry.organisationInvitesAs", {
              organisation: <strong dir="auto">{offer.data.organisation}</strong>,
              email: <strong>{offer.data.email}</strong>,
              role: t(`role.${offer.data.role}`),
            })}
          </Text>
          <Next offer={offer.data} token={token} account={account} join={join} />
        </>
      )}
    </SignedOutPage>
  );
}

const endedTexts = {
  expired: "entry.invitationExpired",
  revoked: "entry.invitationRevoked",
  accepted: "entry.invitationAlreadyAccepted",
} as const satisfies Record<Exclude<Offer["state"], "open">, string>;

type Join = Pick<ReturnType<typeof useSignIn<void>>, "mutate" | "isPending" | "error">;

interface NextProps {
  offer: Offer;
  token: string;
  account: Account | null;
  join: Join;
}

function Next({ offer, token, account, join }: NextProps) {
  if (offer.state !== "open") return <Text size="sm">{t(endedTexts[offer.state])}</Text>;
  if (account !== null && account.email === offer.email) return <Accept account={account} join={join} />;
  const enter = offer.has_account ? <SignIn offer={offer} join={join} /> : <Register offer={offer} token={token} />;
  if (account === null) return enter;
  return (
    <>
      <Text size="sm">{t("entry.signedInAsOther", { email: account.email, invited: offer.email })}</Text>
      {enter}
    </>
  );
}

function Accept({ account, join }: { account: Account; join: Join }) {
  return (
    <>
      <Text size="sm">{t("entry.youAreSignedIn", { email: account.email })}</Text>
      <Button loading={join.isPending} onClick={() => join.mutate()}>
        {t("entry.join")}
      </Button>
      {join.error !== null && (
        <Anchor size="sm" renderRoot={(props) => <Link to="/" {...props} />}>
          {t("entry.goToYourAccount")}
        </Anchor>
      )}
    </>
  );
}

/** The form for a mailbox with an account. */
function SignIn({ offer, join }: { offer: Offer; join: Join }) {
  const client = useQueryClient();
  const signIn = useMutation({
    mutationFn: (form: FormData) => {
      const code = textField(form, "code");
      const body = { email: offer.email, password: textField(form, "password"), ...(code !== "" && { code }) };
      return unwrap(api.POST("/auth/sign-in", { body }));
    },
    // Refresh the session even if the invitation has ended: the person is signed in.
    onSuccess: async () => {
      await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
      join.mutate();
    },
  });
  const wantsCode = signIn.error instanceof ApiError && signIn.error.wantsCode;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    signIn.mutate(new FormData(event.currentTarget));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {signIn.error !== null && <ErrorAlert error={signIn.error} />}
        <TextInput label={t("entry.eMail")} value={offer.email} readOnly autoComplete="username" />
        <PasswordInput name="password" label={t("shell.password")} autoComplete="current-password" required />
        {wantsCode && (
          <TextInput name="code" label={t("entry.codeOfTheAuthenticator")} autoComplete="one-time-code" required />
        )}
        <Button type="submit" loading={signIn.isPending || join.isPending}>
          {t("entry.signInAndJoin")}
        </Button>
      </Stack>
    </form>
  );
}

/** The form for a mailbox without an account. */
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
        <TextInput label={t("entry.eMail")} value={offer.email} readOnly autoComplete="username" />
        <TextInput name="name" label={t("entry.yourName")} autoComplete="name" maxLength={100} required />
        <PasswordInput
          name="password"
          label={t("shell.password")}
          autoComplete="new-password"
          {...passwordRule()}
          required
        />
        <Button type="submit" loading={join.isPending}>
          {t("entry.createTheAccountAndJoin")}
        </Button>
      </Stack>
    </form>
  );
}
