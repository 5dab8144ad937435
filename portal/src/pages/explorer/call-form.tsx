import { Select, SimpleGrid, Text, TextInput } from "@mantine/core";
import { Described } from "./described.tsx";
import type { Values } from "./explorer-call.ts";
import type { Field, Operation } from "./operations.ts";

interface CallFormProps {
  operation: Operation;
  values: Values;
  onChange: (name: string, value: string) => void;
}

/** A field for each parameter and each part of the body. What is typed is sent as it is: the service says what is wrong. */
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
  const { name, place, isRequired, description, kind, choices, takesNull, fallback, example } = field;
  const said = takesNull ? `${description} \`null\` clears it.` : description;
  const hint = fallback ?? (example === undefined ? undefined : `for example ${example}`);
  const common = {
    label: name,
    required: isRequired,
    description: said === "" ? undefined : <Described text={said} />,
    placeholder: hint,
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
