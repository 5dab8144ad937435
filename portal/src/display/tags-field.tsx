import { Pill, PillsInput, type PillsInputProps } from "@mantine/core";
import { type ChangeEvent, type KeyboardEvent, useId, useState } from "react";
import { useTouch } from "./unsaved-work.tsx";

interface TagsFieldProps extends Omit<PillsInputProps, "value" | "onChange" | "children"> {
  value: readonly string[];
  onChange: (tags: string[]) => void;
  placeholder?: string | undefined;
  /** The maximum number of tags. By default the number is not limited. */
  maxTags?: number;
  /** Suggestions while typing; other texts are also accepted. */
  choices?: readonly string[];
}

/**
 * A list of texts. Enter, a comma, a chosen suggestion or leaving the field adds a text; Backspace in the empty
 * field removes the last text.
 */
export function TagsField({ value, onChange, placeholder, maxTags, choices, ...props }: TagsFieldProps) {
  const [typedText, setTypedText] = useState("");
  const listId = useId();
  const touch = useTouch();
  const change = (tags: string[]) => {
    touch();
    onChange(tags);
  };
  const add = (texts: readonly string[]) => {
    const addedTags = texts.map((text) => text.trim()).filter((text) => text !== "");
    if (addedTags.length > 0) change([...new Set([...value, ...addedTags])].slice(0, maxTags));
  };
  const changeText = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const texts = currentTarget.value.split(",");
    const isChosen = texts.length === 1 && choices?.includes(currentTarget.value) === true;
    setTypedText(isChosen ? "" : (texts.at(-1) ?? ""));
    add(isChosen ? texts : texts.slice(0, -1));
  };
  const addTyped = () => {
    setTypedText("");
    add([typedText]);
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && typedText !== "") {
      event.preventDefault();
      addTyped();
    }
    if (event.key === "Backspace" && typedText === "") change(value.slice(0, -1));
  };
  return (
    <PillsInput {...props}>
      <Pill.Group>
        {value.map((tag) => (
          <Pill key={tag} withRemoveButton onRemove={() => change(value.filter((each) => each !== tag))}>
            <bdi>{tag}</bdi>
          </Pill>
        ))}
        <PillsInput.Field
          value={typedText}
          placeholder={value.length === 0 ? placeholder : undefined}
          autoComplete="off"
          spellCheck={false}
          {...(choices !== undefined && { list: listId })}
          onChange={changeText}
          onKeyDown={press}
          onBlur={addTyped}
        />
      </Pill.Group>
      {choices !== undefined && (
        <datalist id={listId}>
          {choices
            .filter((choice) => !value.includes(choice))
            .map((choice) => (
              <option key={choice} value={choice} />
            ))}
        </datalist>
      )}
    </PillsInput>
  );
}
