import { useMutation, useQueryClient } from "@tanstack/react-query";
import { t } from "../../api/locale.ts";
import { organisationKey } from "../../api/organisation.ts";
import type { components } from "../../api/paths.ts";
import { sessionKey } from "../../api/session.ts";

export type Organisation = components["schemas"]["Organisation"];
export type Member = components["schemas"]["Member"];
export type Role = Member["role"];

/** The roles with descriptions (docs/organisations.md, Roles). */
export const roleChoices = (): { value: Role; label: string }[] => [
  { value: "owner", label: t("settings.ownerDoes") },
  { value: "developer", label: t("settings.developerDoes") },
  { value: "billing", label: t("settings.billingDoes") },
  { value: "viewer", label: t("settings.viewerDoes") },
];

/** A mutation of the organisation. Refetches all data of the organisation, and the session. */
export function useOrganisationMutation<Input>(change: (input: Input) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: organisationKey });
      await client.invalidateQueries({ queryKey: sessionKey });
    },
  });
}
