import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { sessionKey, useAccount } from "../../../api/session.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { RowsSkeleton } from "../../../display/page.tsx";
import { ProfileForm } from "../../../display/profile-form.tsx";
import { LinksForm } from "../../../display/public-face/links-form.tsx";
import { PicturePart } from "../../../display/public-face/picture-part.tsx";
import { SingleKeysSwitch } from "../../../display/single-keys-switch.tsx";
import { GuardedForm } from "../../../display/unsaved-work.tsx";
import { MailSent } from "../mail-sent.tsx";
import { AccountSection, Part } from "./account-section.tsx";
import { EmbedsPart } from "./embeds-part.tsx";
import { MailsPart } from "./mails-part.tsx";

const profileKey = ["profile"];

/** What others see of the account, its address, and how the portal takes keys. */
export function ProfilePage() {
  const account = useAccount();
  const { data, error, refetch } = useQuery({
    queryKey: profileKey,
    queryFn: () => unwrap(api.GET("/account/profile")),
  });
  const client = useQueryClient();
  // While the person acts as an organisation, its page has picture and links of the organisation.
  const isPerson = account?.organisation == null;
  const save = async (body: components["schemas"]["ProfileFields"]) => {
    client.setQueryData(profileKey, await unwrap(api.PATCH("/account/profile", { body })));
    await client.invalidateQueries({ queryKey: sessionKey });
  };
  return (
    <AccountSection>
      <Part id="profile" title="Profile" lead="Public: the API, the catalogue and your buyers show it.">
        {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
        {data === undefined ? (
          error === null && <RowsSkeleton rows={4} />
        ) : (
          <>
            {isPerson && (
              <PicturePart profile={data} onChanged={(profile) => client.setQueryData(profileKey, profile)} />
            )}
            <ProfileForm profile={data} onSave={save} />
          </>
        )}
      </Part>
      {isPerson && (
        <Part
          id="links"
          title="Links"
          lead="Where else people find you: Instagram, YouTube, SoundCloud, Spotify. At most 8, on your public page."
        >
          <LinksForm />
        </Part>
      )}
      {account !== null && !account.is_demo && <EmailPart email={account.email} />}
      <MailsPart />
      <EmbedsPart />
      <Part id="keyboard" title="Keyboard">
        <SingleKeysSwitch />
      </Part>
    </AccountSection>
  );
}

function EmailPart({ email }: { email: string }) {
  const [address, setAddress] = useState("");
  const ask = useMutation({ mutationFn: (to: string) => unwrap(api.POST("/account/email", { body: { email: to } })) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask.mutate(address);
  };
  return (
    <Part
      id="email"
      title="E-mail address"
      lead={
        <>
          You sign in with <strong style={{ overflowWrap: "anywhere" }}>{email}</strong>. Another one is used once you
          open the link that we mail there; this one can undo that for seven days.
        </>
      }
    >
      {ask.isSuccess ? (
        <>
          <MailSent>{`A mail to ${ask.variables} is on its way. Open its link within an hour and enter your password. Until then nothing changes.`}</MailSent>
          <Group>
            <Button variant="default" onClick={() => ask.reset()}>
              Use another address
            </Button>
          </Group>
        </>
      ) : (
        <GuardedForm onSubmit={submit} error={ask.error}>
          <Stack gap="sm" maw={420}>
            {ask.error !== null && <ErrorAlert error={ask.error} />}
            <TextInput
              type="email"
              label="New e-mail address"
              autoComplete="email"
              value={address}
              onChange={(event) => setAddress(event.currentTarget.value)}
              required
            />
            <Group>
              <Button type="submit" variant="default" loading={ask.isPending}>
                Change the address
              </Button>
            </Group>
          </Stack>
        </GuardedForm>
      )}
    </Part>
  );
}
