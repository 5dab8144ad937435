import { Stack } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";

interface StepProps {
  label: string;
  /** The part that takes the focus has `data-autofocus`. */
  hasAutofocus?: boolean;
  children: ReactNode;
}

/** A step of a dialog. It or a part of it takes the focus, since the button that led to it is gone. */
export function Step({ label, hasAutofocus = false, children }: StepProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const part = element.current?.querySelector<HTMLElement>("[data-autofocus]") ?? element.current;
    part?.focus();
  }, []);
  return (
    <Stack
      ref={element}
      role="group"
      aria-label={label}
      tabIndex={-1}
      style={{ outline: "none" }}
      data-autofocus={hasAutofocus ? undefined : true}
    >
      {children}
    </Stack>
  );
}
