import { Group, Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

interface SectionProps {
  title: string;
  /** One sentence after the title. */
  note?: ReactNode;
  /** Content to the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page under a heading, without a box. */
export function Section({ title, note, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Group justify="space-between" align="baseline" gap="xs" mb="sm">
        <Group gap="xs" align="baseline">
          <Title order={2} size="h3" id={id}>
            {title}
          </Title>
          {note !== undefined && (
            <Text size="sm" c="dimmed" component="div">
              {note}
            </Text>
          )}
        </Group>
        {actions}
      </Group>
      {children}
    </section>
  );
}
