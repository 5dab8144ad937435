import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { loadChunk } from "../../api/load-chunk.ts";
import { t } from "../../api/locale.ts";
import { useAccount } from "../../api/session.ts";
import { ApiCall } from "../../display/calls/api-call.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Page } from "../../display/page.tsx";
import { Permitted } from "../../display/permitted.tsx";
import { DropZone } from "./files/drop-zone.tsx";
import { kindOf } from "./files/sending.ts";
import { UploadList } from "./files/upload-list.tsx";
import { sending, useSending } from "./files/use-sending.ts";
import { BeatList } from "./list/beat-list.tsx";
import { StorageUse } from "./storage-use.tsx";
import { uploadsQuery } from "./studio-queries.ts";

export const audioTypes = ".wav,.aif,.aiff,.aifc,.flac,.mp3,.ogg,.m4a,audio/*";

const DefaultsDialog = lazy(() =>
  loadChunk(() => import("./defaults/defaults-dialog.tsx")).then((module) => ({ default: module.DefaultsDialog })),
);

const route = getRouteApi("/frame/signed-in/studio");

/** The studio's page: uploads files, and lists the beats by status. */
export function StudioPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const userId = useAccount()?.user_id;
  const files = useSending();
  const uploads = useQuery(uploadsQuery);
  const [isSettingDefaults, defaults] = useDisclosure();
  const defaultsButton = useRef<HTMLButtonElement>(null);
  const closeDefaults = () => {
    defaults.close();
    // The unmounted dialog cannot return the focus, so focus the button.
    defaultsButton.current?.focus();
  };
  /** The key of a recording that was added without other files. */
  const [alone, setAlone] = useState<string | null>(null);

  // Open the form of a single recording while it is being sent. For several recordings, stay on this page.
  const uploadId = files.find(({ key }) => key === alone)?.id ?? null;
  useEffect(() => {
    if (uploadId !== null) void navigate({ to: "/studio/uploads/$uploadId", params: { uploadId } });
  }, [uploadId, navigate]);

  const add = (newFiles: File[]) => {
    if (userId === undefined) return;
    const keys = newFiles.map((file) => sending.add(userId, file, kindOf(file)));
    const [firstFile] = newFiles;
    setAlone(
      newFiles.length === 1 && firstFile !== undefined && kindOf(firstFile) === "audio" ? (keys[0] ?? null) : null,
    );
  };
  return (
    <Page
      title={t("nav.studio")}
      lead={t("studio.studioLead")}
      actions={
        <>
          <Permitted to="studio:write" isQuiet>
            <Button ref={defaultsButton} size="xs" variant="default" onClick={defaults.open}>
              {t("studio.defaults")}
            </Button>
          </Permitted>
          <Button size="xs" variant="default" renderRoot={(props) => <Link to="/studio/discounts" {...props} />}>
            {t("studio.discounts")}
          </Button>
          <Button size="xs" variant="default" renderRoot={(props) => <Link to="/studio/free-downloads" {...props} />}>
            {t("studio.freeDownloads")}
          </Button>
          <ApiCall call={{ operationId: "listOwnBeats", query: { status: search.show, page: search.page } }} />
        </>
      }
    >
      <Permitted to="studio:write">
        <DropZone
          action={t("studio.chooseFiles")}
          accept={`${audioTypes},.zip,.png,.jpg,.jpeg,.webp`}
          isMultiple
          onFiles={add}
        >
          {t("studio.dropZoneHint")}
        </DropZone>
      </Permitted>
      {uploads.error !== null && <ErrorAlert error={uploads.error} onRetry={() => void uploads.refetch()} />}
      <StorageUse storage={uploads.data?.storage} />
      <UploadList files={files} uploads={uploads.data?.uploads ?? []} listedAtMs={uploads.dataUpdatedAt} />
      <BeatList search={search} />
      {isSettingDefaults && (
        <Suspense>
          <DefaultsDialog onClose={closeDefaults} />
        </Suspense>
      )}
    </Page>
  );
}
