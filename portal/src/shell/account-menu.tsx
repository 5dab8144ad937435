import { Button, Text } from "@mantine/core";
import { IconChevronDown, IconLogout, IconShieldLock, IconUser } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useId, useRef, useState } from "react";
import { loadChunk } from "../api/load-chunk.ts";
import { useAccount } from "../api/session.ts";
import classes from "./account-menu.module.css";
import { useSignOut } from "./use-sign-out.ts";

/** It comes when the menu is first opened. */
const AccountChoice = lazy(() =>
  loadChunk(() => import("./account-choice.tsx")).then((its) => ({ default: its.AccountChoice })),
);

/** The menu of the signed-in account; a "Sign in" button when signed out. */
export function AccountMenu() {
  const account = useAccount();
  const signOut = useSignOut();
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const [wasOpened, setWasOpened] = useState(false);
  const close = () => menu.current?.hidePopover();
  if (account === null)
    return (
      <Button size="xs" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
        Sign in
      </Button>
    );
  const name = account.organisation?.name ?? account.name;
  return (
    <>
      <Button
        popoverTarget={id}
        variant="subtle"
        color="gray"
        size="compact-md"
        leftSection={<IconUser size={16} />}
        rightSection={<IconChevronDown size={14} />}
        aria-label={account.organisation === null ? `Account of ${name}` : `Acting as ${name}`}
        styles={{ label: { maxWidth: 140, overflow: "hidden", textOverflow: "ellipsis", unicodeBidi: "isolate" } }}
      >
        <Text span size="sm" visibleFrom="sm" truncate>
          {name}
        </Text>
      </Button>
      <div ref={menu} id={id} popover="auto" className={classes.menu} onToggle={() => setWasOpened(true)}>
        <div className={classes.email}>{account.email}</div>
        {wasOpened && (
          <Suspense>
            <AccountChoice account={account} onChosen={close} />
          </Suspense>
        )}
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
