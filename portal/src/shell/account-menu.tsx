import { Button, Text } from "@mantine/core";
import { IconChevronDown, IconLogout, IconShieldLock, IconUser } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useId, useRef } from "react";
import { useAccount } from "../api/session.ts";
import classes from "./account-menu.module.css";
import { useSignOut } from "./use-sign-out.ts";

/** The menu of the signed-in account; a "Sign in" button when signed out. */
export function AccountMenu() {
  const account = useAccount();
  const signOut = useSignOut();
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const close = () => menu.current?.hidePopover();
  if (account === null)
    return (
      <Button size="xs" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
        Sign in
      </Button>
    );
  return (
    <>
      <Button
        popoverTarget={id}
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
      <div ref={menu} id={id} popover="auto" className={classes.menu}>
        <div className={classes.email}>{account.email}</div>
        <Link to="/account" className={classes.item} onClick={close}>
          <IconShieldLock size={16} />
          Account and security
        </Link>
        <button type="button" className={classes.item} onClick={() => signOut.mutate()}>
          <IconLogout size={16} />
          Sign out
        </button>
      </div>
    </>
  );
}
