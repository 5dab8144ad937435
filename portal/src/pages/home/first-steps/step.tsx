import { Group, Text, ThemeIcon, Title } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";

interface StepProps {
  number: number;
  title: string;
  isDone: boolean;
  /** Whether the step's content is shown. */
  isOpen: boolean;
  children: ReactNode;
}

/** One of the first steps. */
export function Step({ number, title, isDone, isOpen, children }: StepProps) {
  return (
    <Group component="li" gap="md" wrap="nowrap" align="flex-start">
      <ThemeIcon
        size={24}
        radius="xl"
        variant={isDone ? "filled" : "light"}
        {...(isDone && { "aria-label": "Done", role: "img" })}
      >
        {isDone ? <IconCheck size={14} /> : <Text size="xs">{number}</Text>}
      </ThemeIcon>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Title order={3} size="h4" mt={2} mb={isOpen ? "xs" : 0} {...(!isOpen && !isDone && { c: "dimmed" })}>
          {title}
        </Title>
        {isOpen && children}
      </div>
    </Group>
  );
}
