import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import type { components } from "../../api/paths.ts";
import { sessionKey } from "../../api/session.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { RowsSkeleton } from "../../display/page.tsx";
import { ProfileForm } from "../../display/profile-form.tsx";
import { LinksForm } from "../../display/public-face/links-form.tsx";
import { PicturePart } from "../../display/public-face/picture-part.tsx";
import { Part } from "./part.tsx";

const key = ["organisation", "profile"];

/** Name and public profile of the organisation. */
export function ProfilePart() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: () => unwrap(api.GET("/organisation/profile")),
  });
  const save = async (body: components["schemas"]["ProfileFields"]) => {
    client.setQueryData(key, await unwrap(api.PATCH("/organisation/profile", { body })));
    await client.invalidateQueries({ queryKey: sessionKey });
  };
  return (
    <Part id="profile" title={t("settings.profile")} lead={t("settings.organisationProfileLead")}>
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <RowsSkeleton rows={4} />
      ) : (
        <>
          <PicturePart profile={data} onChanged={(profile) => client.setQueryData(key, profile)} />
          <ProfileForm profile={data} onSave={save} />
          <LinksForm />
        </>
      )}
    </Part>
  );
}
