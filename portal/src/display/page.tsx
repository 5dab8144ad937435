import { Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTitle } from "./use-title.ts";

interface PageProps {
  title: string;
  /** The title of the document, if the heading does not distinguish the page from others. */
  documentTitle?: string;
  /** One sentence below the title. */
  lead?: ReactNode;
  /** Buttons to the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page inside the frame. Sets the title of the document. */
export function Page({ title, documentTitle = title, lead, actions, children }: PageProps) {
  useTitle(documentTitle);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ minWidth: 0, overflowWrap: "anywhere" }}>
          <Title order={1} size="h2">
            {title}
          </Title>
          {lead !== undefined && (
            <Text c="dimmed" size="sm" component="div">
              {lead}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

/** Placeholder rows of the final size, so that the layout does not shift. */
export function RowsSkeleton({ rows = 6, height = 36 }: { rows?: number; height?: number }) {
  return (
    <Stack gap="xs" aria-hidden>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical
        <Skeleton key={index} height={height} />
      ))}
    </Stack>
  );
}
