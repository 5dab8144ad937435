/** Outcomes of calls, in the order of a chart's stack, with the names of their counts. */
export const outcomes = [
  { name: "successes", label: "Succeeded", tone: "quiet" },
  { name: "redirects", label: "Not modified", tone: "faint" },
  { name: "refusals", label: "Refused", tone: "refused" },
  { name: "failures", label: "Failed", tone: "failed" },
] as const;
