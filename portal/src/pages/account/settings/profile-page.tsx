import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import { t } from "../../../api/locale.ts";
import type { components } from "../../../api/paths.ts";
import { sessionKey, useAccount } from "../../../api/session.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { RowsSkeleton } from "../../../display/page.tsx";
import { ProfileForm } from "../../../display/profile-form.tsx";
import { LinksForm } from "../../../display/public-face/links-form.tsx";
import { PicturePart } from "../../../display/public-face/picture-part.tsx";
import { SingleKeysSwitch } from "../../../display/single-keys-switch.tsx";
import { GuardedForm } from "../../../display/unsaved-work.tsx";
import { words } from "../../../display/words.tsx";
import { MailSent } from "../mail-sent.tsx";
import { AccountSection, Part } from "./account-section.tsx";
import { EmbedsPart } from "./embeds-part.tsx";
import { MailsPart } from "./mails-part.tsx";
import { PublicPagePart } from "./public-page-part.tsx";

const profileKey = ["profile"];

/** The page of the public profile, the e-mail address, mails, embedding sites and keyboard shortcuts. */
export function ProfilePage() {
  const account = useAccount();
  const { data, error, refetch } = useQuery({
    queryKey: profileKey,
    queryFn: () => unwrap(api.GET("/account/profile")),
  });
  const client = useQueryClient();
  // An organisation's picture and links are on the organisation's page.
  const isPerson = account?.organisation == null;
  const save = async (body: components["schemas"]["ProfileFields"]) => {
    client.setQueryData(profileKey, await unwrap(api.PATCH("/account/profile", { body })));
    await client.invalidateQueries({ queryKey: sessionKey });
  };
  return (
    <AccountSection>
      <Part id="profile" title={t("settings.profile")} lead={t("settings.profileLead")}>
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
        <Part id="links" title={t("settings.links")} lead={t("settings.linksLead")}>
          <LinksForm />
        </Part>
      )}
      {isPerson && data !== undefined && <PublicPagePart profile={data} />}
      {account !== null && !account.is_demo && <EmailPart email={account.email} />}
      <MailsPart />
      <EmbedsPart />
      <Part id="keyboard" title={t("settings.keyboard")}>
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
      title={t("settings.eMailAddress")}
      lead={words("settings.eMailAddressLead", {
        email: <strong style={{ overflowWrap: "anywhere" }}>{email}</strong>,
      })}
    >
      {ask.isSuccess ? (
        <>
          <MailSent>{t("settings.addressMailSent", { email: ask.variables })}</MailSent>
          <Group>
            <Button variant="default" onClick={() => ask.reset()}>
              {t("settings.useAnotherAddress")}
            </Button>
          </Group>
        </>
      ) : (
        <GuardedForm onSubmit={submit} error={ask.error}>
          <Stack gap="sm" maw={420}>
            {ask.error !== null && <ErrorAlert error={ask.error} />}
            <TextInput
              type="email"
              label={t("settings.newEMailAddress")}
              autoComplete="email"
              value={address}
              onChange={(event) => setAddress(event.currentTarget.value)}
              required
            />
            <Group>
              <Button type="submit" variant="default" loading={ask.isPending}>
                {t("settings.changeTheAddress")}
              </Button>
            </Group>
          </Stack>
        </GuardedForm>
      )}
    </Part>
  );
}
