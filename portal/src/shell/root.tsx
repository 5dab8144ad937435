import { Outlet } from "@tanstack/react-router";
import { ConnectionNotice } from "./connection-notice.tsx";
import { UnsavedWorkGuard } from "./unsaved-work-guard.tsx";

/** Every page, and what is said above it. */
export function Root() {
  return (
    <>
      <Outlet />
      <ConnectionNotice />
      <UnsavedWorkGuard />
    </>
  );
}
