import { Button, Menu, Text } from "@mantine/core";
import { IconChevronDown, IconLogout, IconShieldLock, IconUser } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useAccount } from "../api/session.ts";
import { useSignOut } from "./use-sign-out.ts";

/** The menu of the signed-in account; a "Sign in" button when signed out. */
export function AccountMenu() {
  const account = useAccount();
  const signOut = useSignOut();
  if (account === null)
    return (
      <Button size="xs" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
        Sign in
      </Button>
    );
  return (
    <Menu position="bottom-end" width={240} withArrow>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-md"
          leftSection={<IconUser size={16} />}
          rightSection={<IconChevronDown size={14} />}
          aria-label={`Account of ${account.name}`}
          styles={{ label: { maxWidth: 140, overflow: "hidden", textOverflow: "ellipsis", unicodeBidi: "isolate" } }}
        >
          <Text span size="sm" visibleFrom="sm" truncate>
            {account.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label style={{ overflowWrap: "anywhere" }}>{account.email}</Menu.Label>
        <Menu.Item leftSection={<IconShieldLock size={16} />} renderRoot={(props) => <Link to="/account" {...props} />}>
          Account and security
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
