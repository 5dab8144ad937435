import { Text } from "@mantine/core";
import { fieldId } from "./field-errors.ts";

/** The error message below a field. */
export const FieldProblem = ({ field, problem }: { field: string; problem: string }) => (
  <Text size="xs" c="red" id={`${fieldId(field)}-problem`} role="alert">
    {problem}
  </Text>
);
