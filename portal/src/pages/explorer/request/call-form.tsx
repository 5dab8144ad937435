import { Select, SimpleGrid, Text, TextInput } from "@mantine/core";
import type { FieldValues } from "../call/explorer-call.ts";
import type { Field, Operation } from "../call/operations.ts";
import { TextWithCode } from "../text-with-code.tsx";

interface CallFormProps {
  operation: Operation;
  values: FieldValues;
  onChange: (name: string, value: string) => void;
}

/** An input for each parameter and body field, without validation: the API validates. */
export function CallForm({ operation, values, onChange }: CallFormProps) {
  if (operation.fields.length === 0)
    return (
      <Text size="sm" c="dimmed">
        This operation takes no parameters.
      </Text>
    );
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="sm">
      {operation.fields.map((field) => (
        <FieldInput
          key={`${operation.id} ${field.name}`}
          field={field}
          value={values[field.name] ?? ""}
          onChange={(value) => onChange(field.name, value)}
        />
      ))}
    </SimpleGrid>
  );
}

function FieldInput({ field, value, onChange }: { field: Field; value: string; onChange: (value: string) => void }) {
  const { name, place, isRequired, description, kind, choices, isNullable, defaultValue, example } = field;
  const help = isNullable ? `${description} \`null\` clears it.` : description;
  const placeholder = defaultValue ?? (example === undefined ? undefined : `for example ${example}`);
  const common = {
    label: name,
    required: isRequired,
    description: help === "" ? undefined : <TextWithCode text={help} />,
    placeholder,
    inputWrapperOrder: ["label", "input", "description", "error"] as ("label" | "input" | "description" | "error")[],
  };
  if (kind === "choice")
    return (
      <Select
        {...common}
        clearable={!isRequired}
        data={choices}
        value={choices.includes(value) ? value : null}
        onChange={(chosen) => onChange(chosen ?? "")}
      />
    );
  return (
    <TextInput
      {...common}
      name={`${place}-${name}`}
      autoComplete="off"
      spellCheck={false}
      inputMode={kind === "integer" ? "numeric" : undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
