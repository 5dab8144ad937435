import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { DecimalInput } from "../../../display/decimal-input.tsx";
import { ownerReads, ReasonDialog } from "../reason-dialog.tsx";
import { useAdminMutation } from "../use-admin-mutation.ts";

/** Sets the commission on an account's new sales. An empty field means the default. */
export function CommissionButton({ account }: { account: components["schemas"]["AdminAccountDetail"] }) {
  const { shop } = account;
  const [isOpen, setOpen] = useState(false);
  const present = shop.has_own_commission ? shop.commission_basis_points / 100 : null;
  const [percent, setPercent] = useState(present);
  const close = () => setOpen(false);
  const change = useAdminMutation(
    (reason: string) =>
      unwrap(
        api.POST("/admin/accounts/{user_id}/commission", {
          params: { path: { user_id: account.id } },
          body: { basis_points: percent === null ? null : Math.round(percent * 100), reason },
        }),
      ),
    close,
  );
  return (
    <>
      <Button
        variant="default"
        size="xs"
        onClick={() => {
          setPercent(present);
          setOpen(true);
        }}
      >
        Change the commission
      </Button>
      <ReasonDialog
        title="Change the commission"
        opened={isOpen}
        onClose={close}
        reasonHelp={ownerReads}
        confirmLabel="Set the commission"
        error={change.error}
        isPending={change.isPending}
        onConfirm={(reason) => change.mutate(reason)}
      >
        <Stack gap="sm">
          <Text size="sm">It applies to sales from now on. Earlier sales keep their commission.</Text>
          <DecimalInput
            label="Percent of each sale"
            description="Empty: the default of the service."
            value={percent}
            onChange={setPercent}
            min={0}
            max={100}
          />
        </Stack>
      </ReasonDialog>
    </>
  );
}
