import { IconBuilding, IconCheck, IconUser } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { api, unwrap } from "../api/client.ts";
import { type Account, refreshSession } from "../api/session.ts";
import { ErrorAlert } from "../display/error-alert.tsx";
import classes from "./account-menu.module.css";

/** The accounts that the person may act as: their own, and their organisations. */
export function AccountChoice({ account, onChosen }: { account: Account; onChosen: () => void }) {
  const client = useQueryClient();
  const router = useRouter();
  const actAs = useMutation({
    mutationFn: (userId: number) => unwrap(api.PUT("/session/account", { body: { user_id: userId } })),
    onSuccess: async () => {
      onChosen();
      await refreshSession(client);
      router.history.push("/portal");
    },
  });
  const own = { user_id: account.person_id, name: account.name, role: null };
  return (
    <>
      {actAs.error !== null && <ErrorAlert error={actAs.error} />}
      {account.organisations.length > 0 &&
        [own, ...account.organisations].map(({ user_id, name, role }) => {
          const Icon = role === null ? IconUser : IconBuilding;
          const isShown = user_id === account.user_id;
          return (
            <button
              key={user_id}
              type="button"
              className={classes.item}
              aria-current={isShown || undefined}
              onClick={() => (isShown ? onChosen() : actAs.mutate(user_id))}
            >
              <Icon size={16} />
              <span dir="auto" style={{ flex: 1, overflowWrap: "anywhere" }}>
                {name}
                {role !== null && `, ${role}`}
              </span>
              {isShown && <IconCheck size={16} aria-label="Chosen" />}
            </button>
          );
        })}
      {!account.is_demo && (
        <Link to="/organisation" className={classes.item} onClick={onChosen}>
          <IconBuilding size={16} />
          {account.organisation === null ? "New organisation" : "Organisation and members"}
        </Link>
      )}
    </>
  );
}
