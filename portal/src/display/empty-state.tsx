import { Paper, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import type { Icon as IconComponent } from "@tabler/icons-react";
import type { ReactNode } from "react";

interface EmptyStateProps {
  icon: IconComponent;
  title: string;
  /** The next step. */
  children: ReactNode;
  /** A button or link for that step. */
  action?: ReactNode;
}

/** Stands in place of an empty list. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="xs" maw={440} mx="auto" ta="center">
        <ThemeIcon variant="light" size={44} radius="xl">
          <Icon size={22} />
        </ThemeIcon>
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text size="sm" c="dimmed" component="div">
          {children}
        </Text>
        {action !== undefined && <div style={{ marginTop: 8 }}>{action}</div>}
      </Stack>
    </Paper>
  );
}
