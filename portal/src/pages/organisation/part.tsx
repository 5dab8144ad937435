import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface PartProps {
  /** The id of the heading. */
  id: string;
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** A part of the page with heading and introduction. */
export function Part({ id, title, lead, children }: PartProps) {
  return (
    <Stack component="section" aria-labelledby={id} gap="sm">
      <div>
        <Title order={2} size="h3" id={id}>
          {title}
        </Title>
        {lead !== undefined && (
          <Text size="sm" c="dimmed" maw={640}>
            {lead}
          </Text>
        )}
      </div>
      {children}
    </Stack>
  );
}
