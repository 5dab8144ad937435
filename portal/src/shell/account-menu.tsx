import { Button, Menu, Text } from "@mantine/core";
import { IconChevronDown, IconLogout, IconShieldLock, IconUser } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useAccount } from "../api/session.ts";
import { useSignOut } from "../pages/account/sign-out.ts";

/** Who is signed in and what concerns them; a way to sign in for whoever is not. */
export function AccountMenu() {
  const account = useAccount();
  const signOut = useSignOut();
  if (account === null)
    return (
      <Button size="xs" renderRoot={(its) => <Link to="/sign-in" {...its} />}>
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
        <Menu.Item leftSection={<IconShieldLock size={16} />} renderRoot={(its) => <Link to="/account" {...its} />}>
          Account and security
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
