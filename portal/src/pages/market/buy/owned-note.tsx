import { Alert, Anchor } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { t } from "../../../api/locale.ts";
import type { OwnedLicense } from "../../../api/market.ts";
import { licenseLabels } from "../../../display/beats/licenses.ts";
import { words } from "../../../display/words.tsx";

/** Says that the buyer already has this license or is paying for it, with a link to the order. */
export const OwnedNote = ({ owned: { license_type, order_id, status } }: { owned: OwnedLicense }) => (
  <Alert
    color="blue"
    variant="light"
    icon={<IconInfoCircle />}
    role="status"
    title={
      status === "completed"
        ? t("market.licenseAlreadyOwned", { license: licenseLabels[license_type] })
        : t("market.licenseAlreadyPending", { license: licenseLabels[license_type] })
    }
  >
    {words(status === "completed" ? "market.ownedFilesInLibrary" : "market.pendingOutcomeInLibrary", {
      link: (text) => (
        <Anchor size="sm" renderRoot={(props) => <Link to="/library" search={{ order: order_id }} {...props} />}>
          {text}
        </Anchor>
      ),
      order: String(order_id),
    })}
  </Alert>
);
