import { Group, Stack, Text } from "@mantine/core";
import {
  IconBook2,
  IconBooks,
  IconBug,
  IconCash,
  IconChartLine,
  IconCoins,
  IconFileImport,
  IconFlag,
  IconFlask,
  IconGauge,
  IconHistory,
  IconHome,
  IconKey,
  IconList,
  IconListSearch,
  IconMusic,
  IconMusicOff,
  IconPlayerPlay,
  IconReceipt,
  IconReceiptRefund,
  IconShoppingBag,
  IconTopologyStar3,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useMode } from "../api/mode.ts";
import { type MemberPermission, useAccount } from "../api/session.ts";
import { DocumentLink } from "../display/document-link.tsx";
import { ModeSwitch } from "./mode-switch.tsx";
import classes from "./navigation.module.css";

/** The pages by purpose: to buy, to sell, to build, or to operate. */
const sections = [
  { title: null, links: [{ to: "/", label: "Home", icon: IconHome }] },
  {
    title: "Buy",
    links: [
      { to: "/market", label: "Catalogue", icon: IconShoppingBag },
      { to: "/library", needs: "orders:read", label: "Library", icon: IconBooks },
    ],
  },
  {
    title: "Sell",
    links: [
      { to: "/studio", needs: "studio:read", label: "Studio", icon: IconMusic },
      { to: "/sales", needs: "sales:read", label: "Sales", icon: IconReceipt },
      { to: "/earnings", needs: "sales:read", label: "Earnings", icon: IconCoins },
    ],
  },
  {
    title: "Build",
    links: [
      { to: "/keys", needs: "keys:read", label: "API keys", icon: IconKey },
      { to: "/sandboxes", needs: "keys:read", label: "Sandboxes", icon: IconFlask, isOfTestMode: true },
      { to: "/explorer", needs: "explorer:use", label: "Explorer", icon: IconPlayerPlay },
      { to: "/log", needs: "calls:read", label: "Request log", icon: IconList },
      { to: "/analytics", needs: "calls:read", label: "Analytics", icon: IconChartLine },
      { to: "/webhooks", needs: "webhooks:read", label: "Webhooks", icon: IconWebhook },
      { to: "/docs", label: "Docs", icon: IconBook2 },
    ],
  },
] as const;

/** For operators. */
const operate = {
  title: "Operate",
  links: [
    { to: "/admin", label: "Overview", icon: IconGauge },
    { to: "/admin/accounts", label: "Accounts", icon: IconUsers },
    { to: "/admin/beats", label: "Beats", icon: IconMusicOff },
    { to: "/admin/reports", label: "Reports", icon: IconFlag },
    { to: "/admin/orders", label: "Orders", icon: IconReceiptRefund },
    { to: "/admin/payouts", label: "Payouts", icon: IconCash },
    { to: "/admin/webhooks", label: "Webhook fleet", icon: IconTopologyStar3 },
    { to: "/admin/calls", label: "Calls", icon: IconListSearch },
    { to: "/admin/errors", label: "Errors", icon: IconBug },
    { to: "/admin/imports", label: "Imports", icon: IconFileImport },
    { to: "/admin/audit", label: "Audit", icon: IconHistory },
  ],
} as const;

/** The sections for the current account: a member gets the pages of their role, an operator also those of operators. */
export function useSections() {
  const account = useAccount();
  const isTest = useMode() === "test";
  return useMemo(() => {
    const isPermitted = (link: object) =>
      !("needs" in link) || account?.organisation?.refusals[link.needs as MemberPermission] === undefined;
    const isShown = (link: object) => isPermitted(link) && (isTest || !("isOfTestMode" in link));
    return [...sections, ...(account?.operator === true ? [operate] : [])].map(({ title, links }) => ({
      title,
      links: links.filter(isShown),
    }));
  }, [account, isTest]);
}

/** Links to the pages. `onNavigate` closes the menu on a small screen. */
export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const account = useAccount();
  return (
    <Stack gap="md">
      {useSections().map(({ title, links }) => (
        <div key={title}>
          {title !== null && (
            <Text className={classes.title} id={`pages-${title}`}>
              {title}
            </Text>
          )}
          <ul className={classes.list} {...(title !== null && { "aria-labelledby": `pages-${title}` })}>
            {links.map(({ to, label, icon: Icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  activeOptions={{ exact: to === "/" || to === "/admin" }}
                  className={classes.link}
                  activeProps={{ "data-active": true }}
                  onClick={onNavigate}
                >
                  <Icon size={16} stroke={1.75} />
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {/* The header of a phone has no room for it. */}
      <Group hiddenFrom="xs">
        <ModeSwitch />
      </Group>
      <Text size="xs" c="dimmed" px={8}>
        {account !== null && (
          <>
            <DocumentLink href="/favorites">Favorites</DocumentLink> ·{" "}
          </>
        )}
        <DocumentLink href="/basket">Basket</DocumentLink> · <DocumentLink href="/">Front page</DocumentLink>
      </Text>
    </Stack>
  );
}
