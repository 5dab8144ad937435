import { Text } from "@mantine/core";

const colors: Record<string, string> = {
  POST: "var(--mantine-color-teal-light-color)",
  PUT: "var(--mantine-color-orange-light-color)",
  PATCH: "var(--mantine-color-orange-light-color)",
  DELETE: "var(--mantine-color-red-light-color)",
};

/** A method in the colour of its effect; reads are grey. */
export const MethodLabel = ({ method, size = "xs" }: { method: string; size?: "xs" | "sm" }) => (
  <Text
    component="span"
    size={size}
    fw={600}
    ff="monospace"
    c={colors[method] ?? "dimmed"}
    style={{ flex: "none", minWidth: "3.5em" }}
  >
    {method === "DELETE" ? "DEL" : method}
  </Text>
);
