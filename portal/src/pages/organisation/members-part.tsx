import { Button, NativeSelect, Table, Text, VisuallyHidden } from "@mantine/core";
import { api, unwrap } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import { DocsLink } from "../../display/docs-links.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Permitted } from "../../display/permitted.tsx";
import { RelativeTime } from "../../display/relative-time.tsx";
import { useMembershipChange } from "./membership-change.tsx";
import { type Member, type Organisation, type Role, roleChoices } from "./organisation-query.ts";
import { Part } from "./part.tsx";

/** Who may act as the organisation, and in which role. */
export function MembersPart({ organisation }: { organisation: Organisation }) {
  const { begin, error, isBusy, dialog } = useMembershipChange();
  const changeRole = ({ user_id, email }: Member, role: Role) =>
    begin({
      userId: user_id,
      role,
      title: t("settings.giveTheRole", { email, role: t(`role.${role}`) }),
      run: (query) =>
        unwrap(api.PATCH("/organisation/members/{user_id}", { params: { path: { user_id }, query }, body: { role } })),
    });
  const remove = ({ user_id, email }: Member) =>
    begin({
      userId: user_id,
      role: null,
      title: t("settings.removeMember", { email }),
      run: (query) => unwrap(api.DELETE("/organisation/members/{user_id}", { params: { path: { user_id }, query } })),
    });
  return (
    <Part
      id="members"
      title={t("settings.members")}
      lead={<DocsLink place={{ page: "organisations", anchor: "roles" }}>{t("settings.whatEachRoleMayDo")}</DocsLink>}
    >
      {error !== null && <ErrorAlert error={error} />}
      <Permitted to="organisation:manage">
        <Table.ScrollContainer minWidth={640} tabIndex={0} role="region" aria-label={t("settings.membersAndRoles")}>
          <Table fz="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("settings.member")}</Table.Th>
                <Table.Th>{t("settings.role")}</Table.Th>
                <Table.Th>{t("settings.joined")}</Table.Th>
                <Table.Th pos="relative">
                  <VisuallyHidden>{t("settings.actions")}</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {organisation.members.map((member) => (
                <Row
                  key={member.user_id}
                  member={member}
                  isBusy={isBusy}
                  onRole={(role) => changeRole(member, role)}
                  onRemove={() => remove(member)}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Permitted>
      {dialog}
    </Part>
  );
}

interface RowProps {
  member: Member;
  isBusy: boolean;
  onRole: (role: Role) => void;
  onRemove: () => void;
}

function Row({ member, isBusy, onRole, onRemove }: RowProps) {
  return (
    <Table.Tr>
      <Table.Td maw={280} style={{ overflowWrap: "anywhere" }}>
        <span dir="auto">{member.name}</span>
        {member.is_you && ` (${t("settings.you")})`}
        <Text size="xs" c="dimmed">
          {member.email}
        </Text>
      </Table.Td>
      <Table.Td>
        <NativeSelect
          aria-label={t("settings.roleOf", { email: member.email })}
          data={roleChoices()}
          value={member.role}
          disabled={isBusy}
          onChange={(event) => onRole(event.currentTarget.value as Role)}
        />
      </Table.Td>
      <Table.Td>
        <RelativeTime at={member.joined_at} />
      </Table.Td>
      <Table.Td>
        {!member.is_you && (
          <Button
            size="xs"
            variant="default"
            c="red"
            disabled={isBusy}
            aria-label={t("settings.removeMember", { email: member.email })}
            onClick={onRemove}
          >
            {t("settings.remove")}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
