import { Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

/** A part of the page under a heading. */
export function Part({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} style={{ minWidth: 0 }}>
      <Title order={2} size="h3" id={titleId} mb={note === undefined ? "xs" : 0}>
        {title}
      </Title>
      {note !== undefined && (
        <Text size="xs" c="dimmed" mb="sm">
          {note}
        </Text>
      )}
      {children}
    </section>
  );
}
