import { TextInput } from "@mantine/core";
import { IconSelector } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { t } from "../api/locale.ts";
import classes from "./combobox.module.css";
import type { Option, SelectProps } from "./select-props.ts";
import { useTouch } from "./unsaved-work.tsx";

interface ComboboxProps extends Omit<SelectProps, "data"> {
  options: readonly Option[];
}

/**
 * A choice from a long list that typing filters: the editable combobox of the ARIA Authoring Practices. When the field
 * loses the focus, a text that is an option becomes the choice, and an empty text clears the choice if `clearable`; any
 * other text is replaced by the previous choice.
 */
export function Combobox({ options, value, onChange, placeholder, clearable = false, ...props }: ComboboxProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  /** The typed text; null if nothing was typed since the last choice. */
  const [typedText, setTypedText] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const touch = useTouch();
  const selectedOption = options.find((option) => option.value === value);
  const matches = typedText === null || typedText === "" ? [...options] : matching(options, typedText);
  if (clearable && !typedText) matches.unshift({ value: "", label: placeholder ?? "" });

  // Runs after each render, because typing changes the height of the list.
  useEffect(() => {
    const box = input.current?.getBoundingClientRect();
    if (!isOpen || box === undefined || list.current === null) return;
    // The browser's top layer prevents dialogs and scrolling panes from clipping the list.
    if (!list.current.matches(":popover-open")) list.current.showPopover();
    const { style, offsetHeight } = list.current;
    const isBelow = box.bottom + offsetHeight + 4 <= innerHeight || box.top < offsetHeight;
    style.top = `${(isBelow ? box.bottom + 4 : box.top - offsetHeight - 4) + scrollY}px`;
    style.left = `${box.left + scrollX}px`;
    style.minWidth = `${box.width}px`;
  });
  useEffect(() => {
    if (isOpen) list.current?.querySelector(`[data-at="${active}"]`)?.scrollIntoView({ block: "nearest" });
  }, [isOpen, active]);

  const open = () => {
    if (isOpen) return;
    setActive(
      Math.max(
        0,
        matches.findIndex((each) => each.value === (value ?? "")),
      ),
    );
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    setTypedText(null);
  };
  const choose = (option: Option | undefined) => {
    close();
    const next = option === undefined || option.value === "" ? null : option.value;
    if (option === undefined || next === value) return;
    touch();
    onChange(next);
  };
  /**
   * Chooses the option that equals the typed text. An empty text clears the choice if `clearable`. Runs when the field
   * loses the focus.
   */
  const settle = () => {
    if (typedText === null) return close();
    const isNothing = clearable && typedText.trim() === "";
    choose(
      isNothing
        ? { value: "", label: "" }
        : options.find(({ label }) => withoutAccents(label) === withoutAccents(typedText)),
    );
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && isOpen) {
      if (matches.length > 0) choose(matches[active]);
    } else if (event.key === "Escape" && isOpen) close();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      if (isOpen) setActive((at) => (at + step + matches.length) % Math.max(1, matches.length));
      else open();
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        {...props}
        ref={input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen && matches.length > 0}
        aria-controls={id}
        aria-activedescendant={isOpen && matches.length > 0 ? `${id}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        // A dialog stays open when Escape closes the list.
        data-mantine-stop-propagation={isOpen}
        rightSection={<IconSelector size={14} />}
        rightSectionPointerEvents="none"
        placeholder={placeholder}
        value={typedText ?? selectedOption?.label ?? ""}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onClick={open}
        onChange={({ currentTarget }) => {
          setTypedText(currentTarget.value);
          setActive(0);
          setOpen(true);
        }}
        onKeyDown={press}
        onBlur={settle}
      />
      {isOpen && (
        <div ref={list} popover="manual" className={classes.popover}>
          {matches.length === 0 && (
            <div className={classes.none}>{t("ui.noOptionMatches", { typed: typedText ?? "" })}</div>
          )}
          <div
            className={classes.list}
            role="listbox"
            id={id}
            aria-label={typeof props.label === "string" ? props.label : props["aria-label"]}
          >
            {matches.map(({ value: optionValue, label }, at) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and takes the keys
              // biome-ignore lint/a11y/useFocusableInteractive: the field says which option is active
              <div
                key={optionValue}
                id={`${id}-${at}`}
                data-at={at}
                role="option"
                aria-selected={optionValue === (value ?? "")}
                data-active={at === active || undefined}
                dir="auto"
                className={classes.option}
                // The field keeps the focus.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose({ value: optionValue, label })}
              >
                {label}
              </div>
            ))}
          </div>
        </div>
      )}
    </>
  );
}

/** Normalises a text for comparison: no case, no accents. */
const withoutAccents = (text: string): string => text.trim().normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The options that contain a text. Equal labels come first, then labels that begin with the text. */
function matching(options: readonly Option[], text: string): Option[] {
  const typed = withoutAccents(text);
  const rank = ({ label }: Option) => {
    if (withoutAccents(label) === typed) return 0;
    return withoutAccents(label).startsWith(typed) ? 1 : 2;
  };
  return options
    .filter(({ label }) => withoutAccents(label).includes(typed))
    .sort((option, otherOption) => rank(option) - rank(otherOption));
}
