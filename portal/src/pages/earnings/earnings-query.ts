import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";

export const earningsQuery = queryOptions({ queryKey: ["earnings"], queryFn: () => unwrap(api.GET("/earnings")) });
