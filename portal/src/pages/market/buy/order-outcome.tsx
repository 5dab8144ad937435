import { Alert, Button, Group } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconClock } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { PlacedOrder } from "../../../api/market.ts";
import { ownOrigin } from "../../../display/beats/own-origin.ts";
import { documentLink } from "../../../display/document-link.tsx";
import { Step } from "./step.tsx";

interface OrderOutcomeProps {
  order: PlacedOrder;
  onChooseAnew: () => void;
  onClose: () => void;
}

/** What came of a purchase, and the next step. */
export function OrderOutcome({ order, onChooseAnew, onClose }: OrderOutcomeProps) {
  const { id, status, failure_reason, next_action } = order;
  const toLibrary = (label: string, variant: "filled" | "default") => (
    <Button variant={variant} renderRoot={(props) => <Link to="/library" search={{ order: id }} {...props} />}>
      {label}
    </Button>
  );
  return (
    <Step label="Outcome of the purchase">
      {status === "completed" && (
        <>
          <Alert color="teal" icon={<IconCheck />} title={`Order ${id} is completed`} role="status">
            The license is yours. Your files and its certificate are in your library.
          </Alert>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Go on looking
            </Button>
            {toLibrary("Open your library", "filled")}
          </Group>
        </>
      )}
      {status === "pending" && (
        <>
          <Alert color="blue" icon={<IconClock />} title={`Order ${id} is not paid yet`} role="status">
            {next_action === null
              ? "The payment is under way. Your library shows what comes of it."
              : "Your bank wants to hear from you. Finish the payment within 15 minutes."}
          </Alert>
          <Group justify="flex-end">
            {toLibrary("Open your library", "default")}
            {next_action !== null && (
              <Button component="a" {...documentLink(ownOrigin(next_action.url))}>
                Finish paying
              </Button>
            )}
          </Group>
        </>
      )}
      {status === "failed" && (
        <>
          <Alert color="red" icon={<IconAlertTriangle />} title={`Order ${id} failed`} role="alert">
            {failure_reason}
          </Alert>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            <Button onClick={onChooseAnew}>Pay another way</Button>
          </Group>
        </>
      )}
    </Step>
  );
}
