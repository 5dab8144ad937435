import { Alert, Anchor } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { OwnedLicense } from "../../../api/market.ts";
import { licenseLabels } from "../../../display/beats/licenses.ts";

/** Says that the buyer already has this license, with a link to it. */
export const OwnedNote = ({ owned: { license_type, order_id, status } }: { owned: OwnedLicense }) => (
  <Alert
    color="blue"
    variant="light"
    icon={<IconInfoCircle />}
    role="status"
    title={
      status === "completed"
        ? `You already have the ${licenseLabels[license_type]} license of this beat`
        : `You are already paying for the ${licenseLabels[license_type]} license of this beat`
    }
  >
    {status === "completed" ? "Its files and its certificate are in " : "What comes of it is in "}
    <Anchor size="sm" renderRoot={(props) => <Link to="/library" search={{ order: order_id }} {...props} />}>
      your library, order {order_id}
    </Anchor>
    .
  </Alert>
);
