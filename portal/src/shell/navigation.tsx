import { NavLink, Stack, Text } from "@mantine/core";
import {
  IconBook2,
  IconBooks,
  IconBug,
  IconChartLine,
  IconFileImport,
  IconHistory,
  IconHome,
  IconKey,
  IconList,
  IconListSearch,
  IconMusic,
  IconPlayerPlay,
  IconReceipt,
  IconReceiptRefund,
  IconShoppingBag,
  IconTopologyStar3,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useAccount } from "../api/session.ts";
import classes from "./navigation.module.css";

/** The pages by what people come for: to buy, to sell, to build, or to operate. */
export const sections = [
  { title: null, links: [{ to: "/", label: "Home", icon: IconHome }] },
  {
    title: "Buy",
    links: [
      { to: "/market", label: "Catalogue", icon: IconShoppingBag },
      { to: "/library", label: "Library", icon: IconBooks },
    ],
  },
  {
    title: "Sell",
    links: [
      { to: "/studio", label: "Studio", icon: IconMusic },
      { to: "/sales", label: "Sales", icon: IconReceipt },
    ],
  },
  {
    title: "Build",
    links: [
      { to: "/keys", label: "API keys", icon: IconKey },
      { to: "/explorer", label: "Explorer", icon: IconPlayerPlay },
      { to: "/log", label: "Request log", icon: IconList },
      { to: "/analytics", label: "Analytics", icon: IconChartLine },
      { to: "/webhooks", label: "Webhooks", icon: IconWebhook },
      { to: "/docs", label: "Docs", icon: IconBook2 },
    ],
  },
] as const;

/** For operators. */
const operate = {
  title: "Operate",
  links: [
    { to: "/admin/accounts", label: "Accounts", icon: IconUsers },
    { to: "/admin/orders", label: "Orders", icon: IconReceiptRefund },
    { to: "/admin/webhooks", label: "Webhook fleet", icon: IconTopologyStar3 },
    { to: "/admin/calls", label: "Calls", icon: IconListSearch },
    { to: "/admin/errors", label: "Errors", icon: IconBug },
    { to: "/admin/imports", label: "Imports", icon: IconFileImport },
    { to: "/admin/audit", label: "Audit", icon: IconHistory },
  ],
} as const;

/** Links to the pages. `onNavigate` closes the menu on a small screen. */
export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const isOperator = useAccount()?.operator === true;
  return (
    <Stack gap="md">
      {[...sections, ...(isOperator ? [operate] : [])].map(({ title, links }) => (
        <div key={title}>
          {title !== null && (
            <Text className={classes.title} id={`pages-${title}`}>
              {title}
            </Text>
          )}
          <ul className={classes.list} {...(title !== null && { "aria-labelledby": `pages-${title}` })}>
            {links.map(({ to, label, icon: Icon }) => (
              <li key={to}>
                <NavLink
                  renderRoot={(props) => (
                    <Link
                      to={to}
                      activeOptions={{ exact: to === "/" }}
                      activeProps={{ "data-active": true }}
                      {...props}
                    />
                  )}
                  className={classes.link}
                  label={label}
                  leftSection={<Icon size={16} stroke={1.75} />}
                  onClick={onNavigate}
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Stack>
  );
}
