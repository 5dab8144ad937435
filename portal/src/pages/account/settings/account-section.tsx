import { Group, Stack, Text, Title } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { t } from "../../../api/locale.ts";
import { useAccount } from "../../../api/session.ts";
import { Page } from "../../../display/page.tsx";
import classes from "./account-section.module.css";

const sections = [
  { to: "/account", label: "settings.profile" },
  { to: "/account/security", label: "settings.security" },
  { to: "/account/sessions", label: "settings.sessions" },
  { to: "/account/data", label: "settings.yourData" },
  { to: "/account/log", label: "settings.securityLog" },
] as const;

/** A section of the account's settings, below the links to all sections. */
export function AccountSection({ children }: { children: ReactNode }) {
  const account = useAccount();
  const pathname = useLocation({ select: (location) => location.pathname.replace(/\/$/, "") });
  const section = sections.find(({ to }) => to === pathname);
  const links = useRef<HTMLUListElement>(null);
  // On a phone the links scroll, so the current section's link may be outside the screen.
  useEffect(() => {
    links.current
      ?.querySelector("[data-active]")
      ?.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  }, []);
  return (
    <Page
      title={t("settings.account")}
      documentTitle={t("settings.documentTitle", { label: section === undefined ? "" : t(section.label) })}
      lead={account === null ? undefined : <span style={{ overflowWrap: "anywhere" }}>{account.email}</span>}
    >
      <nav aria-label={t("settings.account")}>
        <ul className={classes.links} ref={links}>
          {sections.map(({ to, label }) => (
            <li key={to}>
              <Link
                to={to}
                className={classes.link}
                activeOptions={{ exact: true }}
                activeProps={{ "data-active": true }}
              >
                {t(label)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Stack gap={40}>{children}</Stack>
    </Page>
  );
}

interface PartProps {
  /** The id of the heading. */
  id: string;
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}

/** A part of a section with heading, introduction and actions. */
export function Part({ id, title, lead, actions, children }: PartProps) {
  return (
    <Stack component="section" aria-labelledby={id} gap="sm">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ flex: "1 1 320px", maxWidth: 640 }}>
          <Title order={2} size="h3" id={id} tabIndex={-1}>
            {title}
          </Title>
          {lead !== undefined && (
            <Text size="sm" c="dimmed" component="div">
              {lead}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}

/** The reason for disabled actions of the demo account, which everyone shares. */
export const notForDemo = () => t("settings.notForDemo");
