import { Button, Text } from "@mantine/core";
import { IconChevronDown, IconLogout, IconShieldLock, IconUser } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { loadChunk } from "../api/load-chunk.ts";
import { t } from "../api/locale.ts";
import { sessionQuery } from "../api/session.ts";
import { Menu, MenuItem, MenuLink, MenuSection } from "../display/menu.tsx";
import { useSignOut } from "./use-sign-out.ts";

/** Loaded when the menu is first opened. */
const AccountChoice = lazy(() =>
  loadChunk(() => import("./account-choice.tsx")).then((module) => ({ default: module.AccountChoice })),
);

/** The menu of the signed-in account, or a "Sign in" button. Renders nothing while the session loads. */
export function AccountMenu() {
  const { data: session, isPending } = useQuery(sessionQuery);
  const signOut = useSignOut();
  const { href } = useLocation();
  const [wasOpened, setWasOpened] = useState(false);
  if (isPending) return null;
  const account = session?.account ?? null;
  if (account === null)
    return (
      <Button size="xs" renderRoot={(props) => <Link to="/sign-in" search={{ next: href }} {...props} />}>
        {t("shell.signIn")}
      </Button>
    );
  const name = account.organisation?.name ?? account.name;
  return (
    <Menu
      width={240}
      isInBar
      onOpen={() => setWasOpened(true)}
      target={(props) => (
        <Button
          {...props}
          variant="subtle"
          color="gray"
          size="compact-md"
          leftSection={<IconUser size={16} />}
          rightSection={<IconChevronDown size={14} />}
          aria-label={account.organisation === null ? t("shell.accountOf", { name }) : t("shell.actingAs", { name })}
          styles={{ label: { maxWidth: 140, overflow: "hidden", textOverflow: "ellipsis", unicodeBidi: "isolate" } }}
        >
          <Text span size="sm" visibleFrom="sm" truncate>
            {name}
          </Text>
        </Button>
      )}
    >
      <MenuSection label={account.email} />
      {wasOpened && (
        <Suspense>
          <AccountChoice account={account} />
        </Suspense>
      )}
      <MenuLink icon={<IconShieldLock size={16} />} to="/account">
        {t("shell.accountAndSecurity")}
      </MenuLink>
      <MenuItem icon={<IconLogout size={16} />} onClick={() => signOut.mutate()}>
        {t("shell.signOut")}
      </MenuItem>
    </Menu>
  );
}
