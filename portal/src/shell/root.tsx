import { Outlet } from "@tanstack/react-router";
import { ConnectionNotice } from "./connection-notice.tsx";
import { UnsavedWorkGuard } from "./unsaved-work-guard.tsx";

/** The root of every page, with the notices above the page. */
export function Root() {
  return (
    <>
      <Outlet />
      <ConnectionNotice />
      <UnsavedWorkGuard />
    </>
  );
}
