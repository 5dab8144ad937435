import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { ApiError, api, send, unwrap } from "../../api/client.ts";
import type { components, operations } from "../../api/paths.ts";
import type { StudioSearch } from "./studio-search.ts";

/** An upload on the server, in any state. */
export type Upload = components["schemas"]["StudioUpload"];
/** The used storage and the limit. */
export type Storage = operations["listStudioUploads"]["responses"]["200"]["content"]["application/json"]["storage"];
/** One of the account's beats, with its files. */
export type OwnBeat = components["schemas"]["StudioBeat"];
/** A beat in lists. */
export type ListedBeat = components["schemas"]["BeatDetail"];
export type BeatStatus = NonNullable<ListedBeat["status"]>;
export type Exclusive = OwnBeat["exclusive"];
export type Options = operations["getStudioOptions"]["responses"]["200"]["content"]["application/json"];
export type PriceRule = Options["price_rule"];
/** The defaults of new beats. */
export type DraftDefaults = Options["draft_defaults"];
type LicenseDefaults = Pick<DraftDefaults, "license_settings" | "free_download">;
type BeatsOfUploads = operations["makeBeatsOfUploads"]["requestBody"]["content"]["application/json"];
export type BeatEdit = operations["editStudioBeats"]["requestBody"]["content"]["application/json"]["edits"][number];
export type BeatFields = operations["createStudioBeat"]["requestBody"]["content"]["application/json"];
export type BeatChanges = operations["changeStudioBeat"]["requestBody"]["content"]["application/json"];

const studioKey = "studio";
const pollMs = 1_500;

export const optionsQuery = queryOptions({
  queryKey: [studioKey, "options"],
  queryFn: () => unwrap(api.GET("/studio/options")),
  staleTime: 300_000,
});

/** The plays and sales of a beat on each of the last 30 days. */
export const reachQuery = (id: number) =>
  queryOptions({
    queryKey: [studioKey, "reach", id],
    queryFn: () => unwrap(api.GET("/studio/beats/{beat_id}/reach", { params: { path: { beat_id: id } } })),
    staleTime: 60_000,
  });

const isGone = (error: Error | null): boolean => error instanceof ApiError && error.status === 404;

const isUnderWay = (upload: Upload | null | undefined): boolean =>
  upload?.status === "receiving" || upload?.status === "analysing";

/** The uploads that no beat uses, polled while one of them is analysed. */
export const uploadsQuery = queryOptions({
  queryKey: [studioKey, "uploads"],
  queryFn: () => unwrap(api.GET("/studio/uploads")),
  refetchInterval: ({ state }) =>
    state.data?.uploads.some(({ status }) => status === "analysing") === true ? pollMs : false,
});

/** One upload, polled until it is ready or rejected. */
export const uploadQuery = (id: string) =>
  queryOptions({
    queryKey: [studioKey, "upload", id],
    queryFn: () => unwrap(api.GET("/studio/uploads/{upload_id}", { params: { path: { upload_id: id } } })),
    // Stop polling for an upload that no longer exists or belongs to another account.
    refetchInterval: ({ state }) => (isUnderWay(state.data?.upload) && !isGone(state.error) ? pollMs : false),
  });

export const beatsQuery = ({ show, page = 1 }: StudioSearch) =>
  queryOptions({
    queryKey: [studioKey, "beats", show, page],
    queryFn: () =>
      unwrap(api.GET("/studio/beats", { params: { query: { page, ...(show !== undefined && { status: show }) } } })),
    refetchInterval: ({ state }) => ((state.data?.counts.processing ?? 0) > 0 ? pollMs : false),
  });

/** A beat, polled while the server processes the files. */
export const beatQuery = (id: number) =>
  queryOptions({
    queryKey: [studioKey, "beat", id],
    queryFn: () => unwrap(api.GET("/studio/beats/{beat_id}", { params: { path: { beat_id: id } } })),
    refetchInterval: ({ state: { data, error } }) =>
      !isGone(error) && (data?.beat.status === "processing" || Object.values(data?.uploads ?? {}).some(isUnderWay))
        ? pollMs
        : false,
  });

/** A page of the addresses that requested free downloads. */
export const freeDownloadsQuery = (page: number) =>
  queryOptions({
    queryKey: [studioKey, "free-downloads", page],
    queryFn: () => unwrap(api.GET("/studio/free-downloads", { params: { query: { page } } })),
    placeholderData: keepPreviousData,
  });

/** Refetches the options, such as the licenses of new beats. */
export function useRefetchOptions(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(() => client.invalidateQueries({ queryKey: optionsQuery.queryKey }), [client]);
}

/** Refetches all data of the studio except the options. */
export function useRefetchStudio(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    () => client.invalidateQueries({ queryKey: [studioKey], predicate: ({ queryKey }) => queryKey[1] !== "options" }),
    [client],
  );
}

/** A mutation of uploads or beats. After `onDone`, refetches all data of the studio except the options. */
export function useStudioMutation<Variables, Data>(
  mutationFn: (variables: Variables) => Promise<Data>,
  onDone?: (data: Data) => unknown,
) {
  const refetch = useRefetchStudio();
  return useMutation({
    mutationFn,
    onSuccess: async (data) => {
      await onDone?.(data);
      await refetch();
    },
  });
}

export const createBeat = (body: BeatFields): Promise<OwnBeat> =>
  repeatable(`create ${JSON.stringify(body)}`, (key) =>
    unwrap(api.POST("/studio/beats", { body, headers: { "idempotency-key": key } })),
  );

/** Changes a beat. Throws an ApiError 412 if the beat has a newer edit version. */
export const changeBeat = (id: number, editVersion: number, body: BeatChanges): Promise<OwnBeat> =>
  repeatable(`change ${id} ${editVersion} ${JSON.stringify(body)}`, (key) =>
    unwrap(api.PATCH("/studio/beats/{beat_id}", { ...beatCall(id, editVersion, key), body })),
  );

/** Takes a beat off sale, or deletes a draft. Throws an ApiError 412 if the beat has a newer edit version. */
export const withdrawBeat = (id: number, editVersion: number): Promise<unknown> =>
  repeatable(`withdraw ${id} ${editVersion}`, (key) =>
    unwrap(api.DELETE("/studio/beats/{beat_id}", beatCall(id, editVersion, key))),
  );

const beatCall = (id: number, editVersion: number, key: string) => ({
  params: { path: { beat_id: id } },
  headers: { "if-match": `"v${editVersion}-"`, "idempotency-key": key },
});

/** The idempotency keys of changes with an unknown outcome, by change. */
const keysOfUnknownOutcome = new Map<string, string>();

/**
 * Sends a change with an idempotency key. A repetition has the same key while the outcome is unknown. If a change
 * succeeded but the response was lost, the server would refuse a repetition without the key as a conflict.
 */
async function repeatable<Data>(change: string, request: (key: string) => Promise<Data>): Promise<Data> {
  const key = keysOfUnknownOutcome.get(change) ?? crypto.randomUUID();
  keysOfUnknownOutcome.set(change, key);
  try {
    const data = await request(key);
    keysOfUnknownOutcome.delete(change);
    return data;
  } catch (error) {
    const isUnknown = error instanceof ApiError && (error.status === 0 || error.status >= 500);
    if (!isUnknown) keysOfUnknownOutcome.delete(change);
    throw error;
  }
}

/** Sets the licenses of new beats, and with `apply_to_all` the licenses of existing beats. */
export const changeLicenseDefaults = (body: LicenseDefaults & { apply_to_all: boolean }) =>
  unwrap(api.PUT("/studio/license-defaults", { body }));

export const changeDraftDefaults = (body: DraftDefaults) => unwrap(api.PUT("/studio/defaults", { body }));

/** Creates a beat from each upload. Returns each beat or the reason for a failure. */
export const makeBeats = (body: BeatsOfUploads) => unwrap(api.POST("/studio/new-beats", { body }));

/** Edits many beats. Returns the result of each edit, and the edit that undoes it. */
export const editBeats = (edits: BeatEdit[]) => unwrap(api.POST("/studio/beats/edits", { body: { edits } }));

export const retryUpload = (id: string) =>
  unwrap(api.POST("/studio/uploads/{upload_id}/retry", { params: { path: { upload_id: id } } }));

/** Deletes an upload that no beat uses. It is a request of tus, which the client's types do not describe. */
export async function deleteUpload(id: string): Promise<void> {
  const response = await send(`/portal/api/uploads/${id}`, { method: "DELETE" });
  if (response.ok || response.status === 404) return;
  throw new ApiError(response.status, "The file was not removed", "Try again in a moment.", null);
}

export const uploadFile = (id: string, file: "audio" | "waveform.json" | "cover.jpg"): string =>
  `/media/uploads/${id}/${file}`;
