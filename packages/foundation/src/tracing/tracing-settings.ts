/** Where traces go, and which. */
export interface TracingSettings {
  /** OTLP over HTTP, with protobuf: the endpoint and `/v1/traces`. */
  tracesUrl: string;
  /** Sent with each batch of spans. */
  headers: Record<string, string>;
  serviceName: string;
  sampler: SamplerName;
  /** From 0 to 1: of the traces that begin here. */
  ratio: number;
}

export const samplerNames = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
export type SamplerName = (typeof samplerNames)[number];
