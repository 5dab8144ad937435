/** Where traces are sent, and which are recorded. */
export interface TracingSettings {
  /** URL of the collector (OTLP over HTTP with protobuf), including `/v1/traces`. */
  tracesUrl: string;
  /** Sent with each batch of spans. */
  headers: Record<string, string>;
  serviceName: string;
  sampler: SamplerName;
  /** The share of new traces to record, 0 to 1. For the `traceidratio` samplers. */
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
