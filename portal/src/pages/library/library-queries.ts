import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, api, unwrap } from "../../api/client.ts";
import { isConnectionLost } from "../../api/connection.ts";
import type { components } from "../../api/paths.ts";
import type { FileKind } from "../../display/beats/licenses.ts";
import { ownOrigin } from "../../display/beats/own-origin.ts";
import { player } from "../../display/player/use-player.ts";

export type LibraryOrder = components["schemas"]["LibraryOrder"];
export type OrderFile = components["schemas"]["OrderFile"];
export type IssuedLicense = components["schemas"]["IssuedLicense"];

const libraryKey = "library";
const pollMs = 3_000;
/** The maximum number of polls. The server renders files within about a minute, and each request waits for a while. */
const maxTries = 60;
/** The delay after which the server has counted a download. */
const countedAfterMs = 1_500;

/** The account's orders. Polled while one of them is pending. */
export const ordersQuery = (page: number) =>
  queryOptions({
    queryKey: [libraryKey, "orders", page],
    queryFn: () => unwrap(api.GET("/library/orders", { params: { query: { page } } })),
    refetchInterval: ({ state }) =>
      state.data?.orders.some(({ status }) => status === "pending") === true ? pollMs : false,
  });

const fetchFiles = (orderId: number) =>
  unwrap(api.GET("/library/orders/{order_id}/files", { params: { path: { order_id: orderId } } }));

/** The files of an order. Polled while the server renders them. */
export const filesQuery = (orderId: number) =>
  queryOptions({
    queryKey: [libraryKey, "files", orderId],
    queryFn: () => fetchFiles(orderId),
    retry: (failures, error) =>
      isConnectionLost() || (error instanceof ApiError && error.status === 503 && failures < maxTries),
    retryDelay: pollMs,
  });

/** The messages between buyer and producer of an order, and requests for a refund. */
export const contactQuery = (orderId: number) =>
  queryOptions({
    queryKey: [libraryKey, "contact", orderId],
    queryFn: () => unwrap(api.GET("/library/orders/{order_id}/contact", { params: { path: { order_id: orderId } } })),
  });

export const receiptQuery = (orderId: number) =>
  queryOptions({
    queryKey: [libraryKey, "receipt", orderId],
    queryFn: () => unwrap(api.GET("/library/orders/{order_id}/receipt", { params: { path: { order_id: orderId } } })),
  });

/**
 * Requests a short-lived link to a file of an order, or to the archive of its files. Throws an ApiError if the
 * file is no longer available.
 */
async function fetchFile(orderId: number, kind: FileKind | "archive") {
  const { files, archive } = await fetchFiles(orderId);
  const file = kind === "archive" ? archive : files.find((each) => each.kind === kind);
  if (file !== undefined && file !== null) return file;
  throw new ApiError(410, "The file is gone", "The order no longer has this file, as after a refund.", null);
}

/** Plays the MP3 of an order in the portal's player, or pauses it. */
export const usePlayFile = ({ id, beat, cover_image }: LibraryOrder) =>
  useMutation({
    mutationFn: async () => {
      const { track } = player.state();
      if (track?.id === beat.id && track.isBought === true) return player.toggleCurrent();
      const { url } = await fetchFile(id, "mp3");
      player.toggle({
        id: beat.id,
        title: beat.title,
        producer: beat.producer_name,
        audioUrl: ownOrigin(url),
        coverUrl: ownOrigin(cover_image),
        isBought: true,
      });
    },
  });

/** Downloads a file of an order by a short-lived link. Throws an ApiError if the file is no longer available. */
export function useDownload(orderId: number) {
  const client = useQueryClient();
  const refetch = () => void client.invalidateQueries({ queryKey: [libraryKey] });
  return useMutation({
    mutationFn: async (kind: FileKind | "archive") => {
      const file = await fetchFile(orderId, kind);
      const link = document.createElement("a");
      link.href = ownOrigin(file.url);
      link.download = file.filename;
      link.click();
    },
    onSuccess: () => setTimeout(refetch, countedAfterMs),
    onError: refetch,
  });
}
