import { Button, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import type { FormEvent } from "react";
import { api, unwrap } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { FutureTime } from "../../display/relative-time.tsx";
import { GuardedForm } from "../../display/unsaved-work.tsx";
import { words } from "../../display/words.tsx";
import { type Organisation, type Role, roleChoices, useOrganisationMutation } from "./organisation-query.ts";
import { Part } from "./part.tsx";

const paramsOf = (id: number) => ({ params: { path: { invitation_id: id } } });

/** The form that mails an invitation, and the invitations that are not accepted yet. */
export function InvitationsPart({ organisation }: { organisation: Organisation }) {
  const invite = useOrganisationMutation((body: { email: string; role: Role }) =>
    unwrap(api.POST("/organisation/invitations", { body })),
  );
  const resend = useOrganisationMutation((id: number) =>
    unwrap(api.POST("/organisation/invitations/{invitation_id}/resend", paramsOf(id))),
  );
  const revoke = useOrganisationMutation((id: number) =>
    unwrap(api.DELETE("/organisation/invitations/{invitation_id}", paramsOf(id))),
  );
  const error = invite.error ?? resend.error ?? revoke.error;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    invite.mutate(
      { email: String(fields.get("email")), role: String(fields.get("role")) as Role },
      { onSuccess: () => form.reset() },
    );
  };
  return (
    <Part id="invitations" title={t("settings.invitations")} lead={t("settings.invitationsLead")}>
      {error !== null && <ErrorAlert error={error} />}
      <GuardedForm onSubmit={submit} error={error}>
        <Group align="flex-end" gap="sm">
          <TextInput
            name="email"
            type="email"
            label={t("settings.eMail")}
            autoComplete="off"
            required
            style={{ flex: "1 1 220px" }}
          />
          <NativeSelect name="role" label={t("settings.role")} data={roleChoices()} defaultValue="viewer" />
          <Button type="submit" loading={invite.isPending}>
            {t("settings.invite")}
          </Button>
        </Group>
      </GuardedForm>
      <Stack gap="xs" component="ul" style={{ listStyle: "none", margin: 0, padding: 0 }}>
        {organisation.invitations.map(({ id, email, role, expires_at, has_expired }) => (
          <Group key={id} component="li" justify="space-between" gap="sm">
            <Text size="sm" style={{ overflowWrap: "anywhere" }}>
              {t("settings.invitedAs", { email, role: t(`role.${role}`) })}{" "}
              <Text span c="dimmed" inherit>
                {has_expired
                  ? t("settings.invitationHasExpired")
                  : words("settings.invitationExpires", { expiresAt: <FutureTime at={expires_at} /> })}
              </Text>
            </Text>
            <Group gap="xs">
              <Button
                size="xs"
                variant="default"
                aria-label={t("settings.sendAgainTheInvitationOf", { email })}
                loading={resend.isPending}
                onClick={() => resend.mutate(id)}
              >
                {t("settings.sendAgain")}
              </Button>
              <Button
                size="xs"
                variant="default"
                c="red"
                aria-label={t("settings.revokeTheInvitationOf", { email })}
                loading={revoke.isPending}
                onClick={() => revoke.mutate(id)}
              >
                {t("settings.revoke")}
              </Button>
            </Group>
          </Group>
        ))}
      </Stack>
    </Part>
  );
}
