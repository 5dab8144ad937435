import { Box, Burger, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Outlet } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { loadChunk } from "../api/load-chunk.ts";
import { t } from "../api/locale.ts";
import { useMode } from "../api/mode.ts";
import { usePlayer } from "../display/player/use-player.ts";
import { SkipLink } from "../display/skip-link.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { Brand } from "./brand.tsx";
import { ColorSchemeButton } from "./color-scheme-button.tsx";
import { EndpointBanner } from "./endpoint-banner.tsx";
import classes from "./frame.module.css";
import { ModeSwitch } from "./mode-switch.tsx";
import { Navigation } from "./navigation.tsx";
import { Search } from "./search/search.tsx";
import { useShortcutsKey } from "./shortcuts/use-shortcuts-key.ts";

/** Loaded when the first beat plays. */
const PlayerBar = lazy(() =>
  loadChunk(() => import("../display/player/player-bar.tsx")).then((module) => ({ default: module.PlayerBar })),
);

/** Loaded in test mode. */
const ModeNote = lazy(() =>
  loadChunk(() => import("./mode-note.tsx")).then((module) => ({ default: module.ModeNote })),
);

const Shortcuts = lazy(() =>
  loadChunk(() => import("./shortcuts/shortcuts.tsx")).then((module) => ({ default: module.Shortcuts })),
);

/**
 * The layout of every page except those around signing in: header, navigation, endpoint alerts and player. Mantine's
 * AppShell would add 4 kB to every page's first load.
 */
export function Frame() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const track = usePlayer((state) => state.track);
  const isTest = useMode() === "test";
  const [isHelping, help] = useDisclosure();
  useShortcutsKey(help.open);
  return (
    <div className={classes.frame} data-with-player={track === null ? undefined : true}>
      <SkipLink to="content">{t("shell.skipToTheContent")}</SkipLink>
      <header className={classes.header}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={isOpen ? t("shell.closeTheMenu") : t("shell.openTheMenu")}
              aria-expanded={isOpen}
            />
            <Brand />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ModeSwitch visibleFrom="xs" />
            <Search onShortcuts={help.open} />
            <ColorSchemeButton />
            <AccountMenu />
          </Group>
        </Group>
      </header>
      <nav className={classes.navigation} data-open={isOpen || undefined} aria-label={t("shell.portal")}>
        <Navigation onNavigate={close} />
      </nav>
      <main id="content" tabIndex={-1} className={classes.main}>
        {isTest && (
          <Suspense>
            <ModeNote />
          </Suspense>
        )}
        <EndpointBanner />
        <Box maw={1200} mx="auto">
          <Outlet />
        </Box>
      </main>
      {isHelping && (
        <Suspense>
          <Shortcuts onClose={help.close} />
        </Suspense>
      )}
      {track !== null && (
        <footer className={classes.player}>
          <Suspense>
            <PlayerBar track={track} />
          </Suspense>
        </footer>
      )}
    </div>
  );
}
