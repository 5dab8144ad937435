import { queryOptions } from "@tanstack/react-query";
import { loadPeaks } from "./waveform.ts";

/**
 * The peaks of a waveform. They never change. Peaks that could not be read are requested again by the next component.
 */
export const peaksQuery = (url: string, send?: (url: string) => Promise<Response>) =>
  queryOptions({
    queryKey: ["peaks", url],
    queryFn: () => loadPeaks(url, send),
    staleTime: ({ state }) => (state.data?.length ? Number.POSITIVE_INFINITY : 0),
  });
