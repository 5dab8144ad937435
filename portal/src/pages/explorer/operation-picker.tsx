import { Badge, Box, NavLink, Select, Text } from "@mantine/core";
import type { Operation } from "./call/operations.ts";
import classes from "./console.module.css";

const methodColors: Record<string, string> = {
  GET: "blue",
  POST: "teal",
  PUT: "orange",
  PATCH: "orange",
  DELETE: "red",
};

export function MethodBadge({ method, isSmall = false }: { method: string; isSmall?: boolean }) {
  return (
    <Badge
      variant="light"
      radius="sm"
      size={isSmall ? "xs" : "md"}
      color={methodColors[method] ?? "gray"}
      className={classes.method ?? ""}
    >
      {method}
    </Badge>
  );
}

interface OperationPickerProps {
  operations: readonly Operation[];
  chosen: Operation;
  onChoose: (operationId: string) => void;
}

/** The operations by tag: a list on a wide screen, otherwise a select. */
export function OperationPicker({ operations, chosen, onChoose }: OperationPickerProps) {
  const tags = Map.groupBy(operations, ({ tag }) => tag);
  return (
    <>
      <Select
        hiddenFrom="md"
        label="Operation"
        allowDeselect={false}
        data={[...tags].map(([group, tagged]) => ({
          group,
          items: tagged.map(({ id, method, path }) => ({ value: id, label: `${method} ${path}` })),
        }))}
        value={chosen.id}
        onChange={(id) => id !== null && onChoose(id)}
      />
      <Box component="nav" aria-label="Operations" visibleFrom="md">
        {[...tags].map(([tag, tagged]) => (
          <Box key={tag} mb="xs">
            <Text size="xs" fw={600} c="dimmed" px="xs" mb={2}>
              {tag}
            </Text>
            {tagged.map(({ id, method, path }) => (
              <NavLink
                key={id}
                component="button"
                type="button"
                active={id === chosen.id}
                aria-current={id === chosen.id ? "true" : undefined}
                leftSection={<MethodBadge method={method} isSmall />}
                label={path}
                className={classes.operation}
                onClick={() => onChoose(id)}
              />
            ))}
          </Box>
        ))}
      </Box>
    </>
  );
}
