import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { t } from "../../../api/locale.ts";
import type { components } from "../../../api/paths.ts";
import { producerPathQuery } from "../../../api/producer-paths.ts";
import { PlayerCode } from "../../../display/player-code.tsx";
import { PublicPageLink } from "../../../display/public-page-link.tsx";
import { Part } from "./account-section.tsx";

/** A link to a producer's public page, and the HTML of its player. Renders nothing for other accounts. */
export function PublicPagePart({ profile }: { profile: components["schemas"]["User"] }) {
  const { data: path } = useQuery(producerPathQuery(profile.id));
  if (path == null) return null;
  return (
    <Part id="public-page" title={t("settings.yourPublicPage")} lead={t("settings.publicPageLead")}>
      <Stack gap="sm">
        <PublicPageLink path={path} />
        <PlayerCode path={path} title={profile.display_name} />
      </Stack>
    </Part>
  );
}
