import { NavLink, Stack } from "@mantine/core";
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

const links = [
  { to: "/", label: "Home", icon: IconHome },
  { to: "/market", label: "Market", icon: IconShoppingBag },
  { to: "/library", label: "Library", icon: IconBooks },
  { to: "/studio", label: "Studio", icon: IconMusic },
  { to: "/sales", label: "Sales", icon: IconReceipt },
  { to: "/keys", label: "API keys", icon: IconKey },
  { to: "/explorer", label: "Explorer", icon: IconPlayerPlay },
  { to: "/log", label: "Request log", icon: IconList },
  { to: "/analytics", label: "Analytics", icon: IconChartLine },
  { to: "/webhooks", label: "Webhooks", icon: IconWebhook },
] as const;

/** Links to the pages. `onNavigate` closes the menu on a small screen. */
export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  return (
    <Stack component="ul" gap={2} p={0} m={0} style={{ listStyle: "none" }}>
      {links.map(({ to, label, icon: Icon }) => (
        <li key={to}>
          <NavLink
            renderRoot={(props) => (
              <Link to={to} activeOptions={{ exact: to === "/" }} activeProps={{ "data-active": true }} {...props} />
            )}
            label={label}
            leftSection={<Icon size={18} stroke={1.6} />}
            onClick={onNavigate}
            style={{ borderRadius: "var(--mantine-radius-md)" }}
          />
        </li>
      ))}
    </Stack>
  );
}
