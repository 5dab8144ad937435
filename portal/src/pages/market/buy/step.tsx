import { Stack } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";

/** A step of a dialog. It takes the focus, since the button that led to it is gone. */
export function Step({ label, children }: { label: string; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <Stack ref={element} role="group" aria-label={label} tabIndex={-1} style={{ outline: "none" }}>
      {children}
    </Stack>
  );
}
