import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client.ts";

export const organisationKey = ["organisation"] as const;

/** The members and invitations of the organisation that the person acts as. */
export const organisationQuery = queryOptions({
  queryKey: organisationKey,
  queryFn: () => unwrap(api.GET("/organisation")),
});
