import { ActionIcon, Paper, TextInput } from "@mantine/core";
import { IconChartDonut } from "@tabler/icons-react";
import { lazy, Suspense, useId, useRef, useState } from "react";
import { loadChunk } from "../../../../../api/load-chunk.ts";
import { TagsField } from "../../../../../display/tags-field.tsx";
import { listOf, valuesOf } from "../../../call/value-list.ts";
import { type ControlProps, commonProps } from "../control-props.tsx";

const KeyWheel = lazy(async () => ({ default: (await loadChunk(() => import("./key-wheel.tsx"))).KeyWheel }));

/** One key or several, typed in any spelling or chosen on the circle of fifths. */
export function KeyControl({ field, value, onChange }: ControlProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const singleText = value === "" ? [] : [value];
  const texts = field.isList ? valuesOf(value) : singleText;
  const parts = {
    ...commonProps(field),
    autoComplete: "off",
    rightSection: (
      <ActionIcon
        ref={button}
        variant="subtle"
        aria-label={`Choose ${field.name} on the circle of fifths`}
        aria-expanded={isOpen}
        aria-controls={id}
        title="Circle of fifths"
        onClick={() => setIsOpen(!isOpen)}
      >
        <IconChartDonut size={18} />
      </ActionIcon>
    ),
    rightSectionPointerEvents: "all" as const,
  };
  return (
    <div>
      {field.isList ? (
        <TagsField {...parts} value={texts} onChange={(tags) => onChange(listOf(tags))} />
      ) : (
        <TextInput
          {...parts}
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
      {isOpen && (
        <Paper
          id={id}
          withBorder
          p="sm"
          mt="xs"
          maw="max-content"
          role="group"
          aria-label={`Choose ${field.name}`}
          onKeyDown={({ key }) => {
            if (key !== "Escape") return;
            setIsOpen(false);
            button.current?.focus();
          }}
        >
          <Suspense>
            <KeyWheel
              label={`${field.name}: circle of fifths`}
              keys={texts}
              takesCompatible={field.takesCompatibleKeys}
              isMultiple={field.isList}
              onChange={(keys) => onChange(listOf(keys))}
            />
          </Suspense>
        </Paper>
      )}
    </div>
  );
}
