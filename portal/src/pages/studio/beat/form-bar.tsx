import { Group, Paper, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Permitted } from "../../../display/permitted.tsx";

/**
 * The bar with a form's buttons, which is always visible. `hint` says whether the form is saved, or why it cannot be.
 */
export const FormBar = ({ hint, children }: { hint: string | null; children: ReactNode }) => (
  <Paper withBorder shadow="sm" p="sm" pos="sticky" bottom={0} style={{ zIndex: 5 }}>
    <Group justify="space-between" gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {hint}
      </Text>
      <Permitted to="studio:write">
        <Group gap="xs">{children}</Group>
      </Permitted>
    </Group>
  </Paper>
);
