import { Button, Checkbox, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { ReasonDialog } from "../reason-dialog.tsx";
import { useAdminMutation } from "../use-admin-mutation.ts";

type Beat = components["schemas"]["AdminBeat"];

/** Takes a beat down, or ends the takedown. */
export function TakedownButton({ beat }: { beat: Pick<Beat, "id" | "title" | "is_taken_down" | "orders"> }) {
  const [isOpen, setOpen] = useState(false);
  const [withdrawsFiles, setWithdrawsFiles] = useState(false);
  const close = () => setOpen(false);
  const params = { path: { beat_id: beat.id } };
  const change = useAdminMutation(
    (reason: string) =>
      beat.is_taken_down
        ? unwrap(api.POST("/admin/beats/{beat_id}/restore", { params, body: { reason } }))
        : unwrap(
            api.POST("/admin/beats/{beat_id}/takedown", { params, body: { reason, withdraw_files: withdrawsFiles } }),
          ),
    close,
  );
  const label = beat.is_taken_down ? "Restore" : "Take down";
  return (
    <>
      <Button
        size="xs"
        variant={beat.is_taken_down ? "default" : "light"}
        {...(!beat.is_taken_down && { color: "red" })}
        aria-label={`${label} ${beat.title}`}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      <ReasonDialog
        title={`${label}: ${beat.title}`}
        opened={isOpen}
        onClose={close}
        reasonHelp="Its producer reads it, in a mail and in the studio."
        confirmLabel={label}
        isDangerous={!beat.is_taken_down}
        error={change.error}
        isPending={change.isPending}
        onConfirm={(reason) => change.mutate(reason)}
      >
        {beat.is_taken_down ? (
          "The beat is on sale again, unless its producer withdrew it or it is sold. Buyers can download their files."
        ) : (
          <Stack gap="sm">
            <Text size="sm">
              At once it is off sale and off every list, search and page. Its producer gets a mail and can answer once.
            </Text>
            <Checkbox
              label="Withdraw the files of its buyers, too"
              description={
                beat.orders === 0
                  ? "It has no buyers."
                  : `They belong to ${beat.orders === 1 ? "1 order" : `${beat.orders} orders`}. Each buyer gets a mail with the reason. Certificates stay. No refund is made.`
              }
              checked={withdrawsFiles}
              onChange={(event) => setWithdrawsFiles(event.currentTarget.checked)}
            />
          </Stack>
        )}
      </ReasonDialog>
    </>
  );
}
