import { Button, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { sessionKey, useAccount } from "../../../api/session.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { RowsSkeleton } from "../../../display/page.tsx";
import { textField } from "../fields.ts";
import { MailSent } from "../mail-sent.tsx";
import { AccountSection, Part } from "./account-section.tsx";

type Profile = components["schemas"]["User"];

const profileKey = ["profile"];

/** What others see of the account, and its address. */
export function ProfilePage() {
  const account = useAccount();
  const { data, error, refetch } = useQuery({
    queryKey: profileKey,
    queryFn: () => unwrap(api.GET("/account/profile")),
  });
  return (
    <AccountSection>
      <Part id="profile" title="Profile" lead="Public: the API, the catalogue and your buyers show it.">
        {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
        {data === undefined ? error === null && <RowsSkeleton rows={4} /> : <ProfileForm profile={data} />}
      </Part>
      {account !== null && !account.is_demo && <EmailPart email={account.email} />}
    </AccountSection>
  );
}

const optional = ["bio", "location", "website", "avatar_url"] as const;

function ProfileForm({ profile }: { profile: Profile }) {
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (form: FormData) => {
      const cleared = optional.map((name) => [name, textField(form, name).trim() || null]);
      const body = { display_name: textField(form, "display_name").trim(), ...Object.fromEntries(cleared) };
      return unwrap(api.PATCH("/account/profile", { body }));
    },
    onSuccess: async (changed) => {
      client.setQueryData(profileKey, changed);
      await client.invalidateQueries({ queryKey: sessionKey });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(new FormData(event.currentTarget));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={640}>
        {save.error !== null && <ErrorAlert error={save.error} />}
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            name="display_name"
            label="Display name"
            autoComplete="name"
            maxLength={100}
            defaultValue={profile.display_name}
            required
          />
          <TextInput
            label="Username"
            value={`@${profile.username}`}
            readOnly
            description="Does not change."
            inputWrapperOrder={["label", "input", "description"]}
          />
        </SimpleGrid>
        <Textarea
          name="bio"
          label="Bio (optional)"
          autosize
          minRows={3}
          maxRows={10}
          maxLength={2000}
          defaultValue={profile.bio ?? ""}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            name="location"
            label="Location (optional)"
            maxLength={100}
            defaultValue={profile.location ?? ""}
          />
          <TextInput
            name="website"
            type="url"
            label="Website (optional)"
            placeholder="https://"
            maxLength={2000}
            defaultValue={profile.website ?? ""}
          />
        </SimpleGrid>
        <TextInput
          name="avatar_url"
          type="url"
          label="Address of your picture (optional)"
          placeholder="https://"
          maxLength={2000}
          defaultValue={profile.avatar_url ?? ""}
        />
        <Group gap="sm">
          <Button type="submit" loading={save.isPending}>
            Save the profile
          </Button>
          <Text size="sm" c="dimmed" role="status">
            {save.isSuccess ? "Saved." : ""}
          </Text>
        </Group>
      </Stack>
    </form>
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
        <form onSubmit={submit}>
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
        </form>
      )}
    </Part>
  );
}
