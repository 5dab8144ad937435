import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { t } from "../../api/locale.ts";
import { ApiCall } from "../../display/calls/api-call.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { BeatEditor } from "./beat/beat-editor.tsx";
import { BeatStatusBadge } from "./list/status-badge.tsx";
import { SplitPart } from "./split-part.tsx";
import { beatQuery, optionsQuery } from "./studio-queries.ts";

const route = getRouteApi("/frame/signed-in/studio/beats/$beatId");

/** One of the account's beats: hear it, change it, publish it, withdraw it. */
export function BeatPage() {
  const { beatId } = route.useParams();
  const beat = useQuery(beatQuery(beatId));
  const options = useQuery(optionsQuery);
  const error = beat.error ?? options.error;
  const status = beat.data?.beat.status;
  return (
    <Page
      title={beat.data?.beat.title ?? t("studio.beat")}
      {...(status !== undefined && {
        actions: (
          <>
            <BeatStatusBadge
              status={status}
              exclusive={beat.data?.exclusive ?? "available"}
              isTakenDown={(beat.data?.takedown ?? null) !== null}
            />
            <ApiCall call={{ operationId: "getBeat", parameters: { beat_id: beatId } }} />
          </>
        ),
      })}
    >
      {error !== null && beat.data === undefined && <ErrorAlert error={error} onRetry={() => void beat.refetch()} />}
      {error === null && (beat.data === undefined || options.data === undefined) && (
        <RowsSkeleton rows={6} height={64} />
      )}
      {beat.data !== undefined && options.data !== undefined && (
        <BeatEditor
          key={beatId}
          live={beat.data}
          options={options.data}
          reload={async () => (await beat.refetch({ throwOnError: true })).data}
        />
      )}
      {beat.data !== undefined && <SplitPart beatId={beatId} />}
    </Page>
  );
}
