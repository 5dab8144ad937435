import { useRef } from "react";
import type { Home } from "../../api/home.ts";

/**
 * Whether the account had no call that worked when the page was opened. It stays so until the page is left, so that the
 * first steps end with the call that worked and do not vanish under its answer.
 */
export function useIsNewcomer(home: Home | undefined): boolean {
  const atFirst = useRef<boolean>(undefined);
  if (home !== undefined) atFirst.current ??= home.latest_success === null;
  return atFirst.current === true;
}
