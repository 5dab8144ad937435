import { Button, Checkbox, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";
import { useAdminMutation } from "../use-admin-mutation.ts";

type Report = components["schemas"]["AdminReport"];
type Step = "notice" | "uphold" | "reject";

/** The actions for an undecided report. Renders nothing for a decided one. */
export function ReportActions({ report }: { report: Report }) {
  const [step, setStep] = useState<Step | null>(null);
  const close = () => setStep(null);
  if (report.decided_at !== null) return null;
  // A report may be upheld after a counter-notice, or after the deadline for the counter-notice.
  const canUphold = report.state === "countered" || (report.state === "notice_sent" && report.is_due);
  return (
    <Group gap="xs">
      {report.state === "open" && (
        <Button size="xs" onClick={() => setStep("notice")}>
          Send the notice
        </Button>
      )}
      {canUphold && (
        <Button size="xs" variant="light" color="red" onClick={() => setStep("uphold")}>
          Uphold
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => setStep("reject")}>
        Reject
      </Button>
      <NoticeDialog report={report} opened={step === "notice"} onClose={close} />
      <DecisionDialog report={report} step={step} onClose={close} />
    </Group>
  );
}

function NoticeDialog({ report, opened, onClose }: { report: Report; opened: boolean; onClose: () => void }) {
  const params = { path: { report_id: report.id } };
  const send = useAdminMutation(() => unwrap(api.POST("/admin/reports/{report_id}/notice", { params })), onClose);
  return (
    <Modal opened={opened} onClose={onClose} title="Send the notice" closeButtonProps={{ "aria-label": "Close" }}>
      <Stack>
        {send.error !== null && <ErrorAlert error={send.error} />}
        <Text size="sm">
          The producer gets the reason and the text of the report by mail, without the address, and may counter it once
          within 14 days. The beat stays on sale until you decide, or take it down.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={send.isPending} onClick={() => send.mutate(undefined)}>
            Send the notice
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function DecisionDialog({ report, step, onClose }: { report: Report; step: Step | null; onClose: () => void }) {
  const [withdrawsFiles, setWithdrawsFiles] = useState(false);
  const isUpheld = step === "uphold";
  const params = { path: { report_id: report.id } };
  const decide = useAdminMutation(
    (reason: string) =>
      isUpheld
        ? unwrap(
            api.POST("/admin/reports/{report_id}/uphold", { params, body: { reason, withdraw_files: withdrawsFiles } }),
          )
        : unwrap(api.POST("/admin/reports/{report_id}/reject", { params, body: { reason } })),
    onClose,
  );
  return (
    <ReasonDialog
      title={isUpheld ? "Uphold the report" : "Reject the report"}
      opened={step === "uphold" || step === "reject"}
      onClose={onClose}
      reasonHelp="Both sides read it, in a mail."
      confirmLabel={isUpheld ? "Uphold" : "Reject"}
      isDangerous={isUpheld}
      error={decide.error}
      isPending={decide.isPending}
      onConfirm={(reason) => decide.mutate(reason)}
    >
      {isUpheld ? (
        <Stack gap="sm">
          <Text size="sm">
            {report.beat.is_taken_down
              ? "The beat is taken down already, and stays so."
              : "The beat is taken down. Buyers keep what they bought, unless you withdraw its files."}
          </Text>
          {!report.beat.is_taken_down && (
            <Checkbox
              label="Withdraw the files of its buyers, too"
              checked={withdrawsFiles}
              onChange={(event) => setWithdrawsFiles(event.currentTarget.checked)}
            />
          )}
        </Stack>
      ) : report.beat.is_taken_down ? (
        "The beat stays taken down. You can restore it on the Beats page."
      ) : (
        "The beat stays as it is. The address that reported it gets a mail, and its producer if the notice was sent."
      )}
    </ReasonDialog>
  );
}
