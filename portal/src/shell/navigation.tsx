import { NavLink, Stack, Text } from "@mantine/core";
import {
  IconBooks,
  IconChartLine,
  IconHome,
  IconKey,
  IconList,
  IconMusic,
  IconPlayerPlay,
  IconReceipt,
  IconShoppingBag,
  IconWebhook,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import classes from "./navigation.module.css";

/** The pages by what people come for: to buy, to sell, or to build. */
const sections = [
  { title: null, links: [{ to: "/", label: "Home", icon: IconHome }] },
  {
    title: "Buy",
    links: [
      { to: "/market", label: "Market", icon: IconShoppingBag },
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
    ],
  },
] as const;

/** Links to the pages. `onNavigate` closes the menu on a small screen. */
export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  return (
    <Stack gap="md">
      {sections.map(({ title, links }) => (
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
