import { useRef } from "react";
import type { Home } from "../../api/home.ts";

/**
 * Whether the account had no successful call when the page was opened. The value does not change until the page is
 * left, so that the first steps stay visible after the first successful call.
 */
export function useIsNewcomer(home: Home | undefined): boolean {
  const atFirst = useRef<boolean>(undefined);
  if (home !== undefined) atFirst.current ??= home.latest_success === null;
  return atFirst.current === true;
}
