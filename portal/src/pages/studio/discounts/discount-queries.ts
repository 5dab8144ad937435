import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "../../../api/client.ts";
import type { components, operations } from "../../../api/paths.ts";

export type Discount = components["schemas"]["Discount"];
export type DiscountFields = operations["createDiscount"]["requestBody"]["content"]["application/json"];

export const discountsQuery = queryOptions({
  queryKey: ["studio", "discounts"],
  queryFn: () => unwrap(api.GET("/studio/discounts")),
});

function useDiscountMutation<Variables>(run: (variables: Variables) => Promise<unknown>, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: async () => {
      onDone();
      await client.invalidateQueries({ queryKey: discountsQuery.queryKey });
    },
  });
}

export const useCreateDiscount = (onDone: () => void) =>
  useDiscountMutation((body: DiscountFields) => unwrap(api.POST("/studio/discounts", { body })), onDone);

export const useEndDiscount = (onDone: () => void) =>
  useDiscountMutation(
    (id: number) => unwrap(api.POST("/studio/discounts/{discount_id}/end", { params: { path: { discount_id: id } } })),
    onDone,
  );
