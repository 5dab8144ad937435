import { ActionIcon, Popover, TagsInput, TextInput } from "@mantine/core";
import { IconChartDonut } from "@tabler/icons-react";
import { useState } from "react";
import { listOf, valuesOf } from "../../../call/value-list.ts";
import { type ControlProps, commonProps } from "../control-props.tsx";
import { compatibleKeys, type KeyPlace, keyName, readKey } from "./circle-of-fifths.ts";
import { KeyWheel } from "./key-wheel.tsx";

/** One key or several, typed in any spelling or chosen on the circle of fifths. */
export function KeyControl({ field, value, onChange }: ControlProps) {
  const [isOpen, setIsOpen] = useState(false);
  const texts = field.isList ? valuesOf(value) : value === "" ? [] : [value];
  const selected = texts.map(readKey).filter((place) => place !== undefined);
  const toggle = (place: KeyPlace) => {
    const others = field.isList ? texts.filter((text) => readKey(text) !== place) : [];
    onChange(listOf(selected.includes(place) ? others : [...others, keyName(place)]));
  };
  const { placeholder, ...common } = commonProps(field);
  const its = {
    ...common,
    placeholder: texts.length === 0 ? placeholder : undefined,
    autoComplete: "off",
    rightSection: (
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          aria-label={`Choose ${field.name} on the circle of fifths`}
          title="Circle of fifths"
          onClick={() => setIsOpen(!isOpen)}
        >
          <IconChartDonut size={18} />
        </ActionIcon>
      </Popover.Target>
    ),
    rightSectionPointerEvents: "all" as const,
  };
  return (
    <Popover opened={isOpen} onChange={setIsOpen} trapFocus returnFocus shadow="md" withArrow>
      {field.isList ? (
        <TagsInput {...its} splitChars={[","]} value={texts} onChange={(all) => onChange(listOf(all))} />
      ) : (
        <TextInput
          {...its}
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
      <Popover.Dropdown aria-label={`Choose ${field.name}`}>
        <KeyWheel
          label={`${field.name}: circle of fifths`}
          selected={selected}
          lit={field.takesCompatibleKeys ? selected.flatMap(compatibleKeys) : []}
          isMultiple={field.isList}
          onToggle={toggle}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
