import { Modal } from "@mantine/core";
import { IconBuilding, IconCheck, IconUser } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { api, unwrap } from "../api/client.ts";
import { t } from "../api/locale.ts";
import { type Account, refreshSession } from "../api/session.ts";
import { mayLeave } from "../api/unsaved-work.ts";
import { ErrorAlert } from "../display/error-alert.tsx";
import { MenuItem, MenuLink } from "../display/menu.tsx";

/** Menu items that switch between the person's own account and their organisations. */
export function AccountChoice({ account }: { account: Account }) {
  const client = useQueryClient();
  const router = useRouter();
  const actAs = useMutation({
    mutationFn: async (userId: number) => {
      if (!(await mayLeave())) return false;
      await unwrap(api.PUT("/session/account", { body: { user_id: userId } }));
      return true;
    },
    onSuccess: async (isChosen) => {
      if (!isChosen) return;
      await refreshSession(client);
      router.history.push("/portal");
    },
  });
  const personalAccount = { user_id: account.person_id, name: account.name, role: null };
  return (
    <>
      {account.organisations.length > 0 &&
        [personalAccount, ...account.organisations].map(({ user_id, name, role }) => {
          const Icon = role === null ? IconUser : IconBuilding;
          const isShown = user_id === account.user_id;
          return (
            <MenuItem
              key={user_id}
              icon={<Icon size={16} />}
              end={isShown ? <IconCheck size={16} aria-label={t("shell.chosen")} /> : null}
              onClick={() => isShown || actAs.mutate(user_id)}
            >
              <span dir="auto">
                {name}
                {role !== null && `, ${t(`role.${role}`)}`}
              </span>
            </MenuItem>
          );
        })}
      {!account.is_demo && (
        <MenuLink icon={<IconBuilding size={16} />} to="/organisation">
          {account.organisation === null ? t("shell.newOrganisation") : t("shell.organisationAndMembers")}
        </MenuLink>
      )}
      <Modal
        opened={actAs.isError}
        onClose={actAs.reset}
        title={t("shell.accountSwitchFailed")}
        closeButtonProps={{ "aria-label": t("shell.close") }}
      >
        <ErrorAlert error={actAs.error} onRetry={() => actAs.mutate(actAs.variables ?? account.person_id)} />
      </Modal>
    </>
  );
}
