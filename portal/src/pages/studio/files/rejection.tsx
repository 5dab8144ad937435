import { Alert, Button, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { t } from "../../../api/locale.ts";
import { DocsLink, rejectedUploads } from "../../../display/docs-links.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { retryUpload, type Upload, useStudioMutation } from "../studio-queries.ts";

/**
 * The reason for the rejection of a file, with a button to analyse the file again if that may help. Renders nothing for
 * other files.
 */
export function Rejection({ upload }: { upload: Upload }) {
  const retry = useStudioMutation(() => retryUpload(upload.id));
  if (upload.status !== "rejected") return null;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle />}
      title={t("studio.fileRejectedTitle", { filename: upload.filename })}
      role="alert"
    >
      <Text size="sm">
        {upload.rejection} <DocsLink place={rejectedUploads}>{t("studio.whatMayBeUploaded")}</DocsLink>
      </Text>
      {upload.is_retriable && (
        <Button size="xs" variant="default" mt="xs" loading={retry.isPending} onClick={() => retry.mutate(undefined)}>
          {t("ui.tryAgain")}
        </Button>
      )}
      {retry.error !== null && <ErrorAlert error={retry.error} />}
    </Alert>
  );
}
