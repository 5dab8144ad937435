import { Stack, Text, Title } from "@mantine/core";
import type { Icon as IconComponent } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { t } from "../api/locale.ts";
import classes from "./empty-state.module.css";

interface EmptyStateProps {
  icon: IconComponent;
  title: string;
  /** The next step. */
  children: ReactNode;
  /** A button or link for that step. */
  action?: ReactNode;
  /** The level of the title: 1 on a page without another heading. */
  level?: 1 | 2;
}

/** Shown in place of an empty list: a waveform that fades out around an icon of the list's future items. */
export function EmptyState({ icon: Icon, title, children, action, level = 2 }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" maw={480} mx="auto" py={40} ta="center">
      <div className={classes.motif} aria-hidden>
        <Waveform />
        <Icon size={24} stroke={1.5} className={classes.icon} />
        <Waveform />
      </div>
      <Title order={level} size="h3">
        {title}
      </Title>
      <Text size="sm" c="dimmed" component="div">
        {children}
      </Text>
      {action !== undefined && <div style={{ marginTop: 12 }}>{action}</div>}
    </Stack>
  );
}

/** Heights of bars in pixels. */
const bars = [6, 14, 9, 22, 12, 30, 18, 26, 10, 20, 32, 16, 24, 12];

function Waveform() {
  return (
    <svg width={bars.length * 6} height={32} className={classes.waveform}>
      <title>{t("ui.waveform")}</title>
      {bars.map((height, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change
        <rect key={index} x={index * 6} y={(32 - height) / 2} width={3} height={height} rx={1.5} />
      ))}
    </svg>
  );
}
