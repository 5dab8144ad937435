import type { Logger } from "pino";
import { withTimeout } from "../with-timeout.ts";
import { useTracer } from "./tracing.ts";
import type { TracingSettings } from "./tracing-settings.ts";

const closeTimeoutMs = 2_000;

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
    // A collector that is away costs its spans, not the stop.
    await withTimeout(tracer.close(), closeTimeoutMs, () => new Error("The collector did not respond.")).catch(
      (error) => log.warn({ err: error }, "the last traces could not be sent"),
    );
  };
}
