import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { api, unwrap } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import { organisationQuery } from "../../api/organisation.ts";
import { type Account, refreshSession, useAccount } from "../../api/session.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { GuardedForm } from "../../display/unsaved-work.tsx";
import { words } from "../../display/words.tsx";
import { EndPart } from "./end-part.tsx";
import { InvitationsPart } from "./invitations-part.tsx";
import { LogPart } from "./log-part.tsx";
import { MembersPart } from "./members-part.tsx";
import { ProfilePart } from "./profile-part.tsx";

/** The current organisation. A person who acts for themselves sees a form that creates one. */
export function OrganisationPage() {
  const account = useAccount();
  const organisation = account?.organisation ?? null;
  if (account === null || organisation === null)
    return (
      <Page title={t("search.organisation")} lead={t("settings.organisationLead")}>
        <CreateForm isDemo={account?.is_demo === true} />
      </Page>
    );
  return <Acting account={account} organisation={organisation} />;
}

function Acting({ account, organisation }: { account: Account; organisation: NonNullable<Account["organisation"]> }) {
  const { data, error, refetch } = useQuery(organisationQuery);
  const isOwner = organisation.refusals["organisation:manage"] === undefined;
  return (
    <Page
      title={t("search.organisation")}
      lead={words("settings.actingAsRole", {
        name: <strong dir="auto">{organisation.name}</strong>,
        username: data === undefined ? "" : ` (@${data.username})`,
        role: t(`role.${organisation.role}`),
      })}
    >
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <RowsSkeleton rows={4} />}
      {data !== undefined && (
        <Stack gap={40}>
          <MembersPart organisation={data} />
          {isOwner && <InvitationsPart organisation={data} />}
          {isOwner && <ProfilePart />}
          {isOwner && <LogPart />}
          <EndPart organisation={data} account={account} />
        </Stack>
      )}
    </Page>
  );
}

function CreateForm({ isDemo }: { isDemo: boolean }) {
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: (name: string) => unwrap(api.POST("/organisations", { body: { name } })),
    onSuccess: () => refreshSession(client),
  });
  if (isDemo) return <Text size="sm">{t("settings.demoHasNoOrganisations")}</Text>;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate(String(new FormData(event.currentTarget).get("name") ?? ""));
  };
  return (
    <GuardedForm onSubmit={submit} error={create.error}>
      <Stack gap="sm" maw={420}>
        {create.error !== null && <ErrorAlert error={create.error} />}
        <TextInput
          name="name"
          label={t("settings.nameOfTheOrganisation")}
          description={t("settings.organisationNameHint")}
          maxLength={100}
          required
        />
        <Group>
          <Button type="submit" loading={create.isPending}>
            {t("settings.createTheOrganisation")}
          </Button>
        </Group>
      </Stack>
    </GuardedForm>
  );
}
