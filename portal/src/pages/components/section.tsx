import { Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** A titled section of the page that shows all components, such as Charts. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack component="section" gap="md" aria-label={title}>
      <Title order={2} size="h3">
        {title}
      </Title>
      {children}
    </Stack>
  );
}
