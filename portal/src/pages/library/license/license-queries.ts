import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";

export type LibraryLicense = components["schemas"]["LibraryLicense"];
export type UsageReport = LibraryLicense["usage"]["reports"][number];

/** The license of an order. The server issues it with the files, at the buyer's first request. */
export const licenseQuery = (orderId: number) =>
  queryOptions({
    queryKey: ["library", "license", orderId],
    queryFn: async () => {
      const params = { path: { order_id: orderId } };
      const license = () => unwrap(api.GET("/library/orders/{order_id}/license", { params }));
      try {
        return await license();
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409) throw error;
        await unwrap(api.GET("/library/orders/{order_id}/files", { params }));
        return license();
      }
    },
  });

/** Reports one month of one source, or the rows of a CSV file. */
export function useReportUsage(orderId: number) {
  const client = useQueryClient();
  const params = { path: { order_id: orderId } };
  return useMutation({
    mutationFn: async (report: UsageReport | File) =>
      report instanceof File
        ? unwrap(
            api.POST("/library/orders/{order_id}/license/usage-file", { params, body: { csv: await report.text() } }),
          )
        : unwrap(api.POST("/library/orders/{order_id}/license/usage", { params, body: report })),
    onSuccess: (license) => client.setQueryData(licenseQuery(orderId).queryKey, license),
  });
}
