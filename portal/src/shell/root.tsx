import { Outlet } from "@tanstack/react-router";
import { ConnectionNotice } from "./connection-notice.tsx";
import { UnsavedWorkGuard } from "./unsaved-work-guard.tsx";

/** Every page, with the notices above it. */
export function Root() {
  return (
    <>
      <Outlet />
      <ConnectionNotice />
      <UnsavedWorkGuard />
    </>
  );
}
