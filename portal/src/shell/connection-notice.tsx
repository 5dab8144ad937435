import { Loader } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { isConnectionLost, onConnectionChange } from "../api/connection.ts";
import { t } from "../api/locale.ts";
import classes from "./connection-notice.module.css";

/** The notice of a lost connection, above everything else. Always mounted, so that screen readers announce changes. */
export function ConnectionNotice() {
  const isLost = useSyncExternalStore(onConnectionChange, isConnectionLost);
  return (
    <div aria-live="polite" className={classes.place}>
      {isLost && (
        <div className={classes.notice}>
          <Loader size={14} color="currentColor" aria-hidden />
          {t("shell.connectionLost")}
        </div>
      )}
    </div>
  );
}
