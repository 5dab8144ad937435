import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";

/** Leads to an account's page by its address. Users without one, such as imported producers, have no page. */
export const AccountLink = ({ account }: { account: { user_id: number; email: string | null } }) =>
  account.email === null ? (
    `user ${account.user_id}`
  ) : (
    <Anchor
      inherit
      renderRoot={(props) => <Link to="/admin/accounts/$userId" params={{ userId: account.user_id }} {...props} />}
    >
      <bdi>{account.email}</bdi>
    </Anchor>
  );
