import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { components } from "../../api/paths.ts";

/**
 * A link to an account's page. Shows the e-mail address, or an organisation's username. An imported producer has no
 * link.
 */
export const AccountLink = ({ account }: { account: components["schemas"]["AccountReference"] }) =>
  account.email === null && account.organisation === null ? (
    `user ${account.user_id}`
  ) : (
    <Anchor
      inherit
      renderRoot={(props) => <Link to="/admin/accounts/$userId" params={{ userId: account.user_id }} {...props} />}
    >
      <bdi>{account.email ?? `@${account.organisation}`}</bdi>
    </Anchor>
  );
