import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { type MemberPermission, useRefusal } from "../api/session.ts";

interface PermittedProps {
  /** The permission that the controls need. */
  to: MemberPermission;
  /** Omits the reason, for a page that already shows it. */
  isQuiet?: boolean;
  children: ReactNode;
}

/** Controls that need a permission. If the member's role lacks it, disables them and shows the reason. */
export function Permitted({ to, isQuiet = false, children }: PermittedProps) {
  const refusal = useRefusal(to);
  if (refusal === undefined) return children;
  return (
    <>
      <fieldset disabled style={{ display: "contents" }}>
        {children}
      </fieldset>
      {!isQuiet && (
        <Text size="sm" c="dimmed" maw={480}>
          {refusal}
        </Text>
      )}
    </>
  );
}
