import { queryOptions } from "@tanstack/react-query";
import { loadPeaks } from "./waveform.ts";

/** The peaks of a waveform. They never change. After a failure the next page requests them again. */
export const peaksQuery = (url: string, send?: (url: string) => Promise<Response>) =>
  queryOptions({
    queryKey: ["peaks", url],
    queryFn: () => loadPeaks(url, send),
    staleTime: ({ state }) => (state.data?.length ? Number.POSITIVE_INFINITY : 0),
  });
