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
import { t } from "../api/locale.ts";
import { useMode } from "../api/mode.ts";
import { type MemberPermission, useAccount } from "../api/session.ts";
import { DocumentLink } from "../display/document-link.tsx";
import { LanguageChoice } from "./language-choice.tsx";
import { ModeSwitch } from "./mode-switch.tsx";
import classes from "./navigation.module.css";

/** The pages by purpose: buying, selling and building. */
const sections = [
  { title: null, links: [{ to: "/", label: "nav.home", icon: IconHome }] },
  {
    title: "nav.buy",
    links: [
      { to: "/market", label: "nav.catalogue", icon: IconShoppingBag },
      { to: "/library", needs: "orders:read", label: "nav.library", icon: IconBooks },
    ],
  },
  {
    title: "nav.sell",
    links: [
      { to: "/studio", needs: "studio:read", label: "nav.studio", icon: IconMusic },
      { to: "/sales", needs: "sales:read", label: "nav.sales", icon: IconReceipt },
      { to: "/earnings", needs: "sales:read", label: "nav.earnings", icon: IconCoins },
    ],
  },
  {
    title: "nav.build",
    links: [
      { to: "/keys", needs: "keys:read", label: "nav.apiKeys", icon: IconKey },
      { to: "/sandboxes", needs: "keys:read", label: "nav.sandboxes", icon: IconFlask, isOfTestMode: true },
      { to: "/explorer", needs: "explorer:use", label: "nav.explorer", icon: IconPlayerPlay },
      { to: "/log", needs: "calls:read", label: "nav.requestLog", icon: IconList },
      { to: "/analytics", needs: "calls:read", label: "nav.analytics", icon: IconChartLine },
      { to: "/webhooks", needs: "webhooks:read", label: "nav.webhooks", icon: IconWebhook },
      { to: "/docs", label: "nav.docs", icon: IconBook2 },
    ],
  },
] as const;

/** The section for operators. */
const operate = {
  title: "nav.operate",
  links: [
    { to: "/admin", label: "nav.overview", icon: IconGauge },
    { to: "/admin/accounts", label: "nav.accounts", icon: IconUsers },
    { to: "/admin/beats", label: "nav.beats", icon: IconMusicOff },
    { to: "/admin/reports", label: "nav.reports", icon: IconFlag },
    { to: "/admin/orders", label: "nav.orders", icon: IconReceiptRefund },
    { to: "/admin/payouts", label: "nav.payouts", icon: IconCash },
    { to: "/admin/webhooks", label: "nav.webhookFleet", icon: IconTopologyStar3 },
    { to: "/admin/calls", label: "nav.calls", icon: IconListSearch },
    { to: "/admin/errors", label: "nav.errors", icon: IconBug },
    { to: "/admin/imports", label: "nav.imports", icon: IconFileImport },
    { to: "/admin/audit", label: "nav.audit", icon: IconHistory },
  ],
} as const;

/**
 * The sections for the current account. A member sees the pages of their role. An operator also sees the operators'
 * pages. The page of sandboxes is only in test mode.
 */
export function useSections() {
  const account = useAccount();
  const isTest = useMode() === "test";
  return useMemo(() => {
    const isPermitted = (link: object) =>
      !("needs" in link) || account?.organisation?.refusals[link.needs as MemberPermission] === undefined;
    const isShown = (link: object) => isPermitted(link) && (isTest || !("isOfTestMode" in link));
    return [...sections, ...(account?.operator === true ? [operate] : [])].map(({ title, links }) => ({
      title: title && t(title),
      links: links.filter(isShown).map(({ to, label, icon }) => ({ to, label: t(label), icon })),
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
      {/* On a phone the header has no room for the switch. */}
      <Group hiddenFrom="xs">
        <ModeSwitch />
      </Group>
      <Text size="xs" c="dimmed" px={8}>
        {account !== null && (
          <>
            <DocumentLink href="/favorites">{t("nav.favorites")}</DocumentLink> ·{" "}
          </>
        )}
        <DocumentLink href="/basket">{t("nav.basket")}</DocumentLink> ·{" "}
        <DocumentLink href="/">{t("nav.frontPage")}</DocumentLink> · <LanguageChoice />
      </Text>
    </Stack>
  );
}
