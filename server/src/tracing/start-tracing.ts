import type { Logger } from "pino";
import type { TracingSettings } from "../config.ts";
import { useTracer } from "./tracing.ts";

/**
 * Switches tracing on where the configuration names a collector. Returns what sends the last spans and switches it off. The
 * libraries are loaded here: most servers never need them.
 */
export async function startTracing(
  settings: TracingSettings | null,
  log: Pick<Logger, "warn">,
): Promise<() => Promise<void>> {
  if (settings === null) return async () => {};
  const { openTracer } = await import("./open-telemetry.ts");
  const tracer = openTracer(settings, log);
  useTracer(tracer);
  return async () => {
    useTracer(null);
    await tracer.close();
  };
}
